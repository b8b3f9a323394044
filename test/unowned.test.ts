import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { isPublished } from "../core/release.ts"
import { type Running, start } from "./support/running.ts"

/** An instruction that asks a registry for our name: whoever owns it there runs with the reader's key. */
const asks =
  /(?:\b(?:npx|npm (?:i|install|exec)|pnpm (?:add|dlx)|yarn (?:add|dlx)|bunx|pip install|pipx (?:run|install)|uvx|deno add|docker (?:pull|run))\b[^\n`]*?\s|"npx",[^\]]*?"|"identifier": ")(?:jsr:)?@?market-signals(?=["@\s]|$)/gm

/** Text as somebody reads it, without marks. */
const readable = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("\\n", "\n")
    .replaceAll('\\"', '"')

let running: Running
beforeAll(async () => {
  running = await start()
})
afterAll(() => running.stop())

describe.skipIf(isPublished)("no instruction names a package that nobody owns", () => {
  it("is found where there is one", () => {
    const settings = JSON.stringify({ command: "npx", args: ["-y", "market-signals", "mcp"] })
    const pages = [
      "<code>npm install <b>market-signals</b></code>",
      "pip install market-signals",
      "npx -y market-signals mcp",
    ]
    for (const text of [settings, ...pages, '"identifier": "market-signals"'])
      assert.lengthOf([...readable(text).matchAll(asks)], 1, text)
    const own = [
      "npm install --global ./market-signals-0.3.0.tgz",
      "pip install ./adapters/client/python",
      "npm run --silent cli",
    ]
    for (const text of own) assert.lengthOf([...readable(text).matchAll(asks)], 0, text)
  })

  it.each([
    "/",
    "/docs",
    "/install",
    "/llms.txt",
    "/llms-full.txt",
    "/openapi.json",
    "/.well-known/mcp",
    "/.well-known/agent-capabilities",
  ])("of the server's %s", async (path) => {
    const answer = await fetch(`${running.url}${path}`, { headers: { accept: "*/*" } })
    const text = await answer.text()
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(
      [...readable(text).matchAll(asks)].map(([line]) => line),
      [],
    )
  })

  it("of the files that are read in the repository and in the package", () => {
    const files = execFileSync(
      "git",
      ["ls-files", "*.md", "*.json", "*.toml", "*.ipynb", ".env.example", "*.service", "*.yaml"],
      { encoding: "utf8" },
    )
      .trim()
      .split("\n")
      .filter((file) => !/^(CHANGELOG\.md|test\/|package(-lock)?\.json)/.test(file))
    assert.include(files, "server.json")
    for (const file of files) {
      // What is done once it is published is told to those who publish.
      const text = readFileSync(file, "utf8").replace(/^### Publishing it$[\s\S]*/m, "")
      // An image that the line builds itself.
      const lines = [...text.matchAll(asks)].map(([line]) => line).filter((line) => !/docker run/.test(line))
      assert.deepStrictEqual(lines, [], file)
    }
  })
})

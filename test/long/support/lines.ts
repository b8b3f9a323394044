import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { unpackExtension, validateManifest } from "@anthropic-ai/mcpb"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freePort } from "../../support/freePort.ts"

interface Given {
  readonly folder: string
  readonly program: () => string
  readonly run: (file: string, args: ReadonlyArray<string>, cwd: string, env?: NodeJS.ProcessEnv) => Promise<string>
}

/** What a reader copies for a client: blocks of code by their language. */
type Blocks = ReadonlyArray<readonly [lang: string, text: string]>

const clientsIn = (text: string): ReadonlyMap<string, Blocks> => {
  const [, chapter = ""] = /\n## Clients\n([\s\S]*?)\n## /.exec(text) ?? []
  return new Map(
    chapter.split(/^### /m).flatMap((section) => {
      const blocks = Array.from(
        section.matchAll(/```(\w+)\n([\s\S]*?)\n```/g),
        ([, lang, code]) => [lang!, code!] as const,
      )
      return blocks.length === 0 ? [] : [[section.split("\n")[0]!, blocks] as const]
    }),
  )
}

/** Every line of `/install`, in a clean folder, against a server of the packed package that nobody has published. */
export const lineSuite = ({ folder, program, run }: Given): void => {
  const registry = process.env["NO_REGISTRY"] === undefined
  const here = join(folder, "lines")
  const bin = join(here, "bin")
  const environment = () => ({
    HOME: here,
    PATH: [bin, join(here, "venv/bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
  })
  let url = ""
  let server: ReturnType<typeof spawn>
  let lines: ReadonlyMap<string, Blocks> = new Map()

  const answers = async (transport: StdioClientTransport | StreamableHTTPClientTransport) => {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(transport)
    const call = { name: "weather_settlement", arguments: { station: "KNYC" } }
    assert.isNotTrue((await client.callTool(call)).isError)
    await client.close()
  }
  const overHttp = (address: string, headers: Readonly<Record<string, string>>) =>
    answers(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }))

  /** Runs what was copied, in a folder of its own. */
  const copied = async (name: string): Promise<string> => {
    const place = join(here, name.replaceAll(" ", "-"))
    mkdirSync(place)
    writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, type: "module" }))
    let printed = ""
    for (const [lang, text] of lines.get(name)!) {
      const file = join(place, lang === "ts" ? "program.js" : "program.py")
      if (lang !== "sh") writeFileSync(file, text)
      printed =
        lang === "sh"
          ? await run("/bin/sh", ["-c", text], place, environment())
          : await run(lang === "ts" ? process.execPath : "python3", [file], place, environment())
    }
    return printed
  }

  describe("every line that a server shows to install a client", { timeout: 600_000 }, () => {
    beforeAll(async () => {
      mkdirSync(bin, { recursive: true })
      // The programs of others that take a line: what they are given.
      const echo = '#!/bin/sh\nexec node -e "console.log(JSON.stringify(process.argv.slice(1)))" -- "$@"\n'
      for (const name of ["claude", "code"]) {
        writeFileSync(join(bin, name), echo)
        chmodSync(join(bin, name), 0o755)
      }
      await run("python3", ["-m", "venv", join(here, "venv")], here)
      const port = String(await freePort())
      url = `http://127.0.0.1:${port}`
      server = spawn(process.execPath, [program(), "serve", "--port", port], {
        cwd: here,
        env: { HOME: here, WARM_UP: "no" },
        stdio: ["ignore", "pipe", "inherit"],
      })
      await new Promise<void>((started, failed) => {
        server.stdout!.on("data", (chunk) => / on http/.test(String(chunk)) && started())
        server.once("exit", () => failed(new Error("The server ended.")))
      })
      lines = clientsIn(await (await fetch(`${url}/llms-full.txt`)).text())
    }, 600_000)
    afterAll(async () => {
      server.removeAllListeners("exit")
      const ended = new Promise((resolve) => server.once("exit", resolve))
      if (server.kill("SIGTERM")) await ended
    })

    it("is tried here", () => {
      const tried = ["curl", "TypeScript", "Python", "Claude Code", "Claude Desktop", "npx", "Cursor", "VS Code"]
      assert.sameMembers([...lines.keys()], tried)
    })

    it("calls by curl and by Python", async () => {
      for (const name of ["curl", "Python"]) assert.match(await copied(name), /projection/, name)
    })

    it.skipIf(!registry)("runs with TypeScript", async () => {
      assert.match(await copied("TypeScript"), /\d/)
    })

    it("gives Claude Code and VS Code a server that answers", async () => {
      const [, address, , header] = (JSON.parse(await copied("Claude Code")) as ReadonlyArray<string>).slice(-4)
      const [name, value] = header!.split(": ")
      await overHttp(address!, { [name!]: value! })
      const [option, settings] = JSON.parse(await copied("VS Code"))
      assert.strictEqual(option, "--add-mcp")
      const { url: place, headers } = JSON.parse(settings)
      await overHttp(place, headers)
    })

    const settings = (name: string) => JSON.parse(lines.get(name)!.at(-1)![1]).mcpServers["market-signals"]

    it("gives Cursor a server, and Claude Desktop a program", async () => {
      const { url: place, headers } = settings("Cursor")
      await overHttp(place, headers)
      const [[lang, install]] = lines.get("Claude Desktop") as readonly [Blocks[number]]
      assert.strictEqual(lang, "sh")
      await run("/bin/sh", ["-c", install], here, environment())
      const { command, args, env } = settings("Claude Desktop")
      const [file, ...options] = args as ReadonlyArray<string>
      const startedAt = performance.now()
      await answers(
        new StdioClientTransport({
          command,
          args: [file!.replace("/path/to", here), ...options],
          cwd: "/",
          env: { ...environment(), ...env },
        }),
      )
      process.stdout.write(`bridge: call ${Math.round(performance.now() - startedAt)} ms by node\n`)
    })

    it("gives npx a program of one package", async () => {
      const { command, args, env } = settings("npx")
      const startedAt = performance.now()
      await answers(new StdioClientTransport({ command, args, cwd: "/", env: { ...environment(), ...env } }))
      const warmAt = performance.now()
      await answers(new StdioClientTransport({ command, args, cwd: "/", env: { ...environment(), ...env } }))
      const cache = join(here, ".npm/_npx")
      const modules = join(cache, readdirSync(cache)[0]!, "node_modules")
      const packages = readdirSync(modules).filter((name) => !name.startsWith("."))
      const bytes = readdirSync(modules, { recursive: true, encoding: "utf8" })
        .map((name) => statSync(join(modules, name)))
        .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)
      const [cold, warm] = [warmAt - startedAt, performance.now() - warmAt].map(Math.round)
      process.stdout.write(
        `bridge: ${packages.length} package, ${bytes} bytes, call ${cold} ms cold, ${warm} ms warm by npx\n`,
      )
      assert.strictEqual(packages.length, 1)
      assert.isAtMost(bytes, 2_000_000)
    })

    it("hands out an extension that the official tool takes", async () => {
      const mcpbPath = join(here, "extension.mcpb")
      const answer = await fetch(`${url}/install/market-signals.mcpb`)
      writeFileSync(mcpbPath, Buffer.from(await answer.arrayBuffer()))
      const outputDir = join(here, "extension")
      assert.isTrue(await unpackExtension({ mcpbPath, outputDir, silent: true }))
      assert.isTrue(validateManifest(join(outputDir, "manifest.json")))
    })
  })
}

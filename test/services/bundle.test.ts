import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { freePort } from "../support/freePort.ts"

const folder = mkdtempSync(join(tmpdir(), "market-signals-test-"))
const temporary = join(folder, "tmp")
let child: ChildProcess
let url = ""

/** The server as `npm start` starts it, in a folder of its own. */
beforeAll(async () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"))
  const [exec, program, ...args] = String(scripts.start).split(" ")
  assert.deepStrictEqual([exec, program], ["exec", "node"])
  mkdirSync(temporary)
  const words = args.map((word) => (word.endsWith(".mjs") ? resolve(word) : word))
  child = spawn(process.execPath, words, {
    cwd: folder,
    env: { PATH: process.env["PATH"], PORT: String(await freePort()), TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
  })
  url = await new Promise<string>((found, failed) => {
    let output = ""
    child.once("exit", (code) => failed(new Error(`ended with ${code}`)))
    child.stdout!.on("data", (chunk) => {
      output += chunk
      const address = / on (http:\/\/\S+)/.exec(output)?.[1]
      if (address !== undefined) found(address)
    })
  })
}, 120_000)

afterAll(async () => {
  if (child.exitCode === null)
    await new Promise((ended) => {
      child.removeAllListeners("exit").once("exit", ended)
      child.kill()
    })
  rmSync(folder, { recursive: true, force: true })
})

describe("the server, bundled from its sources", () => {
  it("answers", async () => {
    assert.strictEqual((await fetch(`${url}/readyz`)).status, 200)
  })

  it("serves the files that modules read by their own place", async () => {
    const answer = await fetch(`${url}/v1/proof/verifier.mjs`)
    assert.strictEqual(await answer.text(), readFileSync("adapters/web/record/verifier.mjs", "utf8"))
  })

  it("creates files that only their owner can read", () => {
    assert.strictEqual(statSync(join(folder, "var/market-signals.db")).mode & 0o077, 0)
  })

  it("leaves no bundle behind", () => {
    assert.deepStrictEqual(
      readdirSync(temporary).filter((name) => name.startsWith("market-signals-start-")),
      [],
    )
  })
})

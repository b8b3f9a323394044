#!/usr/bin/env node
import { spawn } from "node:child_process"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Release from "../core/release.ts"
import { bridgeMcp } from "./bridgeMcp.ts"

/*
 * The program that a server hands out, as a package and as an extension of desktop clients: it passes messages on to that
 * server or, without its address, serves an existing store by the installed program, whose database driver it does not have.
 */

/** Clients pass a setting that the user did not fill in as empty text or as its placeholder. */
const setting = (name: string): string | undefined => {
  const text = (process.env[name] ?? "").trim()
  return text === "" || /^\$\{.*\}$/.test(text) ? undefined : text
}

const end = (message: string): void => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

const keyName = "MARKET_SIGNALS_KEY"
if (setting(keyName) === undefined) delete process.env[keyName]

const help = `Passes the tools of a ${Release.name} server to an MCP client over standard input and output.

--url URL   address of the server; default MARKET_SIGNALS_URL
--version   print the version and end
--help      print this and end

${keyName}      API key; no option takes it, because lists of processes show options
MARKET_SIGNALS_STORE    without a server: the SQLite file of a store; the program ${Release.name} must be installed`

const flag = { type: "boolean" } as const
const { values } = parseArgs({
  options: { url: { type: "string" }, help: { ...flag, short: "h" }, version: { ...flag, short: "v" } },
  strict: false,
})
const url = typeof values.url === "string" ? values.url : setting("MARKET_SIGNALS_URL")
const store = setting("MARKET_SIGNALS_STORE")
if (values.help === true || values.version === true) process.stdout.write(`${values.help ? help : Release.version}\n`)
else if (url !== undefined) {
  const logger = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))
  Effect.runPromise(Effect.provide(bridgeMcp(url), logger)).catch((error) => end(String(error)))
} else if (store !== undefined) {
  const child = spawn(Release.name, ["mcp"], {
    env: { ...process.env, DATABASE_URL: `sqlite:${store}` },
    stdio: "inherit",
    shell: process.platform === "win32",
  })
  child.on("error", () => end(`Install the program ${Release.name} first: the page /install of a server says how.`))
  child.on("exit", (code) => process.exit(code ?? 1))
} else end("Fill in the address of a server (--url), or the file of a store, in the settings of the client.")

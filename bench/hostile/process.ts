import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { freePort } from "../../test/support/freePort.ts"
import type { Seen } from "./instrument.mjs"

const instrument = fileURLToPath(new URL("instrument.mjs", import.meta.url))

/** A process with a monitored event loop. */
export interface Watched {
  readonly child: ChildProcess
  /** Resets the measurement. */
  readonly reset: () => Promise<Seen>
  readonly read: () => Promise<Seen>
  readonly stop: () => Promise<void>
}

/** Starts instrumented Node; its standard output goes to `said`. */
export const watched = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  said: (output: string) => void,
): Watched => {
  const child = spawn(process.execPath, ["--import", instrument, ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: process.env["TMPDIR"], ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  child.stdout!.setEncoding("utf8").on("data", said)
  let errors = ""
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4_000)
  })
  const ended = once(child, "exit").then(([code]) => {
    if (code !== 0 && code !== null) process.stderr.write(`${args.join(" ")} ended with ${code}: ${errors}\n`)
  })
  const ask = async (word: "read" | "reset"): Promise<Seen> => {
    const answer = once(child, "message")
    child.send(word)
    return (await answer)[0] as Seen
  }
  return {
    child,
    reset: () => ask("reset"),
    read: () => ask("read"),
    stop: () => {
      child.kill()
      return ended
    },
  }
}

type Serving = Watched & { readonly url: string }

/** A watched program that prints its address when it serves. */
const serving = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>): Promise<Serving> =>
  new Promise((resolve, reject) => {
    let output = ""
    const started = watched(args, env, (text) => {
      output = (output + text).slice(-10_000)
      const url = /on (http:\/\/[^\s"]+)/.exec(output)?.[1]
      if (url !== undefined) resolve({ ...started, url })
    })
    started.child.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${output}`)))
  })

/** The built server over a store, on a free port of loopback. */
export const server = async (env: Readonly<Record<string, string>>): Promise<Serving> => {
  const port = await freePort()
  return serving(["--max-semi-space-size=16", "dist/services/server.js"], { ...env, PORT: String(port) })
}

/** A server that answers with so many bytes as its path names, and does nothing else. */
export const bare = (): Promise<Serving> => serving([fileURLToPath(new URL("bare.mjs", import.meta.url))], {})

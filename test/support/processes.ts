import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { bundled } from "./built.ts"

/** A TypeScript file of this repository as a program; a JavaScript file is itself. */
export const program = (file: string): string => (file.endsWith(".ts") ? bundled(file) : file)

const root = fileURLToPath(new URL("../..", import.meta.url))

export interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>
  /** Standard output so far: whole lines only. */
  readonly lines: Array<string>
  readonly stderr: () => string
  /** Resolves when that many lines are there; rejects when the process ends before. */
  readonly linesUntil: (count: number) => Promise<ReadonlyArray<string>>
  /** Resolves with the exit code (null: killed) when the process has ended and all it wrote is read. */
  readonly ended: Promise<number | null>
}

/**
 * Starts a file of this repository as a process of its own, with nothing of this one's environment.
 *
 * @param under a command that runs it, such as a tracer and its options
 */
export const start = (
  file: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  under: ReadonlyArray<string> = [],
): Child => {
  const [command, ...options] = [...under, process.execPath, program(file), ...args]
  const child = spawn(command!, options, {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      TMPDIR: process.env["TMPDIR"],
      WARM_UP: process.env["WARM_UP"],
      ...environment,
    },
    stdio: ["pipe", "pipe", "pipe"],
  })
  const lines: Array<string> = []
  let rest = ""
  let errors = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const pieces = (rest + chunk).split("\n")
    rest = pieces.pop()!
    lines.push(...pieces)
    child.emit("lines")
  })
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk
  })
  // A process that was killed does not read any more.
  child.stdin.on("error", () => {})
  const ended = once(child, "close").then(([code]) => code as number | null)
  const linesUntil = async (count: number) => {
    while (lines.length < count) {
      const over = await Promise.race([once(child, "lines").then(() => false), ended.then(() => true)])
      if (over && lines.length < count) throw new Error(`The process ended early: ${errors}`)
    }
    return lines
  }
  return { process: child, lines, stderr: () => errors, linesUntil, ended }
}

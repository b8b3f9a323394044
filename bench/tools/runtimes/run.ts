import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

export interface Ran {
  readonly code: number | null
  /** Standard output and standard error. */
  readonly output: string
}

/** Runs a program to its end and keeps what it wrote in a file. */
export const run = async (
  [command, ...args]: ReadonlyArray<string>,
  { cwd, env, log }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly log: string },
): Promise<Ran> => {
  const child = spawn(command!, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  const code = await new Promise<number | null>((ended, failed) => {
    child.once("error", failed).once("close", ended)
  })
  mkdirSync(dirname(log), { recursive: true })
  writeFileSync(log, output)
  return { code, output }
}

/** The same, for what has to work before anything can be tested. */
export const must = async (...args: Parameters<typeof run>): Promise<string> => {
  const { code, output } = await run(...args)
  if (code !== 0)
    throw new Error(`${args[0].join(" ")} ended with ${code}; see ${args[1].log}.\n${output.slice(-2_000)}`)
  return output
}

import { spawnSync } from "node:child_process"
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"

/** Whether this machine has a tracer of system calls and lets it trace. */
export const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0

/** In a test's name where there is none. */
export const untraced = canTrace ? "" : " (skipped: no strace here that may trace)"

/**
 * The command that runs a program and notes its writes, with their bytes, and its syncs, in the order in which they were
 * made. The process is the program's own, so that a signal reaches it.
 */
export const tracer = (log: string): ReadonlyArray<string> => [
  ...["strace", "-D", "-f", "-y", "-xx", "-s", "1000000", "-o", log],
  ...["-e", "trace=pwrite64,write,ftruncate,fsync,fdatasync"],
]

/** One call of the system, by the name of its file; a sync counts from its return, all others from their begin. */
export type Syscall = { readonly file: string } & (
  | { readonly call: "write"; readonly bytes: Buffer; readonly at: number | undefined }
  | { readonly call: "truncate"; readonly size: number }
  | { readonly call: "sync" }
)

const unhex = (text: string): Buffer => Buffer.from(text.replaceAll("\\x", ""), "hex")

/** The calls in a log of `tracer`. */
export const syscalls = async (log: string): Promise<ReadonlyArray<Syscall>> => {
  const calls: Array<Syscall> = []
  const syncing = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const [, thread = "", call = "", path = "", rest = ""] =
      /^(\d+) +(pwrite64|write|ftruncate|fsync|fdatasync)\(\d+<([^>]*)>(.*)$/.exec(line) ?? []
    const file = unhex(path).toString()
    if (call === "") {
      const [, resumed = ""] = /^(\d+) +<\.\.\. f(?:data)?sync resumed>.* = 0$/.exec(line) ?? []
      const synced = syncing.get(resumed)
      if (synced !== undefined) calls.push({ file: synced, call: "sync" })
    } else if (call.endsWith("sync")) {
      if (rest.endsWith(" = 0")) calls.push({ file, call: "sync" })
      else syncing.set(thread, file)
    } else if (call === "ftruncate") {
      calls.push({ file, call: "truncate", size: Number(/\d+/.exec(rest)?.[0]) })
    } else {
      const [, text = "", at] = /^, "([^"]*)", \d+(?:, (\d+))?/.exec(rest) ?? []
      calls.push({ file, call: "write", bytes: unhex(text), at: at === undefined ? undefined : Number(at) })
    }
  }
  return calls
}

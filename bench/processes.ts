import type { ChildProcess } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/** A process under load. */
export interface Running {
  readonly child: ChildProcess
}

/** A /proc file of a process; undefined if absent. */
const proc = (pid: number | string | undefined, file: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return undefined
  }
}

/** The fields of a process after its name: state, parent, … */
const statOf = (pid: number | string | undefined): ReadonlyArray<string> | undefined =>
  proc(pid, "stat")?.split(") ").at(-1)?.split(" ")

/** Ticks of 10 ms at some fields of a process, in microseconds. */
const ticks = (fields: ReadonlyArray<string>, ...at: ReadonlyArray<number>): number =>
  at.reduce((sum, index) => sum + Number(fields[index]) * 10_000, 0)

/** CPU time so far, microseconds. */
export const cpuTime = ({ child }: Running): number | undefined => {
  const fields = statOf(child.pid)
  return fields === undefined ? undefined : ticks(fields, 11, 12)
}

/** CPU time so far of a process and all its children, ended ones too, microseconds; 0 without /proc. */
export const treeCpuTime = (parent: number): number => {
  const own = statOf(parent)
  if (own === undefined) return 0
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .reduce(
      (sum, fields) => (fields?.[1] === String(parent) ? sum + ticks(fields, 11, 12) : sum),
      ticks(own, 11, 12, 13, 14),
    )
}

/** The process that started another. */
export const parentOf = (pid: number): number => Number(statOf(pid)?.[1])

/** Waits until a server has no work of its own, such as the generated record that is settled after a start. */
export const idle = async (target: Running): Promise<void> => {
  for (let quiet = 0; quiet < 3; ) {
    const before = cpuTime(target) ?? 0
    await new Promise((resolve) => setTimeout(resolve, 500))
    quiet = (cpuTime(target) ?? 0) - before < 50_000 ? quiet + 1 : 0
  }
}

/** Resident set, MiB. */
export const resident = ({ child }: Running): number | undefined => {
  const kib = /VmRSS:\s+(\d+)/.exec(proc(child.pid, "status") ?? "")?.[1]
  return kib === undefined ? undefined : Number(kib) / 1_024
}

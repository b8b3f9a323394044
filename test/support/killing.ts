import { setTimeout } from "node:timers/promises"
import type { Child } from "./processes.ts"

/** Processes that were killed, in the order of their starts. */
export interface Killed {
  readonly all: ReadonlyArray<Child>
  /** The longest time from a start to the first line of work, milliseconds. */
  readonly slowest: number
}

/**
 * Keeps so many processes at work, kills one of them at a random moment again and again, and starts another in its place;
 * kills the rest at the end.
 *
 * @param start loads the process with a number: it says `ready`, waits for a line, and writes a line for what it has done
 * @param lines what one does at least before it is killed
 */
export const killing = async (
  { nodes, kills, lines }: { readonly nodes: number; readonly kills: number; readonly lines: number },
  start: (number: number) => Child,
): Promise<Killed> => {
  const all: Array<Child> = []
  const load = (): Child => {
    const child = start(all.length)
    all.push(child)
    return child
  }
  let slowest = 0
  const begin = async (child: Child): Promise<Child> => {
    await child.linesUntil(1)
    const begun = performance.now()
    child.process.stdin.write("go\n")
    await child.linesUntil(2)
    slowest = Math.max(slowest, performance.now() - begun)
    return child
  }
  const kill = async (child: Child): Promise<void> => {
    child.process.kill("SIGKILL")
    const code = await child.ended
    if (code !== null) throw new Error(`It ended by itself: ${child.stderr()}`)
  }
  try {
    const working = await Promise.all(Array.from({ length: nodes }, () => begin(load())))
    for (let round = 1; round <= kills; round++) {
      // The next one loads meanwhile.
      const next = load()
      const victim = Math.floor(Math.random() * nodes)
      const child = working[victim]!
      await child.linesUntil(child.lines.length + lines)
      // A random moment, not one at which something has just been done.
      await setTimeout(Math.random() * 30)
      await kill(child)
      working[victim] = await begin(next)
    }
    for (const child of working) await kill(child)
    return { all, slowest }
  } finally {
    for (const { process } of all) process.kill("SIGKILL")
  }
}

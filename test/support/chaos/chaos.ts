import { deepStrictEqual, strictEqual } from "node:assert"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { open } from "../../../adapters/store/engine/sqlite/driver.ts"
import { isUrl } from "../place.ts"
import { connected } from "../postgresServer.ts"
import * as processes from "../processes.ts"

/** A program of `program.ts` that has loaded its workload and waits. */
export const load = (name: string, under?: ReadonlyArray<string>): processes.Child =>
  processes.start("test/support/chaos/program.ts", [name], {}, under)

/** Lets it begin. What it says comes after its first line. */
export const go = async (child: processes.Child, place: string, given: unknown = {}, number = 0) => {
  await child.linesUntil(1)
  child.process.stdin.write(`${JSON.stringify([place, given, number])}\n`)
  return child
}

export const begin = (name: string, place: string, given?: unknown, under?: ReadonlyArray<string>) =>
  go(load(name, under), place, given)

const isOver = ({ process }: processes.Child): boolean => process.exitCode !== null || process.signalCode !== null

/** What goes wrong: it is done to a program that is at work. */
export type Fault = (victim: processes.Child, others: ReadonlyArray<processes.Child>) => Promise<unknown>

export const kill: Fault = async (victim) => {
  victim.process.kill("SIGKILL")
  strictEqual(await victim.ended, null, `It ended by itself: ${victim.stderr()}`)
}

/** The program stands still for so long. The others say so many lines meanwhile, and it too once it goes on. */
export const stop =
  (ms: number, lines: number): Fault =>
  async (victim, others) => {
    victim.process.kill("SIGSTOP")
    await Promise.all([setTimeout(ms), ...others.map((each) => each.linesUntil(each.lines.length + lines))])
    const before = victim.lines.length
    victim.process.kill("SIGCONT")
    await victim.linesUntil(before + lines)
  }

export interface Run {
  /** A file of SQLite, or the URL of a database of PostgreSQL. */
  readonly place: string
  /** Programs at work at the same time. */
  readonly nodes: number
  readonly rounds: number
  /** What a program says at least before something happens to it. */
  readonly lines: number
}

/** What programs do in a store, and what must hold of it whatever happens to them. */
export interface Workload {
  /** In `program.ts`. */
  readonly name: string
  readonly prepare: (run: Run) => Effect.Effect<Prepared, unknown, Scope.Scope>
}

export interface Prepared {
  /** Goes to each program, as JSON. */
  readonly given: unknown
  /**
   * Holds whenever no program is at work.
   *
   * @param said the lines of each program, by its number
   * @param isLast whether no program comes after it
   */
  readonly book: (said: ReadonlyArray<ReadonlyArray<string>>, isLast: boolean) => Effect.Effect<unknown, unknown>
  /** What one more program does before the last look at the book; nothing happens to it. */
  readonly rest?: Effect.Effect<unknown>
}

/** A program that has nothing to do for so long is struck all the same. */
const longestWaitMs = 5_000

const application = "to be killed"

/** By their name the server of PostgreSQL knows the connections of programs that may be killed. */
const named = (place: string): string =>
  isUrl(place)
    ? Object.assign(new URL(place), { search: `?application_name=${encodeURIComponent(application)}` }).href
    : place

/** Until a server has ended what killed programs had asked of it. */
const quiet = (url: string): Promise<void> =>
  connected(url, async (client) => {
    const text = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1"
    while ((await client.query(text, [application])).rows.length > 0) await setTimeout(50)
  })

const whole = (file: string): void => {
  const db = open(file)
  deepStrictEqual(db.pragma("integrity_check"), [{ integrity_check: "ok" }])
  deepStrictEqual(db.pragma("foreign_key_check"), [])
  db.close()
}

/**
 * Keeps so many programs at work in a store, does something bad to one of them at a random moment again and again, starts
 * another in place of one that has ended, and holds the book against what all have said.
 *
 * @returns the longest time from the start of a program to its first line of work, milliseconds
 */
export const chaos = ({ place, nodes, rounds, lines }: Run, { name, prepare }: Workload, fault: Fault) =>
  Effect.gen(function* () {
    const { given, book, rest } = yield* prepare({ place, nodes, rounds, lines })
    const all: Array<processes.Child> = []
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        for (const { process } of all) process.kill("SIGKILL")
        return Promise.all(all.map(({ ended }) => ended))
      }),
    )
    let slowest = 0
    const loaded = () => {
      const child = load(name)
      all.push(child)
      return child
    }
    const working = async (child: processes.Child) => {
      await child.linesUntil(1)
      const begun = performance.now()
      await go(child, named(place), given, all.indexOf(child))
      await child.linesUntil(2)
      slowest = Math.max(slowest, performance.now() - begun)
      return child
    }
    const look = (isLast: boolean) =>
      Effect.gen(function* () {
        if (isUrl(place)) yield* Effect.promise(() => quiet(place))
        yield* book(
          all.map((child) => child.lines.slice(1)),
          isLast,
        )
        if (!isUrl(place)) whole(place)
      })
    const nodesAtWork = yield* Effect.promise(() => Promise.all(Array.from({ length: nodes }, () => working(loaded()))))
    // The next one loads meanwhile.
    let next = loaded()
    for (let round = 1; round <= rounds; round++) {
      const at = Math.floor(Math.random() * nodes)
      const victim = nodesAtWork[at]!
      yield* Effect.promise(async () => {
        // Work that programs share may leave one of them without any.
        await Promise.race([victim.linesUntil(victim.lines.length + lines), setTimeout(longestWaitMs)])
        // A random moment, not one at which something has just been done.
        await setTimeout(Math.random() * 30)
        await fault(victim, nodesAtWork.toSpliced(at, 1))
      })
      if (!isOver(victim)) continue
      // Every other time it is the next program that opens what is left.
      if (nodes === 1 && round % 2 === 0) yield* look(false)
      nodesAtWork[at] = yield* Effect.promise(() => working(next))
      next = loaded()
    }
    yield* Effect.promise(() => Promise.all(nodesAtWork.map((child) => kill(child, []))))
    if (rest !== undefined) {
      yield* look(false)
      yield* Effect.promise(() => go(next, named(place), given, all.indexOf(next)))
      yield* rest
      yield* Effect.promise(() => kill(next, []))
    }
    yield* look(true)
    return slowest
  })

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { barOf } from "../longForm.ts"
import { database, isPostgres } from "../postgres.ts"
import { storeFile } from "../store.ts"
import { chaos, kill, type Workload } from "./chaos.ts"

interface Form {
  /** The variable of the environment that says how many are killed, and how many are without it. */
  readonly variable: string
  readonly kills: number
  /** Programs at work at the same time; one over a file of SQLite. */
  readonly nodes?: number
  readonly lines: number
  /** From the start of a program to its first line, milliseconds; asserted by the long form. */
  readonly startMs?: number
}

/** Kills programs over the kind of store that the run tests. */
export const killed = (
  workload: Workload,
  what: string,
  forms: { readonly sqlite: Form; readonly postgres: Form },
): void => {
  const { variable, kills, nodes = 1, lines, startMs } = isPostgres ? forms.postgres : forms.sqlite
  const rounds = Number(process.env[variable] ?? kills)
  describe(nodes === 1 ? "a program that is killed" : `${nodes} programs at a time that are killed`, () => {
    it.scopedLive(
      `${what}, ${rounds} times`,
      () =>
        Effect.gen(function* () {
          const place = isPostgres ? Redacted.value(yield* database) : yield* storeFile
          const slowest = yield* chaos({ place, nodes, rounds, lines }, workload, kill)
          if (startMs !== undefined) assert.isBelow(slowest, barOf(startMs, rounds > kills))
        }),
      120_000 + rounds * 5_000,
    )
  })
}

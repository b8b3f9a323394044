import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { ingest } from "../../../../adapters/lanes/weather/ingest.ts"

/** Why a line is refused, before any file or archive is read. */
const refused = (values: { readonly since?: number; readonly paths?: ReadonlyArray<string> }) =>
  Effect.zipRight(
    TestClock.setTime(Date.parse("2026-07-09T12:00:00Z")),
    Effect.flip(
      ingest.run({ since: undefined, station: undefined, again: false, paths: [], ...values }, () => Effect.void),
    ),
  ).pipe(Effect.map((error) => error.message)) as Effect.Effect<string>

describe("the line of an import of climate reports", () => {
  it.effect("names files or a year, and not both", () =>
    Effect.gen(function* () {
      for (const values of [{}, { since: 2020, paths: ["a.txt"] }]) {
        assert.match(
          yield* refused(values),
          /^Give at least one file or folder of report texts, or --since and a year\.$/,
        )
      }
    }),
  )

  it.effect("names a year since the archive began, up to this one", () =>
    Effect.gen(function* () {
      for (const since of [1999, 2027]) {
        assert.match(
          yield* refused({ since }),
          new RegExp(`^--since: expected a year from \\d{4} to 2026; got ${since}\\.$`),
        )
      }
    }),
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { mock } from "../../../../../adapters/lanes/filings/mock/mod.ts"
import { FilingArchive } from "../../../../../core/lanes/filings/mod.ts"
import { digest } from "../../../../support/digest.ts"

const at =
  (now: string) =>
  <A, E>(effect: Effect.Effect<A, E, typeof FilingArchive.Identifier>) =>
    Effect.zipRight(TestClock.setTime(Date.parse(now)), effect).pipe(Effect.provide(mock))

/** The report and what stands for the report before it. */
const filings = (...numbers: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const archive = yield* FilingArchive
    return yield* Effect.forEach(numbers, (number) =>
      Effect.gen(function* () {
        const filed = yield* archive.get(number)
        return filed && { ...filed, prior: yield* archive.prior(filed) }
      }),
    )
  })

describe("generated filings", () => {
  it.effect("are there from the instant of filing on, since 1993", () =>
    Effect.gen(function* () {
      const number = "0000320193-25-000003"
      const [filed] = yield* at("2026-06-01T00:00:00Z")(filings(number))
      const filedAt = Date.parse(filed!.filing.filed_at)
      const isThere = (now: number) =>
        Effect.map(at(new Date(now).toISOString())(filings(number)), ([one]) => one !== undefined)
      assert.deepStrictEqual([yield* isThere(filedAt - 1), yield* isThere(filedAt)], [false, true])
      const [old, first, later] = yield* at("2026-06-01T00:00:00Z")(
        filings("0000320193-92-000002", "0000320193-93-000002", "0000320193-94-000002"),
      )
      assert.deepStrictEqual([old, first?.prior], [undefined, undefined])
      assert.strictEqual(later?.prior?.filing.accession_number, "0000320193-93-000002")
    }),
  )

  it.effect("are the same in each release", () =>
    Effect.gen(function* () {
      const numbers = Array.from({ length: 200 }, (_, n) => `00000${10_000 + (n % 9)}-${10 + (n % 16)}-${100_000 + n}`)
      assert.strictEqual(digest(yield* at("2027-06-01T00:00:00Z")(filings(...numbers))), "da0ee441")
    }),
  )
})

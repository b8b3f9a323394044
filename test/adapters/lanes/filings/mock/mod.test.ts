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
  it.effect("are annual and quarterly reports in turn, each filed after its period on a weekday", () =>
    Effect.gen(function* () {
      const numbers = [2, 3, 4, 5].map((sequence) => `0000320193-25-00000${sequence}`)
      const found = yield* at("2026-06-01T00:00:00Z")(filings(...numbers))
      assert.deepStrictEqual(
        found.map((filed) => [filed?.filing.form_type, filed?.filing.period_of_report, filed?.filing.filed_at]),
        [
          ["10-K", "2024-12-31", "2025-02-28T21:00:00.000Z"],
          ["10-Q", "2025-03-31", "2025-05-08T21:00:00.000Z"],
          ["10-Q", "2025-06-30", "2025-07-25T21:00:00.000Z"],
          ["10-Q", "2025-09-30", "2025-10-21T21:00:00.000Z"],
        ],
      )
      assert.deepStrictEqual(
        found.map((filed) => [filed?.prior?.filing.accession_number, filed?.prior?.filing.period_of_report]),
        [
          ["0000320193-24-000002", "2023-12-31"],
          ["0000320193-24-000005", "2024-09-30"],
          ["0000320193-25-000003", "2025-03-31"],
          ["0000320193-25-000004", "2025-06-30"],
        ],
      )
      assert.deepStrictEqual(
        found.map((filed) => filed?.sections.map(({ item }) => item).join(" ")),
        ["1 1A 1C 7 7A 8 9A", "1A 2", "1A 2", "1A 2"],
      )
    }),
  )

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

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { fail } from "../../../../../core/Failure.ts"
import type { ClimateArchive, ClimateReports, Versions } from "../../../../../core/lanes/weather/ports.ts"
import { onDemand } from "../../../../../core/lanes/weather/reports/syncReports.ts"
import { issuance } from "../world.ts"

const now = Date.UTC(2026, 6, 20, 18)
const outage = fail("upstream_unavailable")
const final = issuance({ status: "final" })
const preliminary = issuance({ status: "preliminary" })

/** Stored reports of `days`; a year that is filled has `filled` from then on. */
const over = (
  stored: ReadonlyArray<Versions>,
  {
    filled = stored,
    unasked,
    refused = false,
  }: { filled?: typeof stored; unasked: ReadonlyArray<string>; refused?: boolean },
) => {
  const years: Array<number> = []
  const rows = Effect.sync(() => (years.length === 0 ? stored : filled))
  const archive = {
    unasked: (_: string, from: string, to: string) => Effect.succeed(unasked.filter((day) => from <= day && day <= to)),
  } as Partial<typeof ClimateArchive.Service> as typeof ClimateArchive.Service
  const reports = onDemand(
    {
      freshness: "live",
      versions: () => Effect.map(rows, ([first]) => first ?? []),
      range: () => rows,
      latestFinalDay: () => Effect.map(rows, ([first]) => first?.[0].report.day),
      coverage: () => Effect.succeed(undefined),
    },
    archive,
    (_, year) =>
      Effect.zipRight(
        Effect.sync(() => years.push(year)),
        refused ? outage : Effect.void,
      ),
  )
  return { reports, years }
}

const at = <A, E>(work: Effect.Effect<A, E>) => Effect.zipRight(TestClock.setTime(now), work)
const read = (reports: typeof ClimateReports.Service, day: string) => at(reports.versions("KNYC", day))

it.effect("the newest final report is looked for over a month, or since the stored one", () =>
  Effect.gen(function* () {
    for (const [stored, unasked, asked] of [
      [[], "2026-06-18", []],
      [[], "2026-06-19", [2026]],
      [[[final]], final.report.day, []],
      [[[final]], "2026-07-19", [2026]],
    ] as const) {
      const { reports, years } = over(stored as ReadonlyArray<Versions>, { unasked: [unasked] })
      yield* at(reports.latestFinalDay("KNYC", "2026-07-20"))
      assert.deepStrictEqual<unknown>(years, asked, unasked)
    }
  }),
)

describe("a day that is asked for", () => {
  it.effect("is fetched with its year where its final report is overdue and nobody has asked for it", () =>
    Effect.gen(function* () {
      const { reports, years } = over([[preliminary]], { filled: [[final, preliminary]], unasked: ["2026-07-09"] })
      assert.deepStrictEqual(yield* read(reports, "2026-07-09"), [final, preliminary])
      assert.deepStrictEqual(years, [2026])
    }),
  )

  it.effect("is not fetched with a final report, after a request in vain, or before a report is due", () =>
    Effect.gen(function* () {
      for (const [stored, unasked, day] of [
        [[[final]], ["2026-07-09"], "2026-07-09"],
        [[], [], "2026-07-09"],
        [[], ["2026-07-20"], "2026-07-20"],
        [[], ["1990-07-20"], "1990-07-20"],
      ] as const) {
        const { reports, years } = over(stored as ReadonlyArray<Versions>, { unasked })
        yield* read(reports, day)
        assert.deepStrictEqual(years, [], day)
      }
    }),
  )

  it.effect("fails with its source, and is not reported as missing", () =>
    Effect.gen(function* () {
      const { reports } = over([], { unasked: ["2026-07-09"], refused: true })
      assert.strictEqual(yield* Effect.flip(read(reports, "2026-07-09")), outage)
    }),
  )
})

describe("a stretch of days", () => {
  it.effect("asks for each of its years once, and for none where it is whole", () =>
    Effect.gen(function* () {
      const { reports, years } = over([], { unasked: ["2024-12-30", "2024-12-31", "2025-01-01"] })
      yield* at(reports.range("KNYC", "2024-12-30", "2025-01-02"))
      assert.deepStrictEqual(years, [2024, 2025])
      const whole = over([[final], [final]], { unasked: ["2025-01-01"] })
      yield* at(whole.reports.range("KNYC", "2025-01-01", "2025-01-02"))
      assert.deepStrictEqual(whole.years, [])
    }),
  )
})

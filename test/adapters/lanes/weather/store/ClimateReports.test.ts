import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { makeReportCoverage } from "../../../../../adapters/lanes/weather/store/coverage.ts"
import { Transactions } from "../../../../../adapters/store/engine/Transactions.ts"
import { pricing } from "../../../../../core/lanes/weather/contracts.ts"
import type { Issuance, Versions } from "../../../../../core/lanes/weather/ports.ts"
import type { QualityFlag } from "../../../../../core/lanes/weather/reports/ClimateReport.ts"
import { toDay } from "../../../../../core/lanes/weather/reports/climateDayRow.ts"
import { byId } from "../../../../../core/lanes/weather/stations.ts"
import { contract } from "../../../../support/contracts.ts"
import { append, day, inMemory, issuance, latestFinalDay, preliminary, versions } from "../../../../support/issuance.ts"
import { permutations } from "../../../../support/permutations.ts"
import { isPostgres } from "../../../../support/postgres.ts"

describe("the archive", () => {
  it.effect("settles a contract on the first official report, in every order of arrival", () =>
    Effect.forEach(
      permutations([
        preliminary("a", 100, { highF: 95 }),
        issuance({ productId: "b", issuedAt: 200 }, { highF: 89 }),
        issuance({ productId: "c", issuedAt: 300 }, { highF: 91, correction: true, flags: ["correction"] }),
        issuance({ productId: "d", issuedAt: 400 }, { highF: 90, correction: true, flags: ["correction"] }),
      ]),
      (arriving) =>
        inMemory(
          Effect.gen(function* () {
            const above88 = contract({ ticker: "88", subject: `KNYC/${day}`, floorStrike: 88 })
            const above89 = contract({ ticker: "89", subject: `KNYC/${day}`, floorStrike: 89 })
            let [isOfficial, isFirst] = [false, false]
            for (const version of arriving) {
              yield* append(version, version.productId)
              isOfficial ||= version.report.status === "final"
              isFirst ||= version.productId === "b"
              const { results } = yield* pricing.observe([above88, above89])
              assert.strictEqual(results.size === 2, isOfficial)
              if (isFirst) assert.deepStrictEqual([results.get("88"), results.get("89")], ["yes", "no"])
            }
            const served = toDay((yield* versions("KNYC", day)) as Versions)
            assert.deepStrictEqual(
              [served.high_f, served.first_official?.high_f, served.first_official?.weather_service_product_id],
              [90, 89, "b"],
            )
          }),
        ),
      { discard: true },
    ),
  )

  it.effect("stores every version; order: final first, then time of issue, then product id", () =>
    inMemory(
      Effect.gen(function* () {
        const correction = issuance({ productId: "c", issuedAt: 300 }, { correction: true, flags: ["correction"] })
        const twin = issuance({ productId: "d", issuedAt: 300 })
        const final = issuance({ productId: "b", issuedAt: 200 })
        const late = preliminary("p2", 400)
        const early = preliminary("p1", 100)
        for (const each of [late, final, twin, early, correction]) {
          assert.strictEqual(yield* append(each), "stored")
        }
        assert.deepStrictEqual(yield* versions("KNYC", day), [twin, correction, final, late, early])
      }),
    ),
  )

  it.effect("separates stations and days, even from one product", () =>
    inMemory(
      Effect.gen(function* () {
        const houston = issuance({ station: "KHOU", productId: "x" })
        const others = [
          issuance({ station: "KMDW", productId: "x" }),
          issuance({ station: "KHOU", productId: "x" }, { day: "2026-07-07" }),
        ]
        for (const each of [houston, ...others]) assert.strictEqual(yield* append(each), "stored")
        assert.deepStrictEqual(yield* versions("KHOU", day), [houston])
        assert.deepStrictEqual(yield* versions("KHOU", "2026-07-09"), [])
        assert.deepStrictEqual(yield* versions("KBOS", day), [])
      }),
    ),
  )

  it.effect("returns the latest day with a final report; preliminary reports and the current day do not count", () =>
    inMemory(
      Effect.gen(function* () {
        assert.isUndefined(yield* latestFinalDay("KNYC", day))
        yield* append(preliminary("p", 1, { day: "2026-07-07" }))
        assert.isUndefined(yield* latestFinalDay("KNYC", day))
        for (const final of ["2025-12-31", "2026-07-05", "2026-07-04", "2026-07-08", "2026-07-10"]) {
          yield* append(issuance({}, { day: final }))
        }
        yield* append(issuance({ station: "KMDW" }, { day: "2026-07-06" }))
        const expected: ReadonlyArray<readonly [today: string, latest: string | undefined]> = [
          ["2025-12-31", undefined],
          ["2026-01-01", "2025-12-31"],
          ["2026-07-05", "2026-07-04"],
          ["2026-07-06", "2026-07-05"],
          ["2026-07-08", "2026-07-05"],
          ["2026-07-09", "2026-07-08"],
          ["2026-07-10", "2026-07-08"],
          ["2026-07-11", "2026-07-10"],
        ]
        for (const [today, latest] of expected) assert.strictEqual(yield* latestFinalDay("KNYC", today), latest, today)
      }),
    ),
  )

  const flags: ReadonlyArray<QualityFlag> = [
    "correction",
    "high_estimated",
    "high_missing",
    "low_record",
    "precip_annotated",
    "precip_trace",
    "preliminary",
    "snow_missing",
  ]
  const hundredths = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100)
  const clock = fc.constantFrom("347 PM", "3:38 PM", "0714 PM", "1200 AM")
  const arbitraryReport = fc.record(
    {
      station: fc.constantFrom("CENTRAL PARK NY", 'CHICAGO\'S "MIDWAY"', "SAN JOSÉ; DROP TABLE"),
      day: fc.constant(day),
      status: fc.constantFrom("final" as const, "preliminary" as const),
      validAsOf: clock,
      correction: fc.boolean(),
      highF: fc.integer({ min: -80, max: 140 }),
      lowF: fc.integer({ min: -80, max: 140 }),
      highTimeLocal: clock,
      lowTimeLocal: clock,
      precipIn: hundredths,
      snowIn: hundredths,
      flags: fc.subarray([...flags]),
    },
    { requiredKeys: ["station", "day", "status", "correction", "flags"] },
  )

  it("reads back exactly: absent values absent, numbers exact, flags in order", () =>
    fc.assert(
      fc.asyncProperty(arbitraryReport, fc.nat(), (report, issuedAt) =>
        Effect.runPromise(
          inMemory(
            Effect.gen(function* () {
              const given: Issuance = { station: "KNYC", productId: "id", issuedAt, source: "test", report }
              assert.strictEqual(yield* append(given), "stored")
              assert.deepStrictEqual(yield* versions("KNYC", day), [given])
              assert.strictEqual(yield* append(given), "known")
            }),
          ),
        ),
      ),
      // Each run makes a store, which takes a database of PostgreSQL longer.
      { numRuns: isPostgres ? 10 : 100 },
    ))
})

describe("the coverage of a station's reports", () => {
  it.effect("is read anew each time that its effect is run", () =>
    inMemory(
      Effect.gen(function* () {
        const coverage = makeReportCoverage(yield* Transactions)(byId.get("KNYC")!)(Date.UTC(2026, 6, 10, 18))
        assert.isUndefined((yield* coverage).newest)
        yield* append(issuance())
        assert.strictEqual((yield* coverage).newest?.name, day)
      }),
    ),
  )
})

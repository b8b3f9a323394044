import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import * as Lane from "../../../../core/lanes/Lane.ts"
import { history } from "../../../../core/lanes/weather/endpoints.ts"
import type { ClimateReports, Versions } from "../../../../core/lanes/weather/ports.ts"
import { listDays } from "../../../../core/lanes/weather/stations.ts"
import { addDays } from "../../../../core/time.ts"
import { issuance, preliminary } from "../../../support/issuances.ts"

/** Two in the afternoon of 9 July in New York. */
const now = Date.UTC(2026, 6, 9, 18)

interface World {
  readonly reports: typeof ClimateReports.Service
  /** The ranges that were read. */
  readonly ranges: Array<readonly [start: string, end: string]>
}

/** An archive of these days. */
const holding = (days: ReadonlyArray<Versions>, failure?: Failure): World => {
  const ranges: World["ranges"] = []
  const dayOf = ([{ report }]: Versions): string => report.day
  return {
    ranges,
    reports: {
      freshness: "live",
      versions: () => Effect.dieMessage("History reads ranges."),
      latestFinalDay: () => Effect.dieMessage("History reads ranges."),
      range: (_, start, end) =>
        Effect.suspend(() => {
          ranges.push([start, end])
          if (failure !== undefined) return Effect.fail(failure)
          return Effect.succeed(days.filter((each) => dayOf(each) >= start && dayOf(each) <= end))
        }),
      coverage: () =>
        Effect.succeed(days.length === 0 ? undefined : { first: dayOf(days[0]!), last: dayOf(days.at(-1)!) }),
    },
  }
}

type Params = Endpoint.Params<typeof history>

const asked = ({ reports }: World, params: Partial<Params> = {}, feeds: Layer.Layer<Feeds> = Feeds.layerNone) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    return yield* Lane.method(history, { reports, feeds: yield* Feeds })({
      station: "KNYC",
      start: "2026-07-01",
      end: "2026-07-05",
      ...params,
    })
  }).pipe(Effect.provide(feeds))

const five = listDays("2026-07-01", "2026-07-05").map((day): Versions => [issuance(day)])

describe("history", () => {
  it.effect("refuses days before the first that is stored, and names those that are", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(asked(holding(five), { start: "1900-01-01", end: "2026-06-30" }))
      assert.deepStrictEqual(failure.hints, [
        { field: "end", action: "change", suggestion: "Reports of KNYC are stored from 2026-07-01 to 2026-07-05." },
      ])
      assert.strictEqual((yield* asked(holding(five), { start: "2026-06-30", end: "2026-07-01" })).results.count, 1)
    }),
  )

  it.effect("gives each day as the single-day answer does, and the wire its schema", () =>
    Effect.gen(function* () {
      const world = holding(five)
      const answer = yield* asked(world)
      const { results } = answer
      assert.deepStrictEqual(world.ranges, [["2026-07-01", "2026-07-05"]])
      assert.deepStrictEqual(
        Schema.encodeSync(history.results)(Schema.decodeUnknownSync(history.results)(results)),
        results,
      )
      assert.deepStrictEqual(
        [results.start, results.end, results.count, results.coverage, results.missing_days],
        ["2026-07-01", "2026-07-05", 5, { first: "2026-07-01", last: "2026-07-05" }, []],
      )
      assert.deepStrictEqual(results.days[2], {
        day: "2026-07-03",
        high_f: 85,
        low_f: 64,
        source: "NWS",
        weather_service_product_id: "2026-07-03-final",
        status: "final",
        issued_at: "2026-07-09T00:00:00.000Z",
        revision: 1,
        first_official: {
          weather_service_product_id: "2026-07-03-final",
          issued_at: "2026-07-09T00:00:00.000Z",
          high_f: 85,
          low_f: 64,
        },
        quality_flags: [],
      })
      assert.deepStrictEqual(answer.confidence, {
        score: 1,
        label: "settlement",
        factors: ["5 of 5 days have a final report"],
      })
      assert.deepStrictEqual(answer.citations, [
        {
          step: 1,
          source: "climate report archive",
          locator: "/v1/weather/settlement/history?station=KNYC&start=2026-07-01&end=2026-07-05",
        },
        { step: 1, source: "NWS", locator: "2026-07-01-final" },
        { step: 1, source: "NWS", locator: "2026-07-05-final" },
      ])
      assert.isUndefined(answer.next)
    }),
  )

  it.effect("takes the newest final report of a day that is over, and names what it superseded", () =>
    Effect.gen(function* () {
      const day = "2026-07-03"
      const correction = issuance(day, { productId: "c" }, { highF: 86, correction: true, flags: ["correction"] })
      const held = holding([[correction, issuance(day), preliminary(day)]])
      const answer = yield* asked(held, { start: day, end: day })
      const [row] = answer.results.days
      assert.deepStrictEqual(
        [row?.high_f, row?.weather_service_product_id, row?.revision, row?.corrects],
        [86, "c", 3, "2026-07-03-final"],
      )
      assert.strictEqual(answer.confidence.score, 0.9)
      assert.include(answer.confidence.factors, "quality flag correction on 1 day")
      const alternatives = yield* answer.extras!.alternatives!
      assert.deepStrictEqual(
        alternatives.map(({ id }) => id),
        ["2026-07-03-final"],
      )
    }),
  )

  it.effect("leaves out a day that is over without a final report, and takes today as it stands", () =>
    Effect.gen(function* () {
      const answer = yield* asked(
        holding([[issuance("2026-07-07")], [preliminary("2026-07-08")], [preliminary("2026-07-09")]]),
        { start: "2026-07-07", end: "2026-07-09" },
      )
      assert.deepStrictEqual(
        answer.results.days.map(({ day, status }) => [day, status]),
        [
          ["2026-07-07", "final"],
          ["2026-07-09", "preliminary"],
        ],
      )
      assert.deepStrictEqual(answer.results.missing_days, ["2026-07-08"])
      // Two of three days are left of a source that owes the third by now.
      assert.strictEqual(answer.confidence.score, 0.6)
      assert.include(answer.confidence.factors, "no report of 2026-07-08")
      assert.match(answer.reasoning.join(" "), /1 of 3 days has no report: 2026-07-08\./)
      assert.match(answer.reasoning.join(" "), /2026-07-09 is not over: used its newest preliminary report/)
    }),
  )

  it.effect("does not doubt a record", () =>
    Effect.gen(function* () {
      const answer = yield* asked(holding([[issuance("2026-07-02", {}, { flags: ["high_record"] })]]), {
        start: "2026-07-02",
        end: "2026-07-02",
      })
      assert.strictEqual(answer.confidence.score, 1)
    }),
  )

  it.effect("says that an empty archive has nothing", () =>
    Effect.gen(function* () {
      const { results, citations, confidence } = yield* asked(holding([]))
      assert.deepStrictEqual([results.count, results.days, results.coverage], [0, [], { first: null, last: null }])
      assert.deepStrictEqual(results.missing_days, listDays("2026-07-01", "2026-07-05"))
      assert.strictEqual(citations.length, 1)
      assert.deepStrictEqual(confidence, {
        score: 0.5,
        label: "settlement",
        factors: ["0 of 5 days have a report"],
      })
    }),
  )

  it.effect("counts 400 days across a leap day without one too many", () =>
    Effect.gen(function* () {
      const [start, end] = ["2023-06-01", addDays("2023-06-01", 399)]
      const { results } = yield* asked(holding(listDays(start, end).map((day): Versions => [issuance(day)])), {
        start,
        end,
      })
      assert.deepStrictEqual([results.count, results.missing_days], [400, []])
    }),
  )

  it.effect("fails as its archive does", () =>
    Effect.gen(function* () {
      const failure = fail("upstream_unavailable", { detail: "iem does not answer." })
      assert.strictEqual(yield* Effect.flip(asked(holding([], failure))), failure)
    }),
  )
})

describe("pages of a history", () => {
  const gappy = ["2026-06-01", "2026-06-02", "2026-06-05", "2026-06-06", "2026-06-09"].map(
    (day): Versions => [issuance(day)],
  )
  const params = { start: "2026-05-31", end: "2026-06-10" } as const

  for (const limit of [1, 2, 3, 4, 5, 200]) {
    it.effect(`of ${limit} add up to the whole, its missing days too`, () =>
      Effect.gen(function* () {
        const whole = (yield* asked(holding(gappy), params)).results
        const days: Array<unknown> = []
        const missing: Array<string> = []
        let cursor: string | undefined
        for (let page = 0; page === 0 || cursor !== undefined; page++) {
          const { results, next } = yield* asked(holding(gappy), {
            ...params,
            limit,
            ...(cursor === undefined ? {} : { cursor }),
          })
          assert.strictEqual(results.count, results.days.length)
          assert.isTrue(results.count > 0 && results.count <= limit)
          assert.deepStrictEqual([results.start, results.end], [params.start, params.end])
          days.push(...results.days)
          missing.push(...(results.missing_days ?? []))
          cursor = next
        }
        assert.deepStrictEqual<unknown>(days, whole.days)
        assert.deepStrictEqual<unknown>(missing, whole.missing_days)
      }),
    )
  }
})

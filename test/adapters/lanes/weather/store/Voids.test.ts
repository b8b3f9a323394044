import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as contracts from "../../../../../adapters/lanes/markets/store/Contracts.ts"
import * as reports from "../../../../../adapters/lanes/weather/store/ClimateReports.ts"
import * as readings from "../../../../../adapters/lanes/weather/store/VenueReadings.ts"
import * as voids from "../../../../../adapters/lanes/weather/store/Voids.ts"
import * as secrets from "../../../../../adapters/runtime/node/secrets.ts"
import * as changes from "../../../../../adapters/store/engine/changes.ts"
import * as captures from "../../../../../adapters/store/record/Captures.ts"
import * as sqlSettled from "../../../../../adapters/store/record/Settled.ts"
import { type Failure, fail } from "../../../../../core/Failure.ts"
import { Feeds } from "../../../../../core/feeds/Feeds.ts"
import * as overLanes from "../../../../../core/lanes/markets/overLanes.ts"
import { Scoreboard, SettledRows, SourceResults, Venues } from "../../../../../core/lanes/markets/ports.ts"
import { settle, toRecordedQuote } from "../../../../../core/lanes/markets/rounds.ts"
import { pricing } from "../../../../../core/lanes/weather/contracts.ts"
import { ClimateArchive, ClimateReports, type Void, Voids } from "../../../../../core/lanes/weather/ports.ts"
import { VenueReadings, VenueSettlement } from "../../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { ChangeLog, CurrentChange } from "../../../../../core/people/Change.ts"
import { Captures } from "../../../../../core/record/captures/Captures.ts"
import { RecordLog } from "../../../../../core/record/log/RecordLog.ts"
import { hour } from "../../../../../core/time.ts"
import { inAnyStore } from "../../../../support/anyStore.ts"
import { captured } from "../../../../support/captures.ts"
import { contract, noon } from "../../../../support/contracts.ts"
import { issuance } from "../../../../support/issuances.ts"

const day = "2026-07-12"
const onReading = contract()
const report = "the National Weather Service's Climatological Report"
const onReport = contract({
  ...{ ticker: "KXHIGHNY-26JUL12-T90", floorStrike: 90, settlesOn: report },
  basis: { modelSource: "daily climate report", venueSource: report, same: true },
})
const nextDay = contract({ ticker: "KXHIGHNY-26JUL13-T89", event: "KXHIGHNY-26JUL13", subject: "KNYC/2026-07-13" })
const all = [onReading, onReport, nextDay]
const close = onReading.closeTime

const venue = Layer.succeed(Venues, [
  {
    name: "kalshi",
    domains: ["weather"],
    open: () => Effect.die("not asked"),
    outcomes: (tickers) =>
      Effect.succeed({
        items: tickers.map((ticker) => ({ ticker, closedAt: close, result: "yes" as const })),
        failed: [],
      }),
  },
])

/** What happens in a round: before a reading is read, and once all sources were. */
const within = {
  reading: Effect.void as Effect.Effect<void, Failure>,
  round: Effect.void as Effect.Effect<unknown, unknown>,
}

const sources = Layer.effect(
  SourceResults,
  Effect.map(SourceResults, (found) => ({
    ...found,
    read: (asked) => Effect.tap(found.read(asked), () => Effect.orDie(within.round)),
  })),
).pipe(Layer.provide(overLanes.layerSourceResults([pricing])))

const settlement = Layer.effect(
  VenueSettlement,
  Effect.map(VenueSettlement, (found) => ({
    ...found,
    firstOfficial: (station, on) => Effect.zipRight(within.reading, found.firstOfficial(station, on)),
  })),
).pipe(Layer.provide(readings.layerSettlement))

const world = Layer.mergeAll(
  ...[captures.layer, contracts.layerStore, sqlSettled.layerSettledRows, sqlSettled.layerScoreboard],
  ...[reports.layerArchive, voids.layer, changes.layer, venue, Feeds.layerNone],
  sources,
).pipe(
  Layer.provideMerge(Layer.mergeAll(reports.layerReports, readings.layerStore, settlement)),
  Layer.provideMerge(secrets.layer),
  Layer.provideMerge(inAnyStore),
)

const read = (highF: number, issuedAt: number, on = day) =>
  Effect.flatMap(VenueReadings, ({ append }) =>
    append([{ station: "KNYC", day: on, status: "official", issuedAt, highF, lowF: 70 }], issuedAt),
  )

const received = (productId: string, highF: number, issuedAt: number) => ({
  issuance: issuance(day, { productId, issuedAt }, { highF, lowF: 70 }),
  text: "text",
})
const file = (...given: Parameters<typeof received>) =>
  Effect.flatMap(ClimateArchive, ({ append }) => append([received(...given)], 1))

const reason = "Payload of another day"
const voided = (one: Partial<Void> = {}) =>
  Effect.flatMap(Voids, ({ append }) =>
    append({ source: "venue_reading", station: "KNYC", day, version: "1", reason, ...one }),
  )

const rowOf = ({ ticker }: { readonly ticker: string }) =>
  Effect.gen(function* () {
    const rows = yield* (yield* SettledRows).after("weather", undefined, 100)
    const { sourceResult, sourceVoided } = rows.find((row) => row.ticker === ticker)!
    return [sourceResult, sourceVoided]
  })

/** Contracts on two days that have closed, with a reading of 95 and a report of 92. */
const closed = Effect.gen(function* () {
  Object.assign(within, { reading: Effect.void, round: Effect.void })
  yield* TestClock.setTime(noon)
  const one = {
    ...{ id: "capture_1", lane: "weather", endpoint: "weather_signal", subject: "KNYC/2026-07-12", at: noon },
    ...{ quotes: all.map(toRecordedQuote), closeTime: close, sealedUntil: close },
  }
  yield* (yield* Captures).append([captured(one, { contracts: all })])
  yield* read(95, 200)
  yield* read(95, 200, "2026-07-13")
  yield* file("first", 92, 200)
  yield* TestClock.setTime(close + hour)
})

/** Those that have settled a month ago. */
const settled = Effect.gen(function* () {
  yield* closed
  assert.strictEqual((yield* settle).done, 3)
  assert.deepStrictEqual(yield* rowOf(onReading), ["yes", undefined])
  yield* TestClock.adjust("30 days")
  assert.strictEqual((yield* settle).done, 0)
})

const inWorld = <A, E>(work: Effect.Effect<A, E, Layer.Layer.Success<typeof world>>) =>
  Effect.provide(Effect.zipRight(settled, work), world)

describe("a voided value", () => {
  it.effect("of a reading settles its contracts again, on the next good one, a month later", () =>
    inWorld(
      Effect.gen(function* () {
        yield* read(80, 300)
        const before = yield* (yield* RecordLog).size
        assert.strictEqual(yield* voided(), 1)
        assert.strictEqual((yield* settle).done, 1)
        assert.deepStrictEqual(yield* rowOf(onReading), ["no", `venue_reading/KNYC/${day}/1: ${reason}`])
        for (const other of [onReport, nextDay]) assert.deepStrictEqual(yield* rowOf(other), ["yes", undefined])
        const log = yield* RecordLog
        assert.strictEqual(yield* log.size, before + 1)
        const { kind, body } = JSON.parse((yield* log.leafAt(before))!.text)
        assert.deepInclude(body, {
          ...{ result: "yes", source_result: "no", revision: 2 },
          source_voided: `venue_reading/KNYC/${day}/1: ${reason}`,
        })
        assert.strictEqual(kind, "correction")
        const { board } = yield* (yield* Scoreboard).current
        assert.deepInclude(board.counts.get("weather"), { compared: 3, disagreed: 1 })
        // Once: neither the next round nor the same answer of the source changes it.
        assert.strictEqual((yield* settle).done, 0)
        assert.strictEqual(yield* read(95, 200), 0)
      }),
    ),
  )

  it.effect("that is voided while a round settles is not what it settles by", () =>
    Effect.gen(function* () {
      yield* closed
      const one = voided({ source: "climate_report", version: "first" })
      within.round = Effect.provideService(one, Voids, yield* Voids)
      assert.strictEqual((yield* settle).done, 0)
      within.round = Effect.void
      assert.strictEqual((yield* settle).done, 3)
      assert.deepStrictEqual(yield* rowOf(onReport), [undefined, undefined])
    }).pipe(Effect.provide(world)),
  )

  it.effect("whose source cannot be read then leaves all as it was, until it can", () =>
    inWorld(
      Effect.gen(function* () {
        yield* voided()
        within.reading = Effect.fail(fail("upstream_unavailable"))
        assert.deepInclude(yield* settle, { done: 0, refusals: [] })
        assert.deepStrictEqual(yield* rowOf(onReading), ["yes", undefined])
        within.reading = Effect.void
        yield* read(80, 300)
        assert.strictEqual((yield* settle).done, 1)
        assert.deepStrictEqual(yield* rowOf(onReading), ["no", `venue_reading/KNYC/${day}/1: ${reason}`])
      }),
    ),
  )

  it.effect("leaves a contract without a result until a good one is there", () =>
    inWorld(
      Effect.gen(function* () {
        assert.strictEqual(yield* voided({ source: "climate_report", version: "first", reason: "Typed wrong" }), 2)
        assert.strictEqual((yield* settle).done, 2)
        const why = `climate_report/KNYC/${day}/first: Typed wrong`
        assert.deepStrictEqual(yield* rowOf(onReport), [undefined, why])
        assert.deepStrictEqual(yield* rowOf(onReading), ["yes", why])
        assert.deepStrictEqual(yield* file("first", 92, 200), ["known"])
        assert.strictEqual((yield* settle).done, 0)
        yield* file("second", 85, 400)
        assert.strictEqual((yield* settle).done, 1)
        assert.deepStrictEqual(yield* rowOf(onReport), ["no", why])
        yield* voided({ source: "climate_report", version: "second", reason: "Typed wrong" })
        yield* settle
        assert.deepStrictEqual(yield* rowOf(onReport), [undefined, `climate_report/KNYC/${day}/second: Typed wrong`])
      }),
    ),
  )

  it.effect("of a report is read by nobody any more", () =>
    inWorld(
      Effect.gen(function* () {
        const { versions, range, coverage, latestFinalDay } = yield* ClimateReports
        assert.strictEqual((yield* range("KNYC", day, day)).length, 1)
        yield* file("preliminary", 91, 100)
        yield* file("typed", 12, 400)
        yield* voided({ source: "climate_report", version: "typed" })
        const products = (found: ReadonlyArray<{ readonly productId: string }>) => found.map((one) => one.productId)
        assert.deepStrictEqual(products(yield* versions("KNYC", day)), ["first", "preliminary"])
        for (const version of ["first", "preliminary"]) yield* voided({ source: "climate_report", version })
        assert.deepStrictEqual(yield* range("KNYC", day, day), [])
        assert.isUndefined(yield* coverage("KNYC", "2026-08-01"))
        assert.isUndefined(yield* latestFinalDay("KNYC", "2026-08-01"))
        // Its day is one that nobody has answered.
        assert.deepStrictEqual(yield* (yield* ClimateArchive).unasked("KNYC", day, day, 0), [day])
      }),
    ),
  )

  it.effect("has to be stored, and can be voided once; the log has its name", () =>
    inWorld(
      Effect.gen(function* () {
        const refused = yield* Effect.flip(voided({ day: "2026-07-01" }))
        assert.deepStrictEqual(
          [refused.code, refused.detail, refused.hints?.[0]?.suggestion],
          ["not_found", "There is no venue_reading/KNYC/2026-07-01/1.", "Nothing is stored of this day."],
        )
        yield* read(80, 300)
        assert.deepStrictEqual((yield* Effect.flip(voided({ version: "3" }))).hints, [
          { field: "version", action: "change", suggestion: "Stored: 1, 2." },
        ])
        const change = { at: 1, who: "command line", verb: "sources_void", subject: "" }
        yield* Effect.provideService(voided(), CurrentChange, change)
        assert.strictEqual((yield* Effect.flip(voided())).detail, `venue_reading/KNYC/${day}/1 is voided already.`)
        const lines = yield* (yield* ChangeLog).page({ limit: 10 })
        assert.deepStrictEqual(
          lines.map(({ verb, subject }) => [verb, subject]),
          [["sources_void", `venue_reading/KNYC/${day}/1`]],
        )
      }),
    ),
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { fail } from "../../../../../core/Failure.ts"
import type { VenueReading } from "../../../../../core/lanes/weather/venue/reading.ts"
import {
  syncVenue,
  VenueReadings,
  VenueSettlement,
  VenueSource,
} from "../../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { append as appendReport, day, inMemory, issuance } from "../../../../support/issuance.ts"
import { permutations } from "../../../../support/permutations.ts"

const reading = (changes: Partial<VenueReading> = {}): VenueReading => ({
  ...{ station: "KNYC", day, status: "official", issuedAt: 200, highF: 89, lowF: 70 },
  ...changes,
})
const append = (readings: ReadonlyArray<VenueReading>, readAt = 1_000) =>
  Effect.flatMap(VenueReadings, (store) => store.append(readings, readAt))
const first = Effect.flatMap(VenueSettlement, ({ firstOfficial }) => firstOfficial("KNYC", day))

describe("readings of the venue's source", () => {
  it.effect("are stored when they differ from the last one", () =>
    inMemory(
      Effect.gen(function* () {
        const none = {
          ...reading({ status: "no_report" }),
          highF: undefined,
          lowF: undefined,
        } as unknown as VenueReading
        assert.strictEqual(yield* append([none, reading({ station: "KMDW" })]), 2)
        assert.strictEqual(yield* append([{ ...none, issuedAt: 300 }, reading({ station: "KMDW" })]), 0)
        assert.isUndefined(yield* first)
        assert.strictEqual(yield* append([reading()]), 1)
        assert.strictEqual(yield* append([reading({ status: "revised", issuedAt: 300, highF: 90 })]), 1)
        assert.strictEqual(yield* append([reading({ status: "revised", issuedAt: 300, highF: 91 })]), 1)
        assert.strictEqual((yield* first)?.highF, 89)
      }),
    ),
  )

  it.effect("have one first official value, in every order of arrival", () =>
    Effect.forEach(
      permutations([
        reading({ status: "preliminary", issuedAt: 100, highF: 95 }),
        reading(),
        reading({ issuedAt: 300, highF: 91 }),
        reading({ status: "revised", issuedAt: 400, highF: 90 }),
      ]),
      (arriving) =>
        inMemory(
          Effect.gen(function* () {
            let isThere = false
            for (const one of arriving) {
              yield* append([one])
              isThere ||= one.status === "official"
              assert.strictEqual((yield* first) !== undefined, isThere)
            }
            assert.deepStrictEqual([(yield* first)?.highF, (yield* first)?.issuedAt], [89, 200])
          }),
        ),
      { discard: true },
    ),
  )

  it.effect("agree with the reports by what is stored of both, computed anew after ten minutes", () =>
    inMemory(
      Effect.gen(function* () {
        const { agreement } = yield* VenueSettlement
        assert.isUndefined(yield* agreement("KNYC"))
        yield* append([reading({ highF: 85, lowF: 64 })])
        yield* appendReport(issuance({}, { highF: 86, lowF: 64 }))
        assert.isUndefined(yield* agreement("KNYC"))
        yield* TestClock.adjust("10 minutes")
        const { differences, ...counts } = (yield* agreement("KNYC"))!
        assert.deepStrictEqual(counts, { compared: 2, equal: 1, oneBelow: 1, oneAbove: 0, missing: 0 })
        assert.deepStrictEqual(differences, [{ day, extreme: "high", report: 86, venue: 85 }])
        assert.isUndefined(yield* agreement("KMDW"))
      }),
    ),
  )

  it.effect("are read for the days that lack an official one; a source that fails stores what came before", () =>
    inMemory(
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 6, 9, 16))
        const asked: Array<string> = []
        const source = (isDown: boolean) =>
          Layer.succeed(VenueSource, {
            day: (wanted) =>
              Effect.suspend(() => {
                asked.push(wanted)
                if (isDown && wanted === "2026-07-08") return Effect.fail(fail("upstream_unavailable"))
                const good = [reading({ day: wanted }), reading({ day: wanted, station: "KMDW" })]
                return Effect.succeed({ good: wanted === "2026-07-09" ? [] : good, refused: [] })
              }),
          })
        assert.strictEqual((yield* Effect.flip(Effect.provide(syncVenue, source(true)))).code, "upstream_unavailable")
        assert.deepStrictEqual(asked.splice(0), ["2026-07-06", "2026-07-07", "2026-07-08"])
        const { stored, lacking } = yield* Effect.provide(syncVenue, source(false))
        assert.strictEqual(stored, 2)
        assert.deepStrictEqual(lacking, ["KMIA", "KAUS", "KLAX", "KDEN", "KPHL", "KBOS", "KHOU"])
        assert.deepStrictEqual(asked, ["2026-07-06", "2026-07-07", "2026-07-08", "2026-07-09"])
      }),
    ),
  )

  it.effect("are stored beside those that are refused, which are told", () =>
    inMemory(
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 6, 9, 16))
        const source = Layer.succeed(VenueSource, {
          day: (wanted) =>
            Effect.succeed({ good: [reading({ day: wanted })], refused: [`KMDW of ${wanted}: its date`] }),
        })
        const { stored, refusals } = yield* Effect.provide(syncVenue, source)
        assert.strictEqual(stored, 4)
        assert.deepStrictEqual(refusals.slice(0, 2), ["KMDW of 2026-07-06: its date", "KMDW of 2026-07-07: its date"])
      }),
    ),
  )
})

import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer } from "../../../../../adapters/lanes/weather/twc/source.ts"
import { VenueSource } from "../../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { json, replay } from "../../../../support/replay.ts"

const day = "2026-09-10"

const row = (changes: Readonly<Record<string, unknown>> = {}, data: Readonly<Record<string, unknown>> = {}) => ({
  station: { icao: "KNYC", cliId: "CLINYC" },
  data: { maxTemp: 84, minTemp: 66, issueTime: "2026-09-11T06:21:00Z", reportDate: day, isOfficial: true, ...data },
  status: "official",
  ...changes,
})

const asked = (body: unknown) =>
  Effect.gen(function* () {
    const { url, requests } = yield* replay([{ path: "/kalshi/api/climate/primary", reply: json(body) }])
    const readings = Effect.flatMap(VenueSource, (source) => source.day(day)).pipe(
      Effect.provide(layer({ twc: url, userAgent: "test" }).pipe(Layer.provide(FetchHttpClient.layer))),
    )
    return { readings: yield* Effect.either(readings), requests }
  })

describe("The Weather Company's values", () => {
  it.scopedLive("are read for our stations, by the day", () =>
    Effect.gen(function* () {
      const elsewhere = row({ station: { icao: "KSEA", cliId: "CLISEA" } })
      const none = row({ station: { icao: "KMDW" }, status: "no_report", data: null })
      const early = row(
        { station: { icao: "KLAX" }, status: "preliminary" },
        { issueTime: "2026-09-10T21:00:00Z", minTemp: null },
      )
      const { readings, requests } = yield* asked({ date: day, results: [row(), elsewhere, none, early] })
      assert.deepStrictEqual(Object.fromEntries(requests[0]!.query), { date: day })
      if (readings._tag === "Left") return assert.fail(readings.left.message)
      assert.deepStrictEqual(
        readings.right.good.map(({ station, status, highF, lowF }) => [station, status, highF, lowF]),
        [
          ["KNYC", "official", 84, 66],
          ["KMDW", "no_report", undefined, undefined],
          ["KLAX", "preliminary", 84, undefined],
        ],
      )
      assert.strictEqual(readings.right.good[0]!.issuedAt, Date.UTC(2026, 8, 11, 6, 21))
    }),
  )

  const refused: ReadonlyArray<readonly [what: string, body: unknown, reason: RegExp]> = [
    ["another status", { results: [row({ status: "final" })] }, /status/],
    ["a high in tenths", { results: [row({}, { maxTemp: 84.2 })] }, /maxTemp/],
    ["a high in Celsius of another planet", { results: [row({}, { maxTemp: 290 })] }, /maxTemp/],
    ["no list", {}, /another form/],
    ["a station twice", { results: [row(), row()] }, /KNYC of 2026-09-10, official: its number of rows is 2, not 1/],
    ["no time of issue", { results: [row({}, { issueTime: null })] }, /its time of issue is absent/],
    ["a time that is to come", { results: [row({}, { issueTime: "2999-01-01T00:00:00Z" })] }, /in the future/],
    [
      "an official value before the day is over",
      { results: [row({}, { issueTime: "2026-09-11T04:59:00Z" })] },
      /KNYC of 2026-09-10, official: it was issued at 2026-09-11T04:59:00.000Z, before 2026-09-11T05:00:00.000Z/,
    ],
    ["the values of another day", { date: "2026-09-09", results: [row()] }, /its date is 2026-09-09, not 2026-09-10/],
    [
      "a report of another day",
      { date: day, results: [row({}, { reportDate: "2026-09-09" })] },
      /its reportDate is 2026-09-09/,
    ],
    ["no day at all", { results: [row({}, { reportDate: null })] }, /its date is not stated/],
    [
      "an official value that is not official",
      { results: [row({}, { isOfficial: false })] },
      /its isOfficial is false/,
    ],
    [
      "a time without an offset",
      { results: [row({}, { issueTime: "2026-09-11T06:21:00" })] },
      /its time of issue is 2026-09-11T06:21:00, without an offset/,
    ],
    ["a value of weeks later", { results: [row({}, { issueTime: "2026-10-27T06:21:00Z" })] }, /46 days late/],
    ["an official row without a high", { results: [row({}, { maxTemp: null })] }, /official without a maxTemp/],
    ["a low above the high", { results: [row({}, { minTemp: 85 })] }, /minTemp 85 above maxTemp 84/],
  ]
  for (const [what, body, reason] of refused) {
    it.scopedLive(`are refused: ${what}`, () =>
      Effect.gen(function* () {
        const { readings } = yield* asked(body)
        assert.match(readings._tag === "Left" ? readings.left.message : "", reason)
      }),
    )
  }

  it.scopedLive("are refused row by row: one does not take the others away, a stranger's least of all", () =>
    Effect.gen(function* () {
      const stranger = row({ station: { icao: "KSEA" }, status: "pending" }, { maxTemp: 54.5, issueTime: "" })
      const bad = row({ station: { icao: "KMIA" } }, { reportDate: "2026-09-09" })
      const { readings } = yield* asked({ results: [stranger, bad, row()] })
      if (readings._tag === "Left") return assert.fail(readings.left.message)
      assert.deepStrictEqual(
        readings.right.good.map(({ station }) => station),
        ["KNYC"],
      )
      assert.match(readings.right.refused.join("; "), /^KMIA of 2026-09-10, official: its date is 2026-09-09/)
    }),
  )

  it.effect("are off without an address", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(Effect.flatMap(VenueSource, (source) => source.day(day)))
      assert.strictEqual(failure.code, "data_provider_unavailable")
    }).pipe(Effect.provide(layer({ twc: "", userAgent: "test" }).pipe(Layer.provide(FetchHttpClient.layer)))),
  )
})

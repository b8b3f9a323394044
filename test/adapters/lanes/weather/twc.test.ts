import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer } from "../../../../adapters/lanes/weather/twc/source.ts"
import { VenueSource } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { json, replay } from "../../../support/replay.ts"

const day = "2026-09-10"

const row = (changes: Readonly<Record<string, unknown>> = {}, data: Readonly<Record<string, unknown>> = {}) => ({
  station: { icao: "KNYC", cliId: "CLINYC" },
  data: { maxTemp: 84, minTemp: 66, issueTime: "2026-09-11T06:21:00Z", ...data },
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
      const { readings, requests } = yield* asked({ results: [row(), elsewhere, none, early] })
      assert.deepStrictEqual(Object.fromEntries(requests[0]!.query), { date: day })
      if (readings._tag === "Left") return assert.fail(readings.left.message)
      assert.deepStrictEqual(
        readings.right.map(({ station, status, highF, lowF }) => [station, status, highF, lowF]),
        [
          ["KNYC", "official", 84, 66],
          ["KMDW", "no_report", undefined, undefined],
          ["KLAX", "preliminary", 84, undefined],
        ],
      )
      assert.strictEqual(readings.right[0]!.issuedAt, Date.UTC(2026, 8, 11, 6, 21))
    }),
  )

  const refused: ReadonlyArray<readonly [what: string, body: unknown, reason: RegExp]> = [
    ["another status", { results: [row({ status: "final" })] }, /another form/],
    ["a high in tenths", { results: [row({}, { maxTemp: 84.2 })] }, /another form/],
    ["a high in Celsius of another planet", { results: [row({}, { maxTemp: 290 })] }, /another form/],
    ["no list", {}, /another form/],
    ["a station twice", { results: [row(), row()] }, /KNYC of 2026-09-10 is listed twice/],
    ["no time of issue", { results: [row({}, { issueTime: null })] }, /official without an issueTime/],
    ["a time that is to come", { results: [row({}, { issueTime: "2999-01-01T00:00:00Z" })] }, /in the future/],
    [
      "an official value before the day is over",
      { results: [row({}, { issueTime: "2026-09-11T04:59:00Z" })] },
      /official before the day is over/,
    ],
    ["an official row without a high", { results: [row({}, { maxTemp: null })] }, /official without a maxTemp/],
    ["a low above the high", { results: [row({}, { minTemp: 85 })] }, /minTemp 85 above maxTemp 84/],
  ]
  for (const [what, body, reason] of refused) {
    it.scopedLive(`are refused whole: ${what}`, () =>
      Effect.gen(function* () {
        const { readings } = yield* asked(body)
        assert.match(readings._tag === "Left" ? readings.left.message : "", reason)
      }),
    )
  }

  it.effect("are off without an address", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(Effect.flatMap(VenueSource, (source) => source.day(day)))
      assert.strictEqual(failure.code, "data_provider_unavailable")
    }).pipe(Effect.provide(layer({ twc: "", userAgent: "test" }).pipe(Layer.provide(FetchHttpClient.layer)))),
  )
})

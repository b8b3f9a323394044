import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type Observation, Observations } from "../../../../core/lanes/weather/ports.ts"
import { groupsOf } from "../../../../core/lanes/weather/signal/metarGroups.ts"
import * as Step from "../../../../core/Step.ts"
import { iso, minute } from "../../../../core/time.ts"
import { cacheUpstream } from "../../../runtime/upstream/cacheUpstream.ts"
import type { UpstreamError } from "../../../runtime/upstream/upstream.ts"
import * as Api from "./api.ts"
import { fahrenheitOf, instantOf, Rows, readable, shaped } from "./wire.ts"

/** `GET /stations/{id}/observations?start=…`, newest first as a rule. */
const Wire = Schema.Struct({ features: Rows })

const Row = Schema.Struct({
  properties: Schema.Struct({
    timestamp: Schema.NullOr(Schema.String),
    rawMessage: Schema.optional(Schema.Unknown),
    temperature: Schema.optional(
      Schema.NullOr(
        Schema.Struct({
          value: Schema.Union(Schema.Finite, Schema.String, Schema.Null),
          unitCode: Schema.optional(Schema.NullOr(Schema.String)),
          qualityControl: Schema.optional(Schema.NullOr(Schema.String)),
        }),
      ),
    ),
  }),
})
const rowOf = shaped(Row)

/** Rejected, subjectively bad and questioned (MADIS quality control): one could set a false high. */
const doubtful = /^(?:qc:)?[XBQ]$/

/** Allowed clock difference. */
const tolerance = 10 * minute

/** The observations of some rows from `from` to now, in order, each instant once; rows without a temperature are skipped. */
export const readingsOf = (
  rows: ReadonlyArray<typeof Row.Type>,
  from: number,
  now: number,
): ReadonlyArray<Observation> => {
  const readings = new Map<number, Observation>()
  for (const { properties } of rows) {
    const { timestamp, temperature, rawMessage } = properties
    const at = instantOf(timestamp)
    const tempF = fahrenheitOf(temperature?.value, temperature?.unitCode)
    if (at === undefined || tempF === undefined || at < from || at > now + tolerance || readings.has(at)) continue
    if (doubtful.test(temperature?.qualityControl ?? "")) continue
    const groups = typeof rawMessage === "string" ? groupsOf(rawMessage) : {}
    readings.set(at, { at, tempF, ...(Object.keys(groups).length === 0 ? {} : { groups }) })
  }
  return [...readings.values()].sort((a, b) => a.at - b.at)
}

/** `2026-07-09T05:00:00Z`: the service refuses milliseconds (weather-gov/api, issue 105). */
const toTheSecond = (at: number): string => `${iso(at).slice(0, 19)}Z`

const observations = (
  api: Api.Api,
  station: string,
  from: number,
): Effect.Effect<ReadonlyArray<Observation>, UpstreamError> =>
  Effect.gen(function* () {
    const { features } = yield* api.get(Wire, `/stations/${station}/observations`, {
      start: toTheSecond(from),
    })
    const { good } = yield* readable(api, "observations", features, rowOf)
    return readingsOf(good, from, yield* Clock.currentTimeMillis)
  })

/** The observations of the nine stations, at most one every five minutes. */
export const layer: Layer.Layer<Observations, never, Api.Nws> = Layer.effect(
  Observations,
  Effect.gen(function* () {
    const api = yield* Api.Nws
    const readings = yield* cacheUpstream(
      (key) => {
        const [station = "", from = ""] = key.split("/")
        return Effect.mapError(observations(api, station, Number(from)), Api.failureOf)
      },
      { source: Api.title, ttlMs: 120_000, capacity: 64 },
    )
    return {
      freshness: "live",
      since: ({ id }, from) => Step.map(readings(`${id}/${from}`), ({ value }) => value),
    }
  }),
)

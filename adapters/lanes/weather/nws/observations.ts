import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Feeds } from "../../../../core/feeds/Feeds.ts"
import { onCalls } from "../../../../core/feeds/onCalls.ts"
import { observationFeeds } from "../../../../core/lanes/weather/due.ts"
import { type Observation, Observations } from "../../../../core/lanes/weather/ports.ts"
import { parseGroups } from "../../../../core/lanes/weather/signal/metarGroups.ts"
import { describeSilence } from "../../../../core/lanes/weather/signal/signalTexts.ts"
import * as Step from "../../../../core/Step.ts"
import { rows } from "../../../../core/sources/rows.ts"
import { iso, minute } from "../../../../core/time.ts"
import { cacheUpstream } from "../../../runtime/upstream/cacheUpstream.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import * as Api from "./api.ts"
import { contradictsMessage } from "./metar.ts"
import { asText, mostRows, parseInstant, Rows, shaped, toFahrenheit, unreadable } from "./wire.ts"

/** `GET /stations/{id}/observations?start=…`, newest first as a rule. */
const Wire = Schema.Struct({ features: Rows })

const Row = Schema.Struct({
  id: Schema.optional(Schema.Unknown),
  properties: Schema.Struct({
    station: Schema.optional(Schema.Unknown),
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
const parseRow = shaped(Row)

/** Rejected, subjectively bad and questioned (MADIS quality control): one could set a false high. */
const doubtfulForm = /^(?:qc:)?[XBQ]$/

const tolerance = 10 * minute

/** A readable row; without a temperature it is skipped. */
export interface Read {
  readonly reading?: Observation
}

const skipped: Read = {}

/** One observation, or why it is unreadable. One without a temperature, or a doubtful one, is skipped. */
export const readObservation = (value: unknown, now: number): Read | string => {
  const row = parseRow(value)
  if (row === undefined) return unreadable("the observation", value)
  const { timestamp, temperature, rawMessage } = row.properties
  if (timestamp === null || temperature?.value == null) return skipped
  const observedAt = parseInstant(timestamp)
  if (observedAt === undefined) return unreadable("timestamp", timestamp)
  if (observedAt > now + tolerance) return `${unreadable("timestamp", timestamp)}, in the future`
  if (doubtfulForm.test(temperature.qualityControl ?? "")) return skipped
  const tempF = toFahrenheit(temperature.value, temperature.unitCode)
  if (tempF === undefined) return unreadable("temperature", temperature)
  if (typeof rawMessage !== "string") return { reading: { at: observedAt, tempF } }
  const groups = parseGroups(rawMessage)
  return (
    contradictsMessage(rawMessage, observedAt, tempF) ?? {
      reading: { at: observedAt, tempF, ...(Object.keys(groups).length === 0 ? {} : { groups }) },
    }
  )
}

/** The observations from `from` on, in order, each instant once. */
export const inOrder = (read: ReadonlyArray<Read>, from: number): ReadonlyArray<Observation> => {
  const readings = new Map<number, Observation>()
  for (const { reading } of read) {
    if (reading !== undefined && reading.at >= from && !readings.has(reading.at)) readings.set(reading.at, reading)
  }
  return [...readings.values()].sort((a, b) => a.at - b.at)
}

/** `2026-07-09T05:00:00Z`: the service refuses milliseconds (weather-gov/api, issue 105). */
const toTheSecond = (at: number): string => `${iso(at).slice(0, 19)}Z`

interface Asked {
  readonly station: string
  /** Epoch milliseconds. */
  readonly from: number
}

/** Why a row is not of the station, or does not name its station. */
const whyForeign = (value: unknown, station: string): string | undefined => {
  const row = parseRow(value)
  const [, id] = /\/stations\/(\w+)/.exec(asText(row?.properties.station) ?? asText(row?.id) ?? "") ?? []
  return row === undefined || id === station ? undefined : `${unreadable("station", id)}, not ${station}`
}

export const observations = Upstream.question(Upstream.readJson(Wire), {
  path: ({ station }: Asked) => `/stations/${station}/observations`,
  query: ({ from }) => ({ start: toTheSecond(from) }),
  identity: ({ features }, { station, from }, now) =>
    Either.map(rows((row) => whyForeign(row, station) ?? readObservation(row, now), mostRows)(features), ({ good }) =>
      inOrder(good, from),
    ),
})
/** The observations of the nine stations, at most one every five minutes. */
export const layer: Layer.Layer<Observations, never, Api.Nws | Feeds> = Layer.effect(
  Observations,
  Effect.gen(function* () {
    const api = yield* Api.Nws
    const report = yield* onCalls
    const readings = yield* cacheUpstream(
      (key) => {
        const [station = "", from = ""] = key.split("/")
        return report(
          observationFeeds.get(station)!,
          Effect.mapError(api.ask(observations, { station, from: Number(from) }), Api.toNwsFailure),
          (found, now) => describeSilence(found, Number(from), now),
        )
      },
      { source: Api.title, ttlMs: 120_000, capacity: 64 },
    )
    return { freshness: "live", since: ({ id }, from) => Step.map(readings(`${id}/${from}`), ({ value }) => value) }
  }),
)

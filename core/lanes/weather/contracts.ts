import * as Effect from "effect/Effect"
import * as Subject from "../../call/Subject.ts"
import type { Contract } from "../../contracts/Contract.ts"
import * as ContractPricing from "../../contracts/ContractPricing.ts"
import { pays, type Strikes } from "../../contracts/strikes.ts"
import { parseTickerDay } from "../../contracts/tickers.ts"
import { minute } from "../../time.ts"
import * as Lane from "../Lane.ts"
import { endpoints } from "./endpoints.ts"
import { ClimateReports, firstOfficial, type Void } from "./ports.ts"
import { climateDay, type Station, stations } from "./stations.ts"
import { type Basis, toVenueLaw } from "./venue/agreement.ts"
import { venueSource } from "./venue/reading.ts"
import { VenueSettlement } from "./venue/VenueSettlement.ts"

/** P(official value ≥ T) by whole degree, as in the signal's output. */
type AtLeastByDegree = Readonly<Record<string, number>>

interface WeatherOutput {
  readonly high: AtLeastByDegree
  readonly low: AtLeastByDegree
  /** How the venue's source differs from the report; absent if that is unknown. */
  readonly basis?: Basis
}

interface DailySeries {
  readonly station: Station
  readonly variable: "high" | "low"
}

const bySeries: ReadonlyMap<string, DailySeries> = new Map(
  stations.flatMap((station: Station) =>
    (
      [
        ["high", station.settles.venue_high_series],
        ["low", station.settles.venue_low_series],
      ] as const
    ).flatMap(([variable, series]) => (series === null ? [] : [[series, { station, variable }] as const])),
  ),
)

/** The venue's series that have a model. */
export const venueSeries: ReadonlyArray<string> = [...bySeries.keys()]

/** Trading ends at the end of the climate day or up to a minute earlier, milliseconds. */
const closeLeadMs = minute

/**
 * The probability that a whole number is on the paying side of the strikes: `greater` than T pays from T + 1 on, `less`
 * than T up to T − 1, `between` includes both ends. A fractional strike counts as the next whole number.
 *
 * @param atLeast the probability of k or more: 1 below and 0 above the degrees of the output
 */
const probabilityOfDegrees = (
  { strikeType, floorStrike: floor, capStrike: cap }: Strikes,
  atLeast: (k: number) => number,
): number | undefined => {
  switch (strikeType) {
    case "greater":
      return floor === undefined ? undefined : atLeast(Math.floor(floor) + 1)
    case "greater_or_equal":
      return floor === undefined ? undefined : atLeast(Math.ceil(floor))
    case "less":
      return cap === undefined ? undefined : 1 - atLeast(Math.ceil(cap))
    case "less_or_equal":
      return cap === undefined ? undefined : 1 - atLeast(Math.floor(cap) + 1)
    case "between":
      return floor === undefined || cap === undefined || cap < floor
        ? undefined
        : atLeast(Math.ceil(floor)) - atLeast(Math.floor(cap) + 1)
    default:
      return undefined
  }
}

const toParams = (station: string, day: string) => ({ station, target: day })

const toAtLeast = (byDegree: AtLeastByDegree): ((k: number) => number) => {
  const degrees = Object.keys(byDegree).map(Number)
  const [first, last] = [Math.min(...degrees), Math.max(...degrees)]
  return (k) => (k <= first ? 1 : k > last ? 0 : (byDegree[k] ?? Number.NaN))
}

const reportPattern = /national weather service|climatological report/i

const settlesOnReport = (settlesOn: string): boolean => reportPattern.test(settlesOn)

/** Whether a stored value of a day may have decided how a contract on its station settled. */
export const mayDecide = (
  { source, day }: Pick<Void, "source" | "day">,
  { event, settlesOn }: Pick<Contract, "event" | "settlesOn">,
): boolean => parseTickerDay(event)?.day === day && (source === "climate_report" || !settlesOnReport(settlesOn))

/** Daily highs and lows of the stations, priced by the temperature signal. */
export const weatherMapping: ContractPricing.Mapping<
  { readonly station: string; readonly target: string },
  WeatherOutput,
  { readonly high?: number | undefined; readonly low?: number | undefined }
> = {
  domain: "weather",
  lane: "weather",
  endpoint: endpoints.signal,
  sources: new RegExp(`${reportPattern.source}|${venueSource}`, "i"),
  toSignalRequest: ({ series, event, closeTime }, now) => {
    const match = bySeries.get(series)
    if (match === undefined) return undefined
    const { station } = match
    const day = climateDay(station, closeTime - closeLeadMs)
    // The event's ticker and the close time must name the same day.
    if (parseTickerDay(event)?.day !== day || day < climateDay(station, now)) return undefined
    return {
      subject: { _tag: "StationDay", station: station.id, day },
      instrument: station.id,
      params: toParams(station.id, day),
    }
  },
  toCallParts: ({ subject }) => {
    const parsed = Subject.parse(subject)
    if (parsed._tag !== "StationDay") return undefined
    const { station, day } = parsed
    return { id: subject, subject: { station, day }, params: toParams(station, day) }
  },
  probability: (contract, output) => {
    const match = bySeries.get(contract.series)
    const extreme = match && output[match.variable]
    if (extreme === undefined || Object.keys(extreme).length === 0) return undefined
    const ge = toAtLeast(extreme)
    const { basis } = output
    return probabilityOfDegrees(
      contract,
      basis === undefined || settlesOnReport(contract.settlesOn) ? ge : toVenueLaw(ge, basis),
    )
  },
  isYes: (contract, extremes) => {
    const match = bySeries.get(contract.series)
    const degrees = match && extremes[match.variable]
    return degrees === undefined ? undefined : pays(contract, degrees)
  },
}

/** Prices contracts by the temperature signal and settles them by the first final climate report. */
export const pricing: ContractPricing.ContractPricing<
  Lane.Id<"weather">,
  ClimateReports | VenueSettlement
> = ContractPricing.make({
  mapping: weatherMapping,
  series: { kalshi: venueSeries },
  scoresCalls: true,
  isRevisable: true,
  askSignal: (params) =>
    Effect.gen(function* () {
      const { signal } = yield* Lane.service("weather", endpoints)
      const [results, record] = yield* Effect.flatMap(signal(params), ContractPricing.requireRecord)
      return {
        record,
        modelSource: results.settlement_basis?.model_source ?? "",
        // Both settle on the same source only if the venue's rules name the report.
        isSame: ({ settlesOn }) => settlesOnReport(settlesOn),
        agreement: results.settlement_basis?.agreement,
        flags: [],
      }
    }),
  // The venue's series settle on the first official value: neither a preliminary one nor a later correction counts. If the
  // rules name another source than the report, that source decides once it has a value; until then the report does, since
  // the other source repeats it.
  readValue: (subject, settlesOn) =>
    Effect.gen(function* () {
      if (subject._tag !== "StationDay") return undefined
      const { station, day } = subject
      const venueValue = settlesOnReport(settlesOn)
        ? undefined
        : yield* Effect.flatMap(VenueSettlement, ({ firstOfficial }) => firstOfficial(station, day))
      const firstReport = firstOfficial(yield* Effect.flatMap(ClimateReports, ({ versions }) => versions(station, day)))
      return venueValue === undefined && firstReport === undefined
        ? undefined
        : { high: venueValue?.highF ?? firstReport?.report.highF, low: venueValue?.lowF ?? firstReport?.report.lowF }
    }),
})

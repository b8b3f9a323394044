import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { strikeSpan } from "../../../contracts/anchored.ts"
import { anchoredLaws } from "../../../contracts/anchoredLaws.ts"
import { type Alternative, type Confidence, type Counterfactual, worst } from "../../../endpoint/Answer.ts"
import * as Endpoint from "../../../endpoint/Endpoint.ts"
import { explain, when } from "../../../endpoint/explain.ts"
import { decimals } from "../../../endpoint/Field.ts"
import * as Param from "../../../endpoint/Param.ts"
import { round } from "../../../endpoint/Rounding.ts"
import { type Failure, fail } from "../../../Failure.ts"
import { Feeds } from "../../../feeds/Feeds.ts"
import { ifDefined } from "../../../ifDefined.ts"
import * as Step from "../../../Step.ts"
import { plural } from "../../../text.ts"
import { addDays, hour, iso, minute } from "../../../time.ts"
import { type Factor, scored } from "../../confidence.ts"
import { signalTerms } from "../../fields.ts"
import { checkForecastDay, Signal, stationParam } from "../fields.ts"
import { SecondForecasts } from "../guidance/Guidance.ts"
import {
  ClimateReports,
  Forecasts,
  type GridForecast,
  type Issuance,
  type Observation,
  Observations,
} from "../ports.ts"
import { byId, climateDay, climateDayStart, type Station } from "../stations.ts"
import { type Agreement, agreementText, toBasis } from "../venue/agreement.ts"
import { venueSource } from "../venue/reading.ts"
import { VenueSettlement } from "../venue/VenueSettlement.ts"
import { Calibrations, EarlierForecasts } from "./Calibrations.ts"
import { leadBucket, minErrors } from "./calibration.ts"
import { findChangeRule } from "./change.ts"
import { type ExtremeDistribution, round2 } from "./extremes.ts"
import { serializeInputs } from "./inputs.ts"
import { calibrationText, makeOutlook, type Outlook, type OutlookInputs } from "./outlook.ts"
import { listPercentiles, listSecondForecasts } from "./secondForecastRows.ts"
import {
  explainSignal,
  findLackingInputs,
  type LackingInput,
  lackingFactor,
  listMissingSources,
  makeSuggestions,
  marketNote,
  maxSilence,
  toAgeFactor,
  toSignalLinks,
} from "./signalTexts.ts"
import { leadDays } from "./temperature.ts"

/** A grid that was updated longer ago than this is refused, milliseconds. */
const maxGridAge = 12 * hour
/** Observations are read from this long before the day on, for the trend of its first hour and for their age. */
const leadInMs = 3 * hour
const retryHint = { retryAfterMs: 10 * minute } // A newer grid or observation may be there then.

/** The failure for a stale grid or, on the current day, stale observations. */
const failStale = (inputs: OutlookInputs, isToday: boolean): Failure | undefined => {
  const { station, now, grid, readings } = inputs
  if (now - grid.updatedAt > maxGridAge) {
    return fail("data_freshness_stale", {
      detail: `The forecast grid at ${station.id} was last updated at ${iso(grid.updatedAt)}.`,
      ...retryHint,
    })
  }
  const last = readings.at(-1)?.at
  if (!isToday || (last !== undefined && now - last <= maxSilence)) return undefined
  return fail("data_freshness_stale", {
    detail: `No observation from ${station.id} for over ${maxSilence / hour} h${last === undefined ? "" : ` (last: ${iso(last)})`}.`,
    ...retryHint,
  })
}

const failUncovered = ({ station, day }: OutlookInputs, hours: number): Failure =>
  fail("upstream_unavailable", {
    detail: `Only ${hours} of 24 hours of ${day} at ${station.id} have a forecast or an observation. Morning, afternoon and evening need two thirds each.`,
    ...retryHint,
  })

export const computeOutlook = (inputs: OutlookInputs): Either.Either<Outlook, Failure> =>
  Either.mapLeft(makeOutlook(inputs), ({ hoursCovered }) => failUncovered(inputs, hoursCovered))

type Degrees = Signal["probabilities"]["pmf"]

/**
 * The probabilities of each degree, of at least and of at most that degree, as served. `ge` is rounded and the others are
 * its differences, so that the pmf adds up to 1 and every `ge` is a sum of the pmf.
 */
const toLowRows = ({ degrees: { first, ge } }: ExtremeDistribution): Record<"pmf" | "ge" | "le", Degrees> => {
  const atLeast = Array.from(ge, (p) => round(Math.min(1, p), decimals.probability))
  const above = (at: number): number => atLeast[at + 1] ?? 0
  const degrees = (of: (at: number) => number): Degrees =>
    Object.fromEntries(atLeast.map((_, at) => [first + at, round(of(at), decimals.probability)]))
  return {
    pmf: degrees((at) => atLeast[at]! - above(at)),
    ge: degrees((at) => atLeast[at]!),
    le: degrees((at) => 1 - above(at)),
  }
}

const toHighRows = (high: ExtremeDistribution) => {
  const { pmf, ge } = toLowRows(high)
  return { pmf, ge }
}

const stageFactors: Readonly<Record<Outlook["calibration"]["stage"], number>> = {
  prior: 0.8,
  partial: 0.9,
  calibrated: 1,
}

const spreadText = ({ stage, state: { n } }: Outlook["calibration"]): string =>
  stage === "prior"
    ? `prior spread, ${n} of ${minErrors} own forecast errors`
    : `spread ${stage === "partial" ? "partially " : ""}calibrated on ${plural(n, "forecast error")}`

/**
 * A quality score: 0.9 on the day itself with a fresh grid and a calibrated spread. It falls with the grid's age (×0.5 at
 * twelve hours), with the lead (×0.6 at seven days), with a partially calibrated (×0.9) or prior spread (×0.8), with the age
 * of the last observation (×0.7 at three hours), with each missing second forecast (×0.95), and with each input that is
 * late, incomplete or contradicted (×0.7). With the final report it is 0.99. It is not a probability of being right.
 */
export const scoreConfidence = (
  result: Outlook,
  gridAge: number,
  productId: string | undefined,
  lacking: ReadonlyArray<LackingInput> = [],
  observed: ReadonlyArray<Factor> = [],
): Confidence => {
  const { stage, calibration, leadDays: lead } = result
  if (stage === "final") return { score: 0.99, label: "reasoned", factors: [`final report ${productId}: 0.99`] }
  const factors: ReadonlyArray<Factor> = [
    [
      `forecast grid ${Math.max(0, Math.round(gridAge / minute))} min old`,
      1 - 0.5 * Math.min(1, Math.max(0, gridAge) / maxGridAge),
    ],
    [`lead ${plural(lead, "day")}`, 1 - 0.4 * Math.min(1, lead / 7)],
    [spreadText(calibration), stageFactors[calibration.stage]],
    ...observed,
    ...lacking.map(({ flag, text }): Factor => [`${flag}: ${text}`, lackingFactor]),
  ]
  return scored("reasoned", 0.9, factors)
}

/** The part of a signal that is scored, as served. */
export const toOutput = ({ basis }: Pick<OutlookInputs, "basis">, { high, low }: Outlook) => ({
  high: toHighRows(high).ge,
  low: toLowRows(low).ge,
  ...ifDefined("basis", basis),
})

const toSignal = (inputs: OutlookInputs, result: Outlook, agreement: Agreement | undefined): Signal => ({
  target_day: inputs.day,
  projection: {
    high_f: result.high.centre,
    low_f: result.low.centre,
    peak_time_utc: iso(result.peakAt),
    hours_covered: result.hoursCovered,
  },
  uncertainty: { sigma_f: result.high.sigma, lead_days: result.leadDays, calibration: calibrationText(result) },
  probabilities: { ...toHighRows(result.high), low: toLowRows(result.low) },
  market_note: marketNote(inputs.station, agreement),
  second_forecasts: listSecondForecasts(inputs, result),
  ...ifDefined("percentiles", listPercentiles(inputs, result)),
  model_version: result.version,
  settlement_basis: {
    model_source: `National Weather Service daily climate report ${inputs.station.cliProduct}`,
    venue_source: venueSource,
    same: false,
    ...ifDefined("agreement", agreement && agreementText(agreement)),
  },
})

/** The three most likely degrees after the most likely one. */
const listRunnersUp = (high: ExtremeDistribution): ReadonlyArray<Alternative> =>
  Object.entries(toHighRows(high).pmf)
    .map(([degree, probability]) => ({ degree: Number(degree), probability }))
    .sort((a, b) => b.probability - a.probability || a.degree - b.degree)
    .slice(1, 4)
    .filter(({ probability }) => probability > 0)
    .map(({ degree, probability }) => ({
      id: String(degree),
      label: `An official high of ${degree} °F`,
      score: probability,
      why: "One of the next most likely degrees.",
    }))

/** The grid with all temperatures `by` degrees higher. */
const warmGrid = (grid: GridForecast, by: number): GridForecast => {
  const shifted = <A extends { readonly tempF: number }>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
    values.map((value) => ({ ...value, tempF: value.tempF + by }))
  return { ...grid, hourly: shifted(grid.hourly), maxima: shifted(grid.maxima), minima: shifted(grid.minima) }
}

/** The largest difference of ge over all degrees. */
const findLargestDifference = (a: ExtremeDistribution, b: ExtremeDistribution): number => {
  const at = ({ degrees: { first, ge } }: ExtremeDistribution, k: number): number =>
    k < first ? 1 : (ge[k - first] ?? 0)
  const [low, high] = [Math.min(a.degrees.first, b.degrees.first), Math.max(a.degrees.first, b.degrees.first)]
  let largest = 0
  for (let k = low; k < high + a.degrees.ge.length; k++) largest = Math.max(largest, Math.abs(at(a, k) - at(b, k)))
  return largest
}

const makeCounterfactual = (inputs: OutlookInputs, result: Outlook): Effect.Effect<Counterfactual, Failure> =>
  Effect.map(
    Effect.suspend(() => computeOutlook({ ...inputs, grid: warmGrid(inputs.grid, 1) })),
    (other) => ({
      input: "forecast_high_f",
      from: result.forecastHigh,
      to: other.forecastHigh,
      result: { high_f: other.high.centre, low_f: other.low.centre, sigma_f: other.high.sigma },
      delta: {
        high_f: round2(other.high.centre - result.high.centre),
        low_f: round2(other.low.centre - result.low.centre),
        max_change_ge: findLargestDifference(other.high, result.high),
      },
    }),
  )

/** The market-anchored distributions of both extremes, each by the venue's contracts on it. */
const anchorLaws = ({ settles }: Station, { high, low }: Outlook) =>
  anchoredLaws(
    (
      [
        ["high", high, settles.venue_high_series],
        ["low", low, settles.venue_low_series],
      ] as const
    ).map(([of, { degrees }, series]) => ({
      of,
      law: degrees,
      span: (contract) => (contract.series === series ? strikeSpan(contract) : undefined),
    })),
  )

const toRecordable = (inputs: OutlookInputs, result: Outlook): Endpoint.AnswerDraft<Signal>["record"] => {
  const { station, day, now } = inputs
  return {
    subject: { _tag: "StationDay", station: station.id, day },
    modelVersion: result.version,
    at: now,
    params: { station: station.id, target: day },
    output: () => toOutput(inputs, result),
    inputs: serializeInputs(inputs),
    closeTime: climateDayStart(station, addDays(day, 1)),
  }
}

/** Reads the observations and the newest report of the current day. */
const readToday = (
  {
    observations,
    reports,
  }: { readonly observations: typeof Observations.Service; readonly reports: typeof ClimateReports.Service },
  station: Station,
  day: string,
) =>
  Step.all([
    observations.since(station, climateDayStart(station, day) - leadInMs),
    Step.map(reports.versions(station.id, day), ([newest]) => newest),
  ])
const noReadings: Effect.Effect<readonly [ReadonlyArray<Observation>, Issuance | undefined]> = Effect.succeed([
  [],
  undefined,
])

export const signal = Endpoint.make("/v1/weather/signal", {
  ...signalTerms,
  summary: "Probability distribution of a climate day's official high and low",
  use: "How likely a temperature (°F) is, today or later; to price a temperature contract. Stations: `weather_stations`.",
  example: { station: "KNYC" },
  params: Schema.Struct({
    station: stationParam,
    target: Param.optional(Param.day("Climate day; default today at the station, up to 6 days ahead.")),
  }),
  check: ({ station, target }, _, now) => checkForecastDay(station, target, now),
  results: Signal,
  ports: {
    reports: ClimateReports,
    forecasts: Forecasts,
    observations: Observations,
    calibrations: Calibrations,
    earlier: EarlierForecasts,
    seconds: SecondForecasts,
    venue: VenueSettlement,
    feeds: Feeds,
  },
  answer: function* (
    { station: id, target },
    { reports, forecasts, observations, calibrations, earlier, seconds, venue, feeds },
    give,
  ) {
    const station = byId.get(id)!
    const now = yield* Step.now
    const today = climateDay(station, now)
    const day = target ?? today
    // A new day may have begun since the call was checked, and a past day must not be recorded.
    const hints = checkForecastDay(id, day, now)
    if (hints.length > 0) return yield* fail("invalid_parameter", { hints })
    const isToday = day === today
    const [grid, [readings, report]] = yield* Step.all([
      forecasts.grid(station),
      isToday ? readToday({ observations, reports }, station, day) : noReadings,
    ])
    const agreement = yield* venue.agreement(id)
    const bucket = leadBucket(leadDays(station, "high", day, now))
    const hasRule = findChangeRule(station, "high", bucket) !== undefined
    const key = { station: id, day: addDays(day, -1), variable: "high", bucket } as const
    const inputs: OutlookInputs = {
      station,
      day,
      now,
      grid,
      readings,
      states: yield* calibrations.current(id),
      ...(hasRule && ifDefined("dayBeforeF", yield* earlier.of(key, grid.source))),
      guidance: yield* seconds.current(id, day, now),
      basis: toBasis(agreement),
      ...(report === undefined ? {} : { official: { ...report.report, issuedAt: report.issuedAt } }),
    }
    const stale = failStale(inputs, isToday)
    if (stale !== undefined) return yield* stale
    const result = yield* Step.ofEither(computeOutlook(inputs))
    // A final report needs no other input.
    const lacking = result.stage === "final" ? [] : yield* findLackingInputs(feeds, inputs, isToday)
    const unrecorded = lacking.map(({ text }) => text).join(" ")
    return give({
      results: toSignal(inputs, result, agreement),
      explained: explain(
        ...explainSignal(inputs, result, report),
        when(lacking.length > 0, () => `${unrecorded} The distribution is less certain, and not recorded.`),
      ),
      confidence: scoreConfidence(result, now - grid.updatedAt, report?.productId, lacking, [
        ...toAgeFactor(inputs),
        ...listMissingSources(inputs),
      ]),
      links: toSignalLinks(station, day),
      freshness: worst(worst(forecasts.freshness, observations.freshness), reports.freshness),
      ...(lacking.length > 0 ? { unrecorded } : ifDefined("record", toRecordable(inputs, result))),
      extras: {
        alternatives: Effect.sync(() => listRunnersUp(result.high)),
        counterfactual: makeCounterfactual(inputs, result),
        suggestions: makeSuggestions(station),
        anchored: anchorLaws(station, result),
      },
    })
  },
})

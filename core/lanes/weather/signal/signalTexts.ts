import type { Link, Suggestion } from "../../../endpoint/Answer.ts"
import { cite, type Sentence, step, when } from "../../../endpoint/explain.ts"
import { type Coverage, type Due, gapText, isBehind } from "../../../feeds/Due.ts"
import type { Feeds } from "../../../feeds/Feeds.ts"
import * as Step from "../../../Step.ts"
import { plural } from "../../../text.ts"
import { hour, iso, minute } from "../../../time.ts"
import { suggest } from "../../answers.ts"
import type { Factor } from "../../confidence.ts"
import { gridFeeds, weatherFeeds } from "../due.ts"
import { guidanceSources, sourceTitles } from "../guidance/Guidance.ts"
import type { Issuance, Observation } from "../ports.ts"
import { climateDayStart, type Station } from "../stations.ts"
import { type Agreement, agreementText, isMeasured, priorValues, toBasis } from "../venue/agreement.ts"
import { venueSource } from "../venue/reading.ts"
import { findChangeRule } from "./change.ts"
import { correctionRate, round2 } from "./extremes.ts"
import { findValidUntil, type Outlook, type OutlookInputs } from "./outlook.ts"
import { cutToDay, interpolateForecast } from "./projection.ts"

/** An input of the model that is late, incomplete or in contradiction to another one. */
export interface LackingInput {
  readonly flag: string
  readonly text: string
}

export const lackingFactor = 0.7

/** The longest accepted time between two observations, and from the last one to now. */
export const maxSilence = 3 * hour

/** If grid and thermometer differ by more, degrees Fahrenheit, one has a wrong place, time or unit. */
const maxDisagreementF = 20

/** The last observation is usually this old at most: stations report hourly, and it takes some minutes to arrive. */
const usualAge = 65 * minute

/** The factor for the age of the last observation: 1 for an hour, 0.7 for the oldest that is used. */
export const toAgeFactor = ({ now, readings }: Pick<OutlookInputs, "now" | "readings">): ReadonlyArray<Factor> => {
  const age = now - (readings.at(-1)?.at ?? now)
  return age <= usualAge
    ? []
    : [[`last observation ${Math.round(age / minute)} min old`, 1 - (0.3 * (age - hour)) / (maxSilence - hour)]]
}

const missingSourceFactor = 0.95

/**
 * A factor for each missing second forecast. The blend's percentiles do not count, as they are of the same model as its
 * other bulletins. Inputs without `guidance` have no factor.
 */
export const listMissingSources = ({ guidance }: Pick<OutlookInputs, "guidance">): ReadonlyArray<Factor> =>
  guidance === undefined
    ? []
    : guidanceSources.flatMap(
        (source): ReadonlyArray<Factor> =>
          source === "nbp" || guidance.some((each) => each.source === source)
            ? []
            : [[`no forecast of the ${sourceTitles[source]}`, missingSourceFactor]],
      )

const listIfLate = (feed: Due, covered: Coverage | undefined, flag: string): ReadonlyArray<LackingInput> =>
  covered === undefined || !isBehind(covered) ? [] : [{ flag, text: `${gapText(feed, covered)}.` }]

/** The first gap between observations, from an instant to now, that is too long, in words; undefined without one. */
export const describeSilence = (
  readings: ReadonlyArray<Observation>,
  from: number,
  now: number,
): string | undefined => {
  const times = [Math.min(from, readings[0]?.at ?? from), ...readings.map(({ at }) => at), now]
  const at = times.findIndex((time, index) => {
    const next = times[index + 1]
    return next !== undefined && next > from && next - time > maxSilence
  })
  return at === -1 ? undefined : `no observation between ${iso(times[at]!)} and ${iso(times[at + 1]!)}`
}

/** The first long gap between observations of the day so far. */
const listSilences = ({ station, day, now, readings }: OutlookInputs): ReadonlyArray<LackingInput> => {
  const silence = describeSilence(readings, climateDayStart(station, day), now)
  return silence === undefined
    ? []
    : [{ flag: "observations_incomplete", text: `There is ${silence} from ${station.id}.` }]
}

const listContradiction = (inputs: OutlookInputs, last: Observation | undefined): ReadonlyArray<LackingInput> => {
  const { station, day, grid } = inputs
  const forecast = last && interpolateForecast(cutToDay(grid, station, day), last.at)
  if (last === undefined || forecast === undefined || Math.abs(forecast - last.tempF) <= maxDisagreementF) return []
  return [
    {
      flag: "source_disagreement",
      text: `The grid has ${round2(forecast)} °F for ${iso(last.at)}, and ${station.id} observed ${round2(last.tempF)} °F.`,
    },
  ]
}

/** The inputs of a signal that fall short of what the model needs. */
export const findLackingInputs = Step.fn(function* (
  { coverage }: Feeds["Type"],
  inputs: OutlookInputs,
  isToday: boolean,
) {
  const gridFeed = gridFeeds.get(inputs.station.id)!
  const [grids, counted] = [yield* coverage(gridFeed), yield* coverage(weatherFeeds.calibration)]
  return [
    ...listIfLate(gridFeed, grids, "grid_late"),
    ...listIfLate(weatherFeeds.calibration, counted, "calibration_late"),
    ...(isToday ? [...listSilences(inputs), ...listContradiction(inputs, inputs.readings.at(-1))] : []),
  ]
})

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const measuredText = (agreement: Agreement | undefined): string => {
  const [below, , above] = toBasis(agreement)
  const measured =
    agreement === undefined || agreement.compared === 0
      ? "The two are not compared here yet"
      : `The two agree on ${agreementText(agreement)} highs and lows compared here`
  const isUsed = agreement !== undefined && isMeasured(agreement)
  const assumed = !isUsed
    ? ", as assumed"
    : agreement.compared < priorValues
      ? `, of which ${priorValues} values are assumed`
      : ""
  return `${measured}; its contracts are priced with ${percent(below)} for a degree less and ${percent(above)} for one more${assumed}`
}

/** Which report the probabilities refer to, on which source the venue settles, and how the two agree. */
export const marketNote = ({ cliProduct, settles }: Station, agreement: Agreement | undefined): string => {
  const series = [settles.venue_high_series, settles.venue_low_series].filter((each) => each !== null)
  const venue =
    series.length === 0
      ? "No venue's series on this station is known"
      : `Since 2026-08-14 the venue's series ${series.join(" and ")} ${series.length === 1 ? "settles" : "settle"} on the first official value of ${venueSource}. ${measuredText(agreement)}`
  return `Probabilities refer to the official climate report ${cliProduct} of the National Weather Service. ${venue}. A contract 'greater than T' pays from T + 1: use ge at T + 1.`
}

export const toSignalLinks = ({ id }: Station, day: string): ReadonlyArray<Link> => [
  { id: `${id}/${day}`, endpoints: [`/v1/weather/signal?station=${id}&target=${day}`] },
  { id, endpoints: [`/v1/weather/settlement?station=${id}`, `/v1/weather/signal?station=${id}`] },
]

const formatSigned = (degrees: number): string => `${degrees < 0 ? "−" : "+"}${Math.abs(degrees).toFixed(2)}`

/** How the forecast was corrected. By the same-day rule the spread is the rule's, so sigma is not mentioned. */
const correctionText = ({ stage, calibration, forecastHigh }: Outlook): string => {
  const { sigma, state, change } = calibration
  const bias = calibration.bias - (change?.addedF ?? 0)
  const published = `forecast high of ${round2(forecastHigh)} °F`
  const high = stage === "intraday" ? `forecast of the hours left of the day (${published} for all of it)` : published
  const source =
    calibration.stage === "prior"
      ? `the ${calibration.bucket === 0 ? "prior bias" : "bias of shorter leads"}`
      : `the weighted mean error of ${plural(state.n, "earlier forecast")}`
  const spread = stage === "intraday" ? "" : `, sigma ${round2(sigma)} °F`
  const corrected =
    round2(bias) === 0
      ? `Left the ${high} as published: ${source} is 0`
      : `Added ${formatSigned(round2(bias))} °F to the ${high}, ${source}`
  return `${corrected}; Student t, 8 degrees of freedom${spread}.`
}

/** What the rule of changes did, or why it did nothing; undefined if none applies. */
const changeText = ({ calibration, running }: Outlook, station: Station): string | undefined => {
  const { change, bucket, sources } = calibration
  if (running !== undefined || findChangeRule(station, "high", bucket) === undefined || sources !== undefined)
    return undefined
  return change === undefined
    ? "No forecast of the day before is archived at this lead, so its change from day to day is not used."
    : `The forecast is ${formatSigned(round2(change.byF))} °F from that of the day before, at the same lead: added ${formatSigned(round2(change.addedF))} °F for change and season, which also set the spread.`
}

const printedText = (tempF: number | undefined): string => (tempF === undefined ? "missing" : `${tempF} °F`)

const observedText = ({ stage, readings, running }: Outlook, day: string): string => {
  if (running === undefined) return `No observations of ${day} yet.`
  const used = stage === "intraday" ? "Conditioned high and low on" : "Bounded high and low by"
  const rule = stage === "intraday" ? " (same-day rule)" : ""
  const { high, low, tempF, at } = running
  return `${used} ${plural(readings, "observation")} so far${rule}: running high ${high} °F, running low ${low} °F, last ${round2(tempF)} °F at ${iso(at)}.`
}

export const explainSignal = (
  { station, day, official, grid, states: { corrections } }: OutlookInputs,
  result: Outlook,
  report?: Issuance,
): ReadonlyArray<Sentence | undefined> => {
  const { stage, running, hoursCovered } = result
  const covered = step(
    `Used ${hoursCovered} of 24 hours of climate day ${day} at ${station.id} (local standard time) with a forecast or observation.`,
    cite(grid.source, grid.locator),
  )
  const printed = report === undefined ? [] : [cite(report.source, report.productId)]
  if (stage === "final") {
    const { days, changed } = corrections ?? { days: 0, changed: 0 }
    return [
      covered,
      step(
        `Used the final report: high ${official?.highF} °F, low ${printedText(official?.lowF)}; ${(100 * correctionRate(corrections)).toFixed(1)} % is left for a correction (${changed} of ${days} earlier final reports were corrected).`,
        ...printed,
      ),
    ]
  }
  return [
    covered,
    correctionText(result),
    changeText(result, station),
    step(observedText(result, day), ...(running === undefined ? [] : [cite("station observations", station.id)])),
    // Without an observation a preliminary report is not used.
    when(running !== undefined && official, (official) =>
      step(
        `The ${official.status} report up to ${iso(findValidUntil(station, day, official))} prints high ${printedText(official.highF)}, low ${printedText(official.lowF)}.`,
        ...printed,
      ),
    ),
  ]
}

export const makeSuggestions = ({ id, coordinates }: Station): ReadonlyArray<Suggestion> => [
  suggest("markets_edge", {}, "Contracts on which model and venue differ."),
  suggest("weather_settlement", { station: id }, "Latest official report of the station."),
  suggest("weather_forecast", coordinates, "Point forecast and alerts at the station."),
]

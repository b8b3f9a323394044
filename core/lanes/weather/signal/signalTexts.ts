import type { Link, Suggestion } from "../../../endpoint/Answer.ts"
import { cite, type Sentence, step, when } from "../../../endpoint/explain.ts"
import { plural } from "../../../text.ts"
import { iso } from "../../../time.ts"
import { suggest } from "../../answers.ts"
import type { Issuance } from "../ports.ts"
import type { Station } from "../stations.ts"
import { type Agreement, agreementText, basisOf, isMeasured, priorValues } from "../venue/agreement.ts"
import { venueSource } from "../venue/reading.ts"
import { correctionRate, round2 } from "./extremes.ts"
import { type Inputs, type Outlook, validUntil } from "./outlook.ts"

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const measuredText = (agreement: Agreement | undefined): string => {
  const [below, , above] = basisOf(agreement)
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

/** @param agreement of the venue's source with the station's reports */
export const marketNote = ({ cliProduct, settles }: Station, agreement: Agreement | undefined): string => {
  const series = [settles.venue_high_series, settles.venue_low_series].filter((each) => each !== null)
  const venue =
    series.length === 0
      ? "No venue's series on this station is known"
      : `Since 2026-08-14 the venue's series ${series.join(" and ")} ${series.length === 1 ? "settles" : "settle"} on the first official value of ${venueSource}. ${measuredText(agreement)}`
  return `Probabilities refer to the official climate report ${cliProduct} of the National Weather Service. ${venue}. A contract 'greater than T' pays from T + 1: use ge at T + 1.`
}

export const linksOf = ({ id }: Station, day: string): ReadonlyArray<Link> => [
  { id: `${id}/${day}`, endpoints: [`/v1/weather/signal?station=${id}&target=${day}`] },
  { id, endpoints: [`/v1/weather/settlement?station=${id}`, `/v1/weather/signal?station=${id}`] },
]

const signed = (degrees: number): string => `${degrees < 0 ? "−" : "+"}${Math.abs(degrees).toFixed(2)}`

/** The bias, official − forecast, is added. By the same-day rule the spread is the rule's own, not sigma. */
const correctionText = ({ stage, calibration, forecastHigh }: Outlook): string => {
  const { bias, sigma, state } = calibration
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
      : `Added ${signed(round2(bias))} °F to the ${high}, ${source}`
  return `${corrected}; Student t, 8 degrees of freedom${spread}.`
}

const printedText = (tempF: number | undefined): string => (tempF === undefined ? "missing" : `${tempF} °F`)

/** The running extremes of a day, in words. */
const observedText = ({ stage, readings, running }: Outlook, day: string): string => {
  if (running === undefined) return `No observations of ${day} yet.`
  const used = stage === "intraday" ? "Conditioned high and low on" : "Bounded high and low by"
  const rule = stage === "intraday" ? " (same-day rule)" : ""
  const { high, low, tempF, at } = running
  return `${used} ${plural(readings, "observation")} so far${rule}: running high ${high} °F, running low ${low} °F, last ${round2(tempF)} °F at ${iso(at)}.`
}

/** The steps of an answer and the sources of each. */
export const sentencesOf = (
  { station, day, official, grid, states: { corrections } }: Inputs,
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
    step(observedText(result, day), ...(running === undefined ? [] : [cite("station observations", station.id)])),
    // Without an observation the report is not used.
    when(running !== undefined && official, (official) =>
      step(
        `The ${official.status} report up to ${iso(validUntil(station, day, official))} prints high ${printedText(official.highF)}, low ${printedText(official.lowF)}.`,
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

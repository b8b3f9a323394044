import type { Citation, Link, Suggestion } from "../../../endpoint/Answer.ts"
import type { Issuance } from "../ports.ts"
import type { Station } from "../stations.ts"
import type { Inputs, Outlook } from "./outlook.ts"

/** Since 2026-08-14 the venue's daily temperature series settle on it, and no longer on the official report. */
export const venue = "The Weather Company"

export const noteOf = ({ cliProduct, settles }: Station): string =>
  `The probabilities are of the official climate report ${cliProduct} of the National Weather Service; since 2026-08-14 the venue's series ${settles.venue_high_series} and ${settles.venue_low_series} settle on ${venue} instead, which may differ. A contract 'greater than T' pays from T + 1: use ge at T + 1.`

export const linksOf = ({ id }: Station, day: string): ReadonlyArray<Link> => [
  { id: `${id}/${day}`, endpoints: [`/v1/weather/signal?station=${id}&target=${day}`] },
  { id, endpoints: [`/v1/weather/settlement?station=${id}`, `/v1/weather/signal?station=${id}`] },
]

export const reasoningOf = ({ station, day }: Inputs, found: Outlook): ReadonlyArray<string> => {
  const cut = `Cut the forecast grid at ${station.id} to the climate day ${day}, local standard midnight to midnight.`
  const { stage, calibration, readings } = found
  if (stage === "final") return [cut, "Took the values of the final report, which is in."]
  return [
    cut,
    `Removed a bias of ${calibration.bias.toFixed(2)} °F that earlier errors show from the high, and spread it by Student t with 8 degrees of freedom.`,
    stage === "intraday"
      ? `Conditioned high and low on ${readings} readings of the day, with the same-day rule.`
      : readings > 0
        ? `Bounded high and low by ${readings} readings of the day.`
        : "Nothing was read of the day yet.",
  ]
}

export const citationsOf = (
  { station, day, grid }: Inputs,
  { stage, readings }: Outlook,
  report: Issuance | undefined,
): ReadonlyArray<Citation> => [
  { step: 1, source: grid.source, locator: grid.locator },
  ...(report === undefined
    ? []
    : [{ step: stage === "final" ? 2 : 3, source: report.source, locator: report.productId }]),
  ...(stage === "final" || readings === 0
    ? []
    : [{ step: 3, source: "station observations", locator: `${station.id}/${day}` }]),
]

export const suggestionsOf = ({ id, coordinates }: Station): ReadonlyArray<Suggestion> => [
  { endpoint: "markets_edge", params: {}, why: "Where the model and the venue differ." },
  {
    endpoint: "weather_settlement",
    params: { station: id },
    why: "The latest official report of the station.",
  },
  {
    endpoint: "weather_forecast",
    params: coordinates,
    why: "The point forecast and alerts that stand behind it.",
  },
]

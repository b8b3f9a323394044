import { type Coverage, type Due, gapText, isBehind } from "../../../feeds/Due.ts"
import type { Feeds } from "../../../feeds/Feeds.ts"
import * as Step from "../../../Step.ts"
import { hour, iso, minute } from "../../../time.ts"
import type { Factor } from "../../confidence.ts"
import { gridFeeds, weatherFeeds } from "../due.ts"
import { guidanceSources, sourceTitles } from "../guidance/Guidance.ts"
import type { Observation } from "../ports.ts"
import { climateDayStart } from "../stations.ts"
import { round2 } from "./extremes.ts"
import type { Inputs } from "./outlook.ts"
import { dayForecast, forecastAt } from "./projection.ts"

/** An input of the model that is late, has holes or contradicts another one. */
export interface LackingInput {
  readonly flag: string
  readonly text: string
}

/** What such an input leaves of the score. */
export const lackingFactor = 0.7

/** The greatest time between two observations of a day, and from the last one to now. */
export const maxSilence = 3 * hour

/** A grid and a thermometer that differ by more do not mean the same place, time or unit, degrees Fahrenheit. */
const maxApart = 20

/** Stations report every hour, and their reports are out some minutes later. */
const usualAge = 65 * minute

/** The share of the score that the age of the last observation leaves: 1 for an hour, 0.7 for the oldest that is used. */
export const ageFactor = ({ now, readings }: Pick<Inputs, "now" | "readings">): ReadonlyArray<Factor> => {
  const age = now - (readings.at(-1)?.at ?? now)
  return age <= usualAge
    ? []
    : [[`last observation ${Math.round(age / minute)} min old`, 1 - (0.3 * (age - hour)) / (maxSilence - hour)]]
}

/** The share of the score that the absence of each second forecast leaves; records from before there were any have none. */
const alone = 0.95

/** Sources of a second forecast that are absent. */
export const aloneFactor = ({ guidance }: Pick<Inputs, "guidance">): ReadonlyArray<Factor> =>
  guidance === undefined
    ? []
    : guidanceSources.flatMap(
        (source): ReadonlyArray<Factor> =>
          guidance.some((each) => each.source === source)
            ? []
            : [[`no forecast of the ${sourceTitles[source]}`, alone]],
      )

const late = (feed: Due, covered: Coverage | undefined, flag: string): ReadonlyArray<LackingInput> =>
  covered === undefined || !isBehind(covered) ? [] : [{ flag, text: `${gapText(feed, covered)}.` }]

/** The first stretch from an instant to now that is too long to be without an observation, in words. */
export const silenceOf = (readings: ReadonlyArray<Observation>, from: number, now: number): string | undefined => {
  const times = [Math.min(from, readings[0]?.at ?? from), ...readings.map(({ at }) => at), now]
  const at = times.findIndex((time, index) => {
    const next = times[index + 1]
    return next !== undefined && next > from && next - time > maxSilence
  })
  return at === -1 ? undefined : `no observation between ${iso(times[at]!)} and ${iso(times[at + 1]!)}`
}

/** Hours of the day so far without an observation. */
const silences = ({ station, day, now, readings }: Inputs): ReadonlyArray<LackingInput> => {
  const silence = silenceOf(readings, climateDayStart(station, day), now)
  return silence === undefined
    ? []
    : [{ flag: "observations_incomplete", text: `There is ${silence} from ${station.id}.` }]
}

/** A grid that the last observation contradicts. */
const contradiction = (inputs: Inputs, last: Observation | undefined): ReadonlyArray<LackingInput> => {
  const { station, day, grid } = inputs
  const forecast = last && forecastAt(dayForecast(grid, station, day), last.at)
  if (last === undefined || forecast === undefined || Math.abs(forecast - last.tempF) <= maxApart) return []
  return [
    {
      flag: "source_disagreement",
      text: `The grid has ${round2(forecast)} °F for ${iso(last.at)}, and ${station.id} observed ${round2(last.tempF)} °F.`,
    },
  ]
}

/** The inputs of a signal that are not what its model needs. */
export const lackingInputs = Step.fn(function* ({ coverage }: Feeds["Type"], inputs: Inputs, isToday: boolean) {
  const gridFeed = gridFeeds.get(inputs.station.id)!
  const [grids, counted] = [yield* coverage(gridFeed), yield* coverage(weatherFeeds.calibration)]
  return [
    ...late(gridFeed, grids, "grid_late"),
    ...late(weatherFeeds.calibration, counted, "calibration_late"),
    ...(isToday ? [...silences(inputs), ...contradiction(inputs, inputs.readings.at(-1))] : []),
  ]
})

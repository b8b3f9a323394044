import * as Either from "effect/Either"
import { initialStation } from "../../../core/lanes/weather/signal/calibration.ts"
import type { ExtremeDistribution } from "../../../core/lanes/weather/signal/extremes.ts"
import { makeOutlook, type Outlook } from "../../../core/lanes/weather/signal/outlook.ts"
import { brier, crpsDiscrete, logScoreDiscrete } from "../../../core/math/score.ts"
import { hour as hourLength, minute } from "../../../core/time.ts"
import { findZone, offsetAt } from "../../../core/zones.ts"
import type { ReadingRow } from "./weatherData.ts"
import { type Drawn, draw, stationDays } from "./weatherDays.ts"

/** Hours of Eastern standard time; the signal is asked for forty minutes later, with that hour's reading in. */
export const hours = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23] as const
const asked = 40 * minute

/** The day's report holds up to four in the afternoon by New York's clocks and is out 35 minutes later. */
const validAt = 16
const delay = 35 * minute
const zone = findZone("America/New_York")!

/** Scores of the forecasts of one extreme at one hour. */
export interface ExtremeScores {
  /** Ranked probability score of the final value, summed over whole degrees; mean. */
  readonly rps: number
  /** The least and the greatest of its means by seed. */
  readonly rpsBySeed: readonly [least: number, most: number]
  /** −ln of the probability of the final value, nats, that probability taken as at least 1e-6. */
  readonly log: number
  /** Mean probability that the final value goes beyond what is printed (read, until a report is in), and how often it did. */
  readonly beyond: number
  readonly happened: number
  /** Brier score of that, and of a constant forecast of the share that happened. */
  readonly brier: number
  readonly constant: number
}

export interface HourScores {
  readonly hour: number
  readonly cases: number
  readonly high: ExtremeScores
  readonly low: ExtremeScores
}

/** Lower probabilities count as this in the log score. */
const clip = 1e-6

const geOf = ({ degrees: { first, ge } }: ExtremeDistribution, k: number): number =>
  k <= first ? 1 : (ge[k - first] ?? 0)

const validUntilOf = ({ start }: Drawn): number => {
  const standard = start + validAt * hourLength
  return standard - (offsetAt(zone, standard) - offsetAt(zone, Date.UTC(2013, 0, 1)))
}

interface Answer {
  readonly found: Outlook
  /** The printed extreme of a report, or the extreme that the observations prove. */
  readonly reached: { readonly high: number; readonly low: number }
}

/** The answer of the service at an hour of a day, from the data of that time. */
const answerAt = (day: Drawn, hour: number): Answer | undefined => {
  const { station, start, readings, earlier, grid } = day
  const now = start + hour * hourLength + asked
  const last = readings.findLastIndex(({ at }) => at <= now)
  if (readings[last]?.at !== start + hour * hourLength) return undefined
  const until = validUntilOf(day)
  const printed = readings.findLastIndex(({ at }) => at <= until)
  const isOut = until + delay <= now
  const official = {
    day: day.day,
    status: "preliminary",
    validAsOf: "0400 PM",
    highF: day.highs[printed]!,
    lowF: day.lows[printed]!,
    issuedAt: until + delay,
  } as const
  const read = readings.slice(0, last + 1)
  const answer = makeOutlook({
    station,
    day: day.day,
    now,
    grid,
    readings: [...earlier, ...read],
    states: initialStation,
    ...(isOut ? { official } : {}),
  })
  if (Either.isLeft(answer)) return undefined
  const temperatures = read.map(({ tempF }) => tempF)
  return {
    found: answer.right,
    reached: isOut
      ? { high: official.highF, low: official.lowF }
      : { high: Math.round(Math.max(...temperatures)), low: Math.round(Math.min(...temperatures)) },
  }
}

/**
 * Both ends between which the truth between two readings lies. Neither is a measurement: in one the thermometer does what
 * the served law says, in the other it does nothing that no reading saw.
 */
export const truths = {
  drawn: { hidden: true, name: "drawn from the served law itself" },
  readings: { hidden: false, name: "readings are the whole truth" },
} as const

const nothing = { rps: 0, log: 0, beyond: 0, happened: 0, brier: 0 }

const tally = () => {
  const sums = { ...nothing }
  let [before, counted] = [0, 0]
  const bySeed: Array<number> = []
  return {
    add(prediction: ExtremeDistribution, actual: number, probability: number, happened: boolean) {
      sums.rps += crpsDiscrete(prediction.degrees, actual)
      sums.log += logScoreDiscrete(prediction.degrees, actual, clip)
      sums.beyond += probability
      sums.happened += happened ? 1 : 0
      sums.brier += brier(probability, happened)
    },
    /** Ends a seed; `cases` of it and of those before. */
    seeded(cases: number) {
      bySeed.push((sums.rps - before) / (cases - counted))
      ;[before, counted] = [sums.rps, cases]
    },
    scores(cases: number): ExtremeScores {
      const mean = (sum: number): number => sum / cases
      const happened = mean(sums.happened)
      return {
        rps: mean(sums.rps),
        rpsBySeed: [Math.min(...bySeed), Math.max(...bySeed)],
        log: mean(sums.log),
        beyond: mean(sums.beyond),
        happened,
        brier: mean(sums.brier),
        constant: happened * (1 - happened),
      }
    },
  }
}

/**
 * Scores the answers of the service at the hours of a day: the same inputs in, the served distribution out. Temperatures
 * at the readings and what came of them are real, of the days on which the same-day rule was fitted: the scores are
 * in-sample. The forecast and, unless `hidden` is false, what the thermometer did between readings are drawn, anew for
 * every seed (`draw`); with `hidden`, `beyond`, `happened` and `brier` compare the served law with draws from itself.
 */
export const sameDay = (
  rows: ReadonlyArray<ReadingRow>,
  seeds: ReadonlyArray<number>,
  hidden = true,
): ReadonlyArray<HourScores> => {
  const days = stationDays(rows)
  const drawn = seeds.map((seed) => draw(days, seed, hidden))
  return hours.map((hour) => {
    const [high, low] = [tally(), tally()]
    let cases = 0
    for (const of of drawn) {
      for (const day of of) {
        const answer = answerAt(day, hour)
        if (answer === undefined) continue
        const { found, reached } = answer
        cases += 1
        high.add(found.high, day.high, geOf(found.high, reached.high + 1), day.high > reached.high)
        low.add(found.low, day.low, 1 - geOf(found.low, reached.low), day.low < reached.low)
      }
      high.seeded(cases)
      low.seeded(cases)
    }
    return { hour, cases, high: high.scores(cases), low: low.scores(cases) }
  })
}

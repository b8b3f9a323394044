import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Subject from "../../core/call/Subject.ts"
import type { Priced } from "../../core/contracts/Contract.ts"
import * as decode from "../../core/endpoint/decode.ts"
import type { Failure } from "../../core/Failure.ts"
import { Baseball } from "../../core/lanes/baseball/Baseball.ts"
import { Slates } from "../../core/lanes/baseball/ports.ts"
import { Crypto } from "../../core/lanes/crypto/Crypto.ts"
import type { Asset } from "../../core/lanes/crypto/fields.ts"
import { Tape } from "../../core/lanes/crypto/ports.ts"
import { parseSeason } from "../../core/lanes/football/data/Game.ts"
import { Football } from "../../core/lanes/football/Football.ts"
import { Weather } from "../../core/lanes/weather/Weather.ts"
import type { Result } from "../../core/record/scoreboard/Settled.ts"
import { dayOf, minute } from "../../core/time.ts"

/** The lanes that are asked for signals. */
export type Signals = Baseball | Crypto | Football | Weather

/** The team of a contract on who wins: home, or away. */
const isHome = ({ event, ticker }: Priced): boolean =>
  event.replace(/G[12]$/, "").endsWith(ticker.slice(event.length + 1))

const decoders = new Map(
  [
    Weather.lane.endpoints.signal,
    Crypto.lane.endpoints.signal,
    Football.lane.endpoints.fairLine,
    Baseball.lane.endpoints.fairOdds,
  ].map((endpoint) => [endpoint.path as string, { endpoint, decode: decode.compile(endpoint) }] as const),
)

/**
 * The answer to a row's `signal_url` as an agent gets it, and the probability that it gives a contract.
 *
 * @throws for a path of no signal, and for parameters that its endpoint does not accept
 */
export const ask = (url: string, now: number): Effect.Effect<(contract: Priced) => number, Failure, Signals> =>
  Effect.gen(function* () {
    const { pathname, searchParams } = new URL(url, "http://localhost")
    const found = decoders.get(pathname)
    if (found === undefined) throw new Error(`${pathname} is no signal's.`)
    const { params } = Either.getOrThrow(found.decode({ _tag: "Text", entries: [...searchParams] }, now))
    switch (found.endpoint) {
      case Weather.lane.endpoints.signal: {
        const { results } = yield* (yield* Weather).signal(params as never)
        const degrees: Readonly<Record<string, number>> = results.probabilities.ge
        const first = Math.min(...Object.keys(degrees).map(Number))
        const ge = (k: number) => degrees[k] ?? (k < first ? 1 : 0)
        return ({ floorStrike, capStrike }: Priced) =>
          floorStrike === undefined
            ? 1 - ge(capStrike!)
            : capStrike === undefined
              ? ge(floorStrike + 1)
              : ge(floorStrike) - ge(capStrike + 1)
      }
      case Crypto.lane.endpoints.signal: {
        const { results } = yield* (yield* Crypto).signal(params as never)
        return ({ floorStrike }: Priced) => results.p_above.find(({ strike }) => strike === floorStrike)!.p_above
      }
      default: {
        const { win_prob_home } =
          found.endpoint === Football.lane.endpoints.fairLine
            ? (yield* (yield* Football).fairLine(params as never)).results.prediction.fair_line
            : (yield* (yield* Baseball).fairOdds(params as never)).results.prediction
        return (contract: Priced) => (isHome(contract) ? win_prob_home : 1 - win_prob_home)
      }
    }
  })

/** Where finals are read. */
export type Finals = Football | Slates | Tape | Weather

/** How a settled contract ended by the lane that its subject belongs to; undefined where that decides nothing. */
export const outcome = (contract: Priced, now: number): Effect.Effect<Result | undefined, Failure, Finals> =>
  Effect.gen(function* () {
    const subject = Subject.parse(contract.subject)
    const { floorStrike = Number.NEGATIVE_INFINITY, capStrike = Number.POSITIVE_INFINITY, strikeType } = contract
    const within = (value: number | null | undefined): Result | undefined => {
      if (value === null || value === undefined) return undefined
      if (strikeType === "between") return floorStrike <= value && value <= capStrike ? "yes" : "no"
      return floorStrike < value && value < capStrike ? "yes" : "no"
    }
    const won = (score: { readonly home: number; readonly away: number } | undefined): Result | undefined => {
      if (score === undefined || score.home === score.away) return undefined
      return score.home > score.away === isHome(contract) ? "yes" : "no"
    }
    switch (subject._tag) {
      case "StationDay": {
        const { settlement } = yield* Weather
        const { results } = yield* settlement({ station: subject.station, day: subject.day })
        return within(results.settlement.high_f)
      }
      case "AssetAt": {
        const window = yield* (yield* Tape).window(subject.asset as Asset, 7 * 1440)
        return within(window?.closes.at(-1 - Math.round((now - subject.at) / minute)))
      }
      case "Game": {
        if (contract.domain === "mlb") {
          const { games } = yield* (yield* Slates).of(Number(subject.id))
          return won(games.find(({ score }) => score !== undefined)?.score)
        }
        const { games } = yield* Football
        const { results } = yield* games({ season: parseSeason(subject.id) })
        const game = results.games.find(({ game_id }) => game_id === subject.id)
        const [home, away] = [game?.home_score ?? null, game?.away_score ?? null]
        return home === null || away === null ? undefined : won({ home, away })
      }
      default:
        return undefined
    }
  })

/** The pairings that leagues have on their schedules for a day, by the domain; a later day's for late starts. */
export const scheduled = (contract: Priced): Effect.Effect<boolean, Failure, Baseball | Football> =>
  Effect.gen(function* () {
    if (contract.domain === "nfl") {
      const { games } = yield* Football
      const { results } = yield* games({ season: parseSeason(contract.subject) })
      return results.games.some(({ game_id }) => game_id === contract.subject)
    }
    if (contract.domain !== "mlb") return true
    const { games } = yield* Baseball
    const { results } = yield* games({ date: dayOf(contract.closeTime) })
    return results.games.some(({ gamePk }) => String(gamePk) === contract.subject)
  })

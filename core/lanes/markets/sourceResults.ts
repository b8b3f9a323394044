import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../Failure.ts"
import type { Domain, Result } from "../../record/scoreboard/Settled.ts"
import { Slates } from "../baseball/ports.ts"
import { signalMinutes } from "../crypto/Crypto.ts"
import type { Asset } from "../crypto/endpoints.ts"
import { Tape } from "../crypto/ports.ts"
import { Games } from "../football/ports.ts"
import { ClimateReports } from "../weather/ports.ts"
import type { Priced } from "./contract.ts"
import { baseball } from "./mapping/baseball.ts"
import { crypto } from "./mapping/crypto.ts"
import { football } from "./mapping/football.ts"
import type { Mapping } from "./mapping/Mapping.ts"
import type { FinalScore } from "./mapping/score.ts"
import { type Extremes, weather } from "./mapping/weather.ts"
import { type Observed, SourceResults } from "./ports.ts"

/** A subject's value by the source that its signal is about; undefined while that is not known. */
type Read<Value> = (subject: string) => Effect.Effect<Value | undefined, Failure>

const results = <Value>(
  { happened }: Pick<Mapping<unknown, never, Value>, "happened">,
  contracts: ReadonlyArray<Priced>,
  value: Value,
): ReadonlyArray<readonly [ticker: string, result: Result]> =>
  contracts.flatMap((contract) => {
    const found = happened(contract, value)
    return found === undefined ? [] : [[contract.ticker, found ? "yes" : "no"] as const]
  })

/** What one lane's source says of the contracts on its subjects, each of which is read once. */
const observing =
  <Value>(mapping: Pick<Mapping<unknown, never, Value>, "domain" | "happened">, read: Read<Value>) =>
  (contracts: ReadonlyArray<Priced>): Effect.Effect<Observed> => {
    const bySubject = new Map<string, Array<Priced>>()
    for (const contract of contracts) {
      if (contract.domain !== mapping.domain) continue
      const group = bySubject.get(contract.subject) ?? []
      bySubject.set(contract.subject, group)
      group.push(contract)
    }
    return Effect.map(
      Effect.partition(bySubject, ([subject, group]) =>
        Effect.mapBoth(read(subject), {
          onFailure: ({ message }) => `${subject}: ${message}`,
          onSuccess: (value) => (value === undefined ? [] : results(mapping, group, value)),
        }),
      ),
      ([troubles, found]) => ({ results: new Map(found.flat()), troubles }),
    )
  }

/** `KNYC/2026-07-12`: the newest final report. A preliminary one decides nothing. */
const officialExtremes =
  ({ versions }: ClimateReports["Type"]): Read<Extremes> =>
  (subject) => {
    const [station, day] = subject.split("/") as [string, string]
    return Effect.map(versions(station, day), ([newest]) =>
      newest?.report.status === "final" ? { high: newest.report.highF, low: newest.report.lowF } : undefined,
    )
  }

const minute = 60_000

/** `BTC/2026-07-12T17:00:00.000Z`: the close of the minute that ends then, which is what `p_above` is about. */
const closeAt =
  ({ window }: Tape["Type"]): Read<number> =>
  (subject) => {
    const [asset, at] = subject.split("/") as [Asset, string]
    const wanted = Math.round(Date.parse(at) / minute) - 1
    // The window of the signal, which is there already.
    return Effect.map(window(asset, signalMinutes), (tape) => {
      const close = tape?.closes[tape.closes.length - 1 - (tape.lastMinute - wanted)]
      return close === undefined || Number.isNaN(close) ? undefined : close
    })
  }

/** `2026_01_KC_LAC`. */
const finalOfFootball =
  ({ season }: Games["Type"]): Read<FinalScore> =>
  (id) =>
    Effect.map(season(Number(id.slice(0, 4))), (found) => found?.records.find(({ game }) => game.id === id)?.game.score)

/** A `gamePk`; a game that was put off is listed once per date, and over under one of them. */
const finalOfBaseball =
  ({ of }: Slates["Type"]): Read<FinalScore> =>
  (gamePk) =>
    Effect.map(of(Number(gamePk)), ({ games }) => games.find(({ score }) => score !== undefined)?.score)

/** A report and a published final may be corrected; a stored candle never is, and of the league nothing is asked twice. */
const correcting: ReadonlySet<Domain> = new Set(["weather", "nfl"])

/** What the lanes' own sources say: the final climate report, the tape, the final score. */
export const layer: Layer.Layer<SourceResults, never, ClimateReports | Games | Slates | Tape> = Layer.effect(
  SourceResults,
  Effect.map(Effect.all([ClimateReports, Tape, Games, Slates]), ([reports, tape, games, slates]) => {
    const all = [
      observing(weather, officialExtremes(reports)),
      observing(crypto, closeAt(tape)),
      observing(football, finalOfFootball(games)),
      observing(baseball, finalOfBaseball(slates)),
    ]
    return {
      correcting,
      of: (contracts) =>
        Effect.map(
          Effect.forEach(all, (observe) => observe(contracts)),
          (observed) => ({
            results: new Map(observed.flatMap((each) => [...each.results])),
            troubles: observed.flatMap(({ troubles }) => troubles),
          }),
        ),
    }
  }),
)

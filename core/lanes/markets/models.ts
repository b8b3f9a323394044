import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Failure, fail } from "../../endpoint/Failure.ts"
import { Baseball } from "../baseball/Baseball.ts"
import { Crypto } from "../crypto/Crypto.ts"
import { Football } from "../football/Football.ts"
import { Weather } from "../weather/Weather.ts"
import { type Contract, millionths } from "./contract.ts"
import { baseball } from "./mapping/baseball.ts"
import { crypto, strikesIn } from "./mapping/crypto.ts"
import { football } from "./mapping/football.ts"
import { type Asked, type Mapping, priced, type Told } from "./mapping/Mapping.ts"
import { weather } from "./mapping/weather.ts"
import { Models, type Opinion } from "./providers.ts"

interface Answered {
  readonly opinion?: Opinion
  readonly trouble?: string
}

/**
 * A mapping with the lane that answers it.
 *
 * @param tell the signal about one subject, for the contracts that hang on it
 */
const opinionsOf = <Params extends Readonly<Record<string, unknown>>, Output>(
  mapping: Mapping<Params, Output>,
  tell: (params: Params, contracts: ReadonlyArray<Contract>) => Effect.Effect<Told<Output>, Failure>,
) => {
  const { domain, lane, endpoint } = mapping
  return (contracts: ReadonlyArray<Contract>, now: number): Effect.Effect<ReadonlyArray<Answered>> => {
    const groups = new Map<string, Array<{ readonly contract: Contract; readonly asked: Asked<Params> }>>()
    for (const contract of contracts) {
      const asked = contract.domain === domain ? mapping.ask(contract, now) : undefined
      if (asked === undefined) continue
      const group = groups.get(asked.subject) ?? []
      groups.set(asked.subject, group)
      group.push({ contract, asked })
    }
    return Effect.forEach([...groups], ([subject, group]) => {
      const { params } = group[0]!.asked
      return tell(
        params,
        group.map(({ contract }) => contract),
      ).pipe(
        Effect.map((told): Answered => {
          const rows = group.flatMap(({ contract, asked }) => {
            const probability = mapping.probability(contract, told.output)
            const model = probability === undefined ? undefined : millionths(probability)
            return model === undefined ? [] : [priced(contract, asked, told, lane, model)]
          })
          const { output, modelVersion } = told
          return rows.length === 0
            ? {}
            : {
                opinion: {
                  lane,
                  endpoint,
                  subject: rows[0]!.subject,
                  modelVersion,
                  params,
                  output,
                  contracts: rows,
                },
              }
        }),
        Effect.catchAll((failure) => Effect.succeed<Answered>({ trouble: `${subject}: ${failure.message}` })),
      )
    })
  }
}

const never = () => false

const weatherOpinions = ({ signal }: Weather["Type"]) =>
  opinionsOf(weather, (params) =>
    Effect.map(signal(params), ({ results: { probabilities, model_version = "", settlement_basis: basis } }) => ({
      output: { high: probabilities.ge, low: probabilities.low?.ge ?? {} },
      modelVersion: model_version,
      modelSource: basis?.model_source ?? "",
      // The report and the venue's index are two thermometers' words, but for venues that name the report.
      isSame: ({ settlesOn }: Contract) => /national weather service|climatological report/i.test(settlesOn),
      flags: [],
    })),
  )

const cryptoOpinions = ({ signal }: Crypto["Type"]) =>
  opinionsOf(crypto, (params, contracts) => {
    const strikes = [...new Set(contracts.flatMap(strikesIn))]
    return Effect.map(signal({ ...params, strikes }), ({ results }) => ({
      output: { p_above: results.p_above },
      modelVersion: results.model_version ?? "",
      modelSource: results.settlement_basis?.model_source ?? "",
      isSame: never,
      flags: results.quality_flags ?? [],
    }))
  })

const otherDay = (what: string): Failure => fail("not_found", { detail: `The schedule has no ${what}.` })

const footballOpinions = ({ fairLine }: Football["Type"]) =>
  opinionsOf(football, ({ home, away, day }) =>
    Effect.flatMap(fairLine({ team: home, opponent: away }), ({ results: { game, prediction, retrospective } }) =>
      retrospective || game.gameday !== day || game.home_team !== home
        ? Effect.fail(otherDay(`game of ${away} at ${home} to come on ${day}`))
        : Effect.succeed({
            subject: game.game_id,
            output: { win_prob_home: prediction.fair_line.win_prob_home },
            modelVersion: prediction.model_version,
            modelSource: "final score",
            isSame: () => true,
            flags: prediction.quality_flags ?? [],
          }),
    ),
  )

const baseballOpinions = ({ games, fairOdds }: Baseball["Type"]) =>
  opinionsOf(baseball, ({ home, away, day }) =>
    Effect.gen(function* () {
      // The venue dates a game by the clocks of its park; the slate is by UTC, where a late game is tomorrow's.
      const slates = yield* Effect.forEach([day, nextDay(day)], (date) => games({ date }))
      const found = slates
        .flatMap(({ results }) => results.games)
        .filter(
          (game) => game.home.team_id === home && game.away.team_id === away && (game.official_date ?? day) === day,
        )
      const [game] = found
      // Two games of one pair on one day are not told apart by the venue's ticker.
      if (game === undefined || found.length > 1) return yield* otherDay(`one game of ${away} at ${home} on ${day}`)
      const { results } = yield* fairOdds({ game_pk: game.gamePk })
      const { prediction } = results
      if (!/^(scheduled|pre-game|warmup)/i.test(results.game.state)) {
        return yield* otherDay(`game ${game.gamePk} to come: ${results.game.state}`)
      }
      return {
        subject: String(game.gamePk),
        output: { win_prob_home: prediction.win_prob_home },
        modelVersion: prediction.model_version,
        modelSource: "final score",
        isSame: () => true,
        flags: prediction.quality_flags ?? [],
      }
    }),
  )

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/**
 * What the lanes say of a venue's contracts. A lane that records its calls would record these: give it a record that
 * keeps nothing.
 */
export const layer: Layer.Layer<Models, never, Baseball | Crypto | Football | Weather> = Layer.effect(
  Models,
  Effect.map(
    Effect.all([Weather, Crypto, Football, Baseball]),
    ([weatherLane, cryptoLane, footballLane, baseballLane]) => {
      const all = [
        weatherOpinions(weatherLane),
        cryptoOpinions(cryptoLane),
        footballOpinions(footballLane),
        baseballOpinions(baseballLane),
      ]
      return {
        price: (contracts) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const answered = (yield* Effect.forEach(all, (opinions) => opinions(contracts, now))).flat()
            return {
              opinions: answered.flatMap(({ opinion }) => opinion ?? []),
              troubles: answered.flatMap(({ trouble }) => trouble ?? []),
            }
          }),
      }
    },
  ),
)

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Answer } from "../../endpoint/Answer.ts"
import { type Failure, fail } from "../../Failure.ts"
import type { Recordable } from "../../record/captures/Recordable.ts"
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
import { Models, type Opinion } from "./ports.ts"

/** What has become of one subject. */
interface Priced {
  readonly opinion?: Opinion
  readonly trouble?: string
}

/** The signal about a subject: what it says of contracts, and how it stands on the record. */
type Tell<Params, Output> = (
  params: Params,
  contracts: ReadonlyArray<Contract>,
) => Effect.Effect<readonly [told: Omit<Told<Output>, "output" | "modelVersion">, record: Recordable<unknown>], Failure>

/** A signal with its record: an opinion is the same as a call's capture. */
const asked = <Results>(
  signal: Effect.Effect<Answer<Results>, Failure>,
): Effect.Effect<readonly [Results, Recordable<Results>], Failure> =>
  Effect.flatMap(signal, ({ results, record }) =>
    record === undefined
      ? Effect.fail(fail("not_found", { detail: "The outcome is no longer open: there is nothing to record." }))
      : Effect.succeed([results, record] as const),
  )

/** A mapping with the lane that answers it. */
const opinionsOf = <Params extends Readonly<Record<string, unknown>>, Output>(
  mapping: Mapping<Params, Output>,
  tell: Tell<Params, Output>,
) => {
  const { domain, lane } = mapping
  return (contracts: ReadonlyArray<Contract>, now: number): Effect.Effect<ReadonlyArray<Priced>> => {
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
        Effect.map(([told, record]): Priced => {
          const rows = group.flatMap(({ contract, asked }) => {
            const probability = mapping.probability(contract, record.output as Output)
            const model = probability === undefined ? undefined : millionths(probability)
            return model === undefined
              ? []
              : [priced(contract, asked, { ...told, modelVersion: record.modelVersion }, lane, model)]
          })
          return rows.length === 0 ? {} : { opinion: { lane, subject: rows[0]!.subject, record, contracts: rows } }
        }),
        Effect.catchAll((failure) => Effect.succeed<Priced>({ trouble: `${subject}: ${failure.message}` })),
      )
    })
  }
}

const never = () => false

const weatherOpinions = ({ signal }: Weather["Type"]) =>
  opinionsOf(weather, (params) =>
    Effect.map(asked(signal(params)), ([results, record]) => [
      {
        modelSource: results.settlement_basis?.model_source ?? "",
        // The report and the venue's index are two thermometers' words, but for venues that name the report.
        isSame: ({ settlesOn }: Contract) => /national weather service|climatological report/i.test(settlesOn),
        flags: [],
      },
      record,
    ]),
  )

const cryptoOpinions = ({ signal }: Crypto["Type"]) =>
  opinionsOf(crypto, (params, contracts) => {
    const strikes = [...new Set(contracts.flatMap(strikesIn))]
    return Effect.map(asked(signal({ ...params, strikes })), ([results, record]) => [
      {
        modelSource: results.settlement_basis?.model_source ?? "",
        isSame: never,
        flags: results.quality_flags ?? [],
      },
      record,
    ])
  })

const otherDay = (what: string): Failure => fail("not_found", { detail: `The schedule has no ${what}.` })

/** What is told of a game: both sides settle on its final score. */
const ofGame = (subject: string, flags: ReadonlyArray<string> = []) => ({
  subject,
  modelSource: "final score",
  isSame: () => true,
  flags,
})

const footballOpinions = ({ fairLine }: Football["Type"]) =>
  opinionsOf(football, ({ home, away, day }) =>
    Effect.flatMap(asked(fairLine({ team: home, opponent: away })), ([results, record]) => {
      const { game, prediction } = results
      return game.gameday !== day || game.home_team !== home
        ? Effect.fail(otherDay(`game of ${away} at ${home} to come on ${day}`))
        : Effect.succeed([ofGame(game.game_id, prediction.quality_flags), record])
    }),
  )

const baseballOpinions = ({ games, fairOdds }: Baseball["Type"]) =>
  opinionsOf(baseball, ({ home, away, day, game: number }) =>
    Effect.gen(function* () {
      // The venue dates a game by the clocks of its park; the slate is by UTC, where a late game is tomorrow's.
      const slates = yield* Effect.forEach([day, nextDay(day)], (date) => games({ date }))
      const found = slates
        .flatMap(({ results }) => results.games)
        .filter(
          (game) =>
            game.home.team_id === home &&
            game.away.team_id === away &&
            (game.official_date ?? day) === day &&
            game.game_number === (number ?? game.game_number),
        )
      const [game] = found
      // Two games of one pair on one day are told apart by the venue's own number, and by nothing else.
      if (game === undefined || found.length > 1) return yield* otherDay(`one game of ${away} at ${home} on ${day}`)
      const [results, record] = yield* asked(fairOdds({ game_pk: game.gamePk }))
      if (!/^(scheduled|pre-game|warmup)/i.test(results.game.state)) {
        return yield* otherDay(`game ${game.gamePk} to come: ${results.game.state}`)
      }
      return [ofGame(String(game.gamePk), results.prediction.quality_flags), record]
    }),
  )

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** What the lanes say of a venue's contracts, as a call would have it recorded. Asking records nothing. */
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

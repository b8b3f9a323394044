import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Secrets } from "../../account/Secrets.ts"
import type { Failure } from "../../Failure.ts"
import { captured } from "../../record/captures/Captures.ts"
import type { Recordable } from "../../record/captures/Recordable.ts"
import { Recorder } from "../../record/captures/Recorder.ts"
import type { RecordInputs } from "../../record/captures/RecordInputs.ts"
import type { Hasher } from "../../record/log/Hasher.ts"
import { type Contract, millionths, type Priced } from "./contract.ts"
import { ageOf, youngest } from "./edge.ts"
import { quoteOf } from "./follow.ts"
import { baseball } from "./mapping/baseball.ts"
import { type CryptoOutput, crypto } from "./mapping/crypto.ts"
import { football } from "./mapping/football.ts"
import type { WinOutput } from "./mapping/score.ts"
import { type WeatherOutput, weather } from "./mapping/weather.ts"
import { ContractStore } from "./ports.ts"

/** The probability of yes that a signal implies; undefined where it has no say. */
const probability = ({ lane, output }: Recordable<unknown>, contract: Contract): number | undefined => {
  switch (lane) {
    case weather.lane:
      return weather.probability(contract, output as WeatherOutput)
    case football.lane:
      return football.probability(contract, output as WinOutput)
    case baseball.lane:
      return baseball.probability(contract, output as WinOutput)
    case crypto.lane:
      return crypto.probability(contract, output as CryptoOutput)
    default:
      return undefined
  }
}

/**
 * Whether calls of a lane are scored on a venue's contracts. Of prices only what the hour's jobs capture is, one signal
 * per subject: calls are on the record beside the contracts, and no row is ever theirs.
 */
const isScored = (lane: string): boolean => lane !== crypto.lane

/** Whether calls of a lane are on the record without a contract too: prices, and lines that finals are scored on. */
const standsAlone = ({ lane, market }: Recordable<unknown>): boolean => lane === crypto.lane || market !== undefined

const pricedBy = (record: Recordable<unknown>, contract: Priced): ReadonlyArray<Priced> => {
  const { at, modelVersion } = record
  // A book that was read too long ago is not what stood beside the answer.
  if (!(at < contract.closeTime && ageOf(contract.quotedAt, at) < youngest)) return []
  const said = probability(record, contract)
  const model = said === undefined ? undefined : millionths(said)
  return model === undefined ? [] : [{ ...contract, model, modelVersion }]
}

type Context = Hasher | RecordInputs | Secrets

const make = <R>(
  about: (record: Recordable<unknown>) => Effect.Effect<ReadonlyArray<Priced>, Failure, R>,
): Layer.Layer<Recorder, never, Context | R> =>
  Layer.effect(
    Recorder,
    Effect.map(Effect.context<Context | R>(), (context) => ({
      offer: (record, bought) =>
        Effect.gen(function* () {
          // What is said from the close on is no prediction.
          if (record.at >= record.closeTime) return undefined
          const contracts = (yield* about(record)).flatMap((contract) => pricedBy(record, contract))
          if (contracts.length === 0 && !standsAlone(record)) return undefined
          const scored = isScored(record.lane) ? contracts : []
          return yield* captured(record, { kind: "on_demand", bought }, scored, contracts.map(quoteOf))
        }).pipe(Effect.provide(context)),
    })),
  )

/** Signals of live keys, beside the books of the open contracts that hang on what they are about. */
export const layer: Layer.Layer<Recorder, never, Context | ContractStore> = make(({ lane, subject }) =>
  Effect.flatMap(ContractStore, ({ about }) => about(lane, subject)),
)

/** The same where no venue is followed. */
export const layerAlone: Layer.Layer<Recorder, never, Context> = make(() => Effect.succeed([]))

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Secrets } from "../../account/Secrets.ts"
import * as Ulid from "../../account/Ulid.ts"
import { RecordInputs } from "../../record/RecordInputs.ts"
import { whenRecording } from "../../record/Recording.ts"
import { type Answered, Snapshots } from "../../record/Snapshots.ts"
import { type Contract, millionths, type Priced } from "./contract.ts"
import { ageOf, youngest } from "./edge.ts"
import { captureOf } from "./follow.ts"
import { baseball } from "./mapping/baseball.ts"
import { type CryptoOutput, crypto } from "./mapping/crypto.ts"
import { football } from "./mapping/football.ts"
import type { WinOutput } from "./mapping/score.ts"
import { type WeatherOutput, weather } from "./mapping/weather.ts"
import { ContractStore } from "./providers.ts"

/** The probability of yes that an answer implies; undefined where it has no say. */
const probability = ({ lane, output }: Answered, contract: Contract): number | undefined => {
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
 * Whether calls of a lane are scored. Of prices only what the hour's jobs capture is, one signal per subject: calls are
 * on the record for whoever wants to see them, beside a venue's contracts or without, and no row is ever theirs.
 */
const isScored = (lane: string): boolean => lane !== crypto.lane

const pricedBy = (answered: Answered, contract: Priced): ReadonlyArray<Priced> => {
  const { at, modelVersion } = answered
  // A book that was read too long ago is not what stood beside the answer.
  if (!(at < contract.closeTime && ageOf(contract.quotedAt, at) < youngest)) return []
  const said = probability(answered, contract)
  const model = said === undefined ? undefined : millionths(said)
  return model === undefined ? [] : [{ ...contract, model, modelVersion }]
}

/** Calls of live keys on the record, beside the books of the open contracts that hang on what they ask for. */
export const layer: Layer.Layer<Snapshots, never, ContractStore | RecordInputs | Secrets> = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const store = yield* ContractStore
    const inputs = yield* RecordInputs
    const secrets = yield* Secrets
    return {
      take: (answered) =>
        whenRecording(
          Effect.gen(function* () {
            const open = yield* store.about(answered.lane, answered.subject)
            const contracts = open.flatMap((contract) => pricedBy(answered, contract))
            const scored = isScored(answered.lane)
            if (scored && contracts.length === 0) return 0
            const { inputs: from, ...said } = answered
            const signal = {
              ...said,
              id: Ulid.encode(answered.at, yield* secrets.randomBytes(10)),
              kind: "on_demand" as const,
              inputsHash: yield* Effect.provideService(from, RecordInputs, inputs),
            }
            return yield* store.take([{ capture: captureOf(signal, contracts), contracts: scored ? contracts : [] }])
          }),
          0,
        ),
    }
  }),
)

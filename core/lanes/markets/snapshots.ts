import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Secrets } from "../../account/Secrets.ts"
import * as Ulid from "../../account/Ulid.ts"
import { RecordInputs } from "../../record/RecordInputs.ts"
import { type Answered, Snapshots } from "../../record/Snapshots.ts"
import { type Contract, millionths, type Priced } from "./contract.ts"
import { youngest } from "./edge.ts"
import { capturedOf } from "./follow.ts"
import { baseball } from "./mapping/baseball.ts"
import { football, type WinOutput } from "./mapping/football.ts"
import { type WeatherOutput, weather } from "./mapping/weather.ts"
import { ContractStore } from "./providers.ts"

/** The probability of yes that an answer implies; undefined for lanes whose calls are not scored. */
const probability = ({ lane, output }: Answered, contract: Contract): number | undefined => {
  switch (lane) {
    case weather.lane:
      return weather.probability(contract, output as WeatherOutput)
    case football.lane:
      return football.probability(contract, output as WinOutput)
    case baseball.lane:
      return baseball.probability(contract, output as WinOutput)
    default:
      return undefined
  }
}

/** As JSON has it: what is optional and absent may be there as undefined, which the record has no form for. */
const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A

const pricedBy = (answered: Answered, contract: Priced): ReadonlyArray<Priced> => {
  const { at, modelVersion } = answered
  // A book that was read too long ago is not what stood beside the answer.
  if (!(at < contract.closeTime && at - contract.quotedAt < youngest)) return []
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
        Effect.gen(function* () {
          const open = yield* store.about(answered.lane, answered.subject)
          const contracts = open.flatMap((contract) => pricedBy(answered, contract))
          if (contracts.length === 0) return 0
          const { inputs: from, params, output, ...signal } = answered
          const captured = capturedOf({
            ...signal,
            params: plain(params),
            output: plain(output),
            contracts,
            id: Ulid.encode(answered.at, yield* secrets.randomBytes(10)),
            kind: "on_demand",
            inputsHash: yield* inputs.put(plain(from)),
          })
          return captured === undefined ? 0 : yield* store.take([captured])
        }),
    }
  }),
)

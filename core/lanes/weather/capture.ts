import * as Effect from "effect/Effect"
import { Secrets } from "../../account/Secrets.ts"
import * as Ulid from "../../account/Ulid.ts"
import type { Failure } from "../../endpoint/Failure.ts"
import { Captures } from "../../record/Captures.ts"
import { endpoints } from "./endpoints.ts"
import { addDays, climateDay, stations } from "./stations.ts"
import { Weather } from "./Weather.ts"

/** The venue lists the days that are captured: today and tomorrow. */
const ahead = [0, 1]

/**
 * Takes one signal per station and day, today and tomorrow, for a slot through the capture port. A slot is kept once,
 * however often it is taken. A station without a signal does not cost the others theirs; the first failure is told when
 * those are stored.
 *
 * @param slot epoch milliseconds
 * @returns how many were new
 */
export const captureSignals = (slot: number): Effect.Effect<number, Failure, Captures | Secrets | Weather> =>
  Effect.gen(function* () {
    const captures = yield* Captures
    const { signal } = yield* Weather
    const secrets = yield* Secrets
    const wanted = stations.flatMap((station) =>
      ahead.map((days) => ({ station: station.id, target: addDays(climateDay(station, slot), days) })),
    )
    const [failures, taken] = yield* Effect.partition(wanted, (params) =>
      Effect.gen(function* () {
        const { results } = yield* signal(params)
        const { projection, uncertainty, probabilities, model_version = "" } = results
        const output = { projection, uncertainty, probabilities }
        return {
          id: Ulid.encode(slot, yield* secrets.randomBytes(10)),
          lane: Weather.lane.name,
          endpoint: endpoints.signal.id,
          subject: `${params.station}/${params.target}`,
          modelVersion: model_version,
          kind: "scheduled" as const,
          at: slot,
          params,
          output,
          quotes: [],
          inputsHash: yield* secrets.sha256(JSON.stringify([model_version, params, output])),
        }
      }),
    )
    const stored = yield* captures.take(taken)
    const [failure] = failures
    return failure === undefined ? stored : yield* failure
  })

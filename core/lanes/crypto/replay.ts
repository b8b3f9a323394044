import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import type { Failure } from "../../endpoint/Failure.ts"
import { RecordInputs } from "../../record/RecordInputs.ts"
import { type Recompute, standingAt } from "../../record/replay.ts"
import { Crypto, signalMinutes } from "./Crypto.ts"
import type { endpoints } from "./endpoints.ts"
import { Tape, type Window } from "./providers.ts"

type Params = Endpoint.Params<typeof endpoints.signal>
type Signal = Endpoint.Results<typeof endpoints.signal>

/** Closes that are kept together, from one quarter of a UTC day: neighbouring signals share all but the ends. */
const blockMinutes = 360

const Closes = Schema.Array(Schema.NullOr(Schema.Finite))

const Inputs = Schema.Struct({
  /** Epoch milliseconds at which the tape was read. */
  now: Schema.Int,
  source: Schema.String,
  flags: Schema.Array(Schema.String),
  /** Minutes since the epoch of the last close. */
  last_minute: Schema.Int,
  /** Hashes of the closes, oldest first; null in place of a minute without a candle. */
  closes: Schema.Array(Schema.String),
})

const keep = (window: Window, now: number): Effect.Effect<string, Failure, RecordInputs> =>
  Effect.gen(function* () {
    const inputs = yield* RecordInputs
    const { closes, lastMinute, source, flags } = window
    const first = lastMinute - closes.length + 1
    const blocks: Array<string> = []
    for (let from = first; from <= lastMinute; ) {
      const to = Math.min(lastMinute + 1, (Math.floor(from / blockMinutes) + 1) * blockMinutes)
      const block = closes.subarray(from - first, to - first)
      blocks.push(yield* inputs.put(Array.from(block, (close) => (Number.isNaN(close) ? null : close))))
      from = to
    }
    return yield* inputs.put({
      now,
      source,
      flags,
      last_minute: lastMinute,
      closes: blocks,
    } satisfies typeof Inputs.Type)
  })

const read = (value: unknown): Effect.Effect<readonly [window: Window, now: number], Failure, RecordInputs> =>
  Effect.gen(function* () {
    const inputs = yield* RecordInputs
    const kept = yield* Effect.orDie(Schema.decodeUnknown(Inputs)(value))
    const blocks = yield* Effect.forEach(kept.closes, (hash) =>
      Effect.flatMap(inputs.get(hash), (block) => Effect.orDie(Schema.decodeUnknown(Closes)(block))),
    )
    const closes = Float64Array.from(blocks.flat(), (close) => close ?? Number.NaN)
    return [{ closes, lastMinute: kept.last_minute, source: kept.source, flags: kept.flags }, kept.now] as const
  })

/** The signal over a window as it was at an instant: the same whether it is given now or computed again. */
const signalFrom = (window: Window | undefined, now: number, params: Params): Effect.Effect<Signal, Failure> => {
  const tape = Layer.succeed(Tape, { freshness: "live", window: () => Effect.succeed(window) })
  return Effect.flatMap(Crypto, ({ signal }) => Effect.map(signal(params), ({ results }) => results)).pipe(
    Effect.provide(Crypto.layer.pipe(Layer.provide(tape))),
    standingAt(now),
  )
}

/** What is scored of a signal. */
const outputOf = ({ spot, sigma_ln, p_above }: Signal) => ({ spot, sigma_ln, p_above })

/** A signal whose inputs are kept: what is scored of it, its model and the hash of the inputs. */
export const recordedSignal = (params: Params) =>
  Effect.gen(function* () {
    const tape = yield* Tape
    const window = yield* tape.window(params.asset, signalMinutes)
    const now = yield* Clock.currentTimeMillis
    const results = yield* signalFrom(window, now, params)
    // A signal is never given without a window.
    const inputsHash = yield* keep(window!, now)
    return { output: outputOf(results), modelVersion: results.model_version ?? "", inputsHash }
  })

/** The same from what was kept. */
export const recompute: Recompute = (params, inputs) =>
  Effect.flatMap(read(inputs), ([window, now]) => Effect.map(signalFrom(window, now, params as Params), outputOf))

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as signer from "../../adapters/runtime/node/signer.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import * as recordInputs from "../../adapters/store/record/RecordInputs.ts"
import * as recordLog from "../../adapters/store/record/RecordLog.ts"
import type { Answer } from "../../core/endpoint/Answer.ts"
import { Captures } from "../../core/record/captures/Captures.ts"
import { Recorder } from "../../core/record/captures/Recorder.ts"
import { RecordInputs } from "../../core/record/captures/RecordInputs.ts"
import type { Leaf } from "../../core/record/log/leaf.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import type { Signer } from "../../core/record/log/Signer.ts"

/** A leaf that is like any other but for its number and `changes`. */
export const leaf = (n: number, changes: Partial<Leaf> = {}): Leaf => ({
  id: `leaf_${String(n).padStart(6, "0")}`,
  kind: "capture",
  at: 1_783_468_800_000 + n * 1_000,
  lane: "crypto",
  subject: "BTC/60",
  body: { n, p_above: [{ strike: 60_000, p_above: 1 / (n + 2) }], note: "é\u2028\n" },
  ...changes,
})

export const leaves = (from: number, to: number, changes: Partial<Leaf> = {}): ReadonlyArray<Leaf> =>
  Array.from({ length: to - from }, (_, at) => leaf(from + at, changes))

export const origin = "record.example/log"

/** Puts a lane's signal on the record as the call of a buyer would, without the charge; what is told of it then. */
export const bought = <Results>(answer: Answer<Results>, requestId = "req_test") =>
  Effect.gen(function* () {
    const { record, results } = answer
    if (record === undefined) return results
    const captured = yield* (yield* Recorder).capture(record, { requestId, accountId: "acct_test", keyId: "key_test" })
    if (captured === undefined) return results
    yield* (yield* Captures).append([captured])
    return record.recorded?.(captured.contracts.length) ?? results
  })

/** A record in memory, and what signs it. */
export const inMemory = Layer.mergeAll(
  RecordLog.layerMemory,
  RecordInputs.layerMemory(),
  Layer.suspend(() => signer.layerMemory(origin)),
).pipe(Layer.provideMerge(hasher.layer))

/** A record in an opened store, its key in memory unless another one is given. */
export const recordOver = <Store>(
  store: Layer.Layer<Store | Transactions, sqlite.StoreError>,
  signing = Layer.suspend(() => signer.layerMemory(origin)),
) =>
  Layer.mergeAll(recordLog.layer, recordInputs.layer, signing).pipe(
    Layer.provideMerge(Layer.merge(store, hasher.layer)),
  )

/** A record in a SQLite file. */
export const inStore = (filename = ":memory:", signing?: Layer.Layer<Signer>) =>
  recordOver(sqlite.layer(filename), signing)

/** Puts leaves into the log in pages, as a back-fill would. */
export const fill = (count: number, changes: Partial<Leaf> = {}, page = 10_000) =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    for (let from = yield* log.size; from < count; from += page) {
      yield* log.append(leaves(from, Math.min(count, from + page), changes))
    }
  })

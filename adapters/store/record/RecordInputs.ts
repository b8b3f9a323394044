import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BoundedMap } from "../../../core/BoundedMap.ts"
import { perObject } from "../../../core/perObject.ts"
import { type Part, RecordInputs, type Text } from "../../../core/record/captures/RecordInputs.ts"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../core/Step.ts"
import { makeInserts } from "../engine/manyRows.ts"
import { type Queries, Transactions } from "../engine/Transactions.ts"

/** Texts per transaction, so that storing many parts does not block the store. */
const textsPerTransaction = 64
const maxKnownHashes = 100_000

/** Hashes known to be on disk, by store: parts that many signals share are written once. */
const getKnownHashes = perObject((_: Queries["prepare"]) => new BoundedMap<string, true>(maxKnownHashes))

export const makeSteps = (store: Queries) => {
  const stored = getKnownHashes(store.prepare)
  const insert = makeInserts(store, "record_inputs", ["hash", "text"], "ON CONFLICT DO NOTHING")
  const get = store.prepare<{ readonly text: string }>("SELECT text FROM record_inputs WHERE hash = ?")
  return {
    /** Call it once per transaction. Writes in the order of the hashes, so that two transactions never deadlock. */
    put: (texts: ReadonlyArray<Text>) =>
      insert.run(texts.map(({ hash, text }) => [hash, text] as const).sort(([a], [b]) => (a < b ? -1 : Number(a > b)))),
    /** Call it when the texts are durable. */
    reached: (texts: ReadonlyArray<Text>): void => {
      for (const { hash } of texts) stored.set(hash, true)
    },
    isKept: (hash: string): boolean => stored.get(hash) === true,
    get: Step.fn(function* (hash: string) {
      return (yield* get.get(hash))?.text
    }),
  }
}

export const toTexts = (parts: ReadonlyArray<Part>): ReadonlyArray<Text> =>
  parts.map(({ hash, text }) => ({ hash, text: text() }))

export const layer: Layer.Layer<RecordInputs, never, SyncSha256 | Transactions> = Layer.effect(
  RecordInputs,
  Effect.gen(function* () {
    const { sha256 } = yield* SyncSha256
    const { read, write, ...store } = yield* Transactions
    const step = makeSteps(store)
    return {
      isKept: step.isKept,
      keep: (parts) =>
        Effect.gen(function* () {
          for (let from = 0; from < parts.length; from += textsPerTransaction) {
            const texts = toTexts(parts.slice(from, from + textsPerTransaction))
            yield* write(() => step.put(texts))
            step.reached(texts)
          }
        }),
      get: (hash) =>
        Effect.flatMap(
          read(() => step.get(hash)),
          (text) => RecordInputs.read(sha256, hash, text),
        ),
    }
  }),
)

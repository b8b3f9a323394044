import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Part, RecordInputs, type Text } from "../../core/record/captures/RecordInputs.ts"
import { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import { mapStorageErrors } from "./storage.ts"

/** Texts of one transaction, so that storing many parts does not block the store. */
const slice = 64
const maxKnown = 100_000

/** Hashes known to be on disk, by store: parts that many signals share are written once. */
const stores = new WeakMap<Database, Set<string>>()
const knownIn = (db: Database): Set<string> => {
  const known = stores.get(db) ?? new Set<string>()
  stores.set(db, known)
  return known
}

/** Synchronous writes and reads of inputs on the bare connection. */
export const steps = (db: Database) => {
  const known = knownIn(db)
  const insert = db.prepare("INSERT INTO record_inputs (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING")
  const get = db.prepare("SELECT text FROM record_inputs WHERE hash = ?").pluck()
  return {
    put: (texts: ReadonlyArray<Text>): void => {
      for (const { hash, text } of texts) insert.run(hash, text)
    },
    /** Call it when the texts are durable. */
    reached: (texts: ReadonlyArray<Text>): void => {
      if (known.size > maxKnown) known.clear()
      for (const { hash } of texts) known.add(hash)
    },
    isKept: (hash: string): boolean => known.has(hash),
    get: (hash: string) => get.get(hash) as string | undefined,
  }
}

export const textsOf = (parts: ReadonlyArray<Part>): ReadonlyArray<Text> =>
  parts.map(({ hash, text }) => ({ hash, text: text() }))

/** The stored inputs of recorded signals. */
export const layer: Layer.Layer<RecordInputs, never, SyncSha256 | Sqlite> = Layer.scoped(
  RecordInputs,
  Effect.gen(function* () {
    const { sha256 } = yield* SyncSha256
    const { db, exclusive } = yield* Sqlite
    const step = steps(db)
    const commits = yield* GroupCommit.make
    return {
      isKept: step.isKept,
      keep: (parts) =>
        Effect.gen(function* () {
          for (let from = 0; from < parts.length; from += slice) {
            const texts = textsOf(parts.slice(from, from + slice))
            yield* commits.submit(() => step.put(texts))
            step.reached(texts)
          }
        }),
      get: (hash) =>
        Effect.flatMap(mapStorageErrors(exclusive(() => step.get(hash))), (text) =>
          RecordInputs.read(sha256, hash, text),
        ),
    }
  }),
)

import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../core/endpoint/Field.ts"
import type { Signed } from "../../core/record/log/checkpoint.ts"
import { type Leaf, textOf } from "../../core/record/log/leaf.ts"
import * as merkle from "../../core/record/log/merkle.ts"
import { type Entry, isDigest, leafConflict, RecordLog } from "../../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import { mapStorageErrors } from "./storage.ts"

/** A leaf ready to be appended. Its text is made outside the transaction, where it may fail. */
export interface Written {
  readonly id: string
  readonly text: string
  readonly sealedUntil?: number
}

export const writtenOf = (leaf: Leaf): Written => ({
  id: leaf.id,
  text: textOf(leaf),
  ...ifDefined("sealedUntil", leaf.seal?.until),
})

interface LeafRow {
  readonly position: number
  readonly id: string
  readonly leaf_hash: Buffer
  readonly text: string
  readonly sealed_until: number | null
}

const width = 32

const entryOf = ({ position, id, leaf_hash, text, sealed_until }: LeafRow): Entry => ({
  position,
  id,
  hash: leaf_hash,
  text,
  ...(sealed_until === null ? {} : { sealedUntil: sealed_until }),
})
const columns = "position, id, leaf_hash, text, sealed_until"

/**
 * Synchronous operations of the log on the bare connection. A repository whose rows are also leaves calls `append` in the
 * transaction that writes them. No state is cached: a transaction may be rolled back, and other processes append to the
 * same log.
 */
export const steps = (db: Database, sha256: merkle.Sha256) => {
  const sql = {
    size: db.prepare("SELECT coalesce(MAX(position) + 1, 0) FROM record_leaves").pluck(),
    hash: db.prepare("SELECT leaf_hash FROM record_leaves WHERE position = ?").pluck(),
    subtrees: db.prepare("SELECT subtrees FROM record_leaves WHERE position = ?").pluck(),
    known: db.prepare("SELECT position, text FROM record_leaves WHERE id = ?"),
    append: db.prepare(`
      INSERT INTO record_leaves (position, id, leaf_hash, subtrees, text, sealed_until) VALUES (?, ?, ?, ?, ?, ?)`),
    at: db.prepare(`SELECT ${columns} FROM record_leaves WHERE position = ?`),
    byId: db.prepare(`SELECT ${columns} FROM record_leaves WHERE id = ?`),
    byHash: db.prepare(`SELECT ${columns} FROM record_leaves WHERE leaf_hash = ?`),
    range: db.prepare(`
      SELECT ${columns} FROM record_leaves WHERE position >= ? AND position < ? ORDER BY position`),
    keep: db.prepare(
      "INSERT INTO record_checkpoints (size, at, key, note) VALUES (:size, :at, :key, :note) ON CONFLICT DO NOTHING",
    ),
    newest: db.prepare("SELECT size, at, key, note FROM record_checkpoints ORDER BY size DESC LIMIT 1"),
    checkpoint: db.prepare("SELECT size, at, key, note FROM record_checkpoints WHERE size = ?"),
    checkpoints: db.prepare(
      "SELECT size, at, key, note FROM record_checkpoints WHERE size > ? AND size <= ? ORDER BY size",
    ),
  }

  const size = (): number => sql.size.get() as number

  /** A subtree's hash is stored in the row of its last leaf. */
  const hashOf = ({ level, index }: merkle.Node): Uint8Array => {
    const last = (index + 1) * 2 ** level - 1
    const found = (level === 0 ? sql.hash : sql.subtrees).get(last) as Buffer | undefined
    if (found === undefined) throw new Error(`Leaf ${last} is missing from the record.`)
    return level === 0 ? found : found.subarray((level - 1) * width, level * width)
  }

  const append = (leaves: ReadonlyArray<Written>): ReadonlyArray<number> => {
    let next = size()
    const peaks = merkle.subtrees([0, next]).map(hashOf)
    return leaves.map(({ id, text, sealedUntil }) => {
      const before = sql.known.get(id) as { readonly position: number; readonly text: string } | undefined
      if (before !== undefined) {
        if (before.text !== text) throw leafConflict(id)
        return before.position
      }
      const hash = merkle.leafHash(sha256, Buffer.from(text))
      const completed = merkle.grow(sha256, peaks, next, hash)
      sql.append.run(next, id, hash, Buffer.concat(completed), text, sealedUntil ?? null)
      return next++
    })
  }

  const one = (row: unknown): Entry | undefined => (row === undefined ? undefined : entryOf(row as LeafRow))

  return {
    append,
    size,
    hashes: (nodes: ReadonlyArray<merkle.Node>) => nodes.map(hashOf),
    leafAt: (position: number) => one(sql.at.get(position)),
    leafOf: (name: string) =>
      one(sql.byId.get(name)) ?? (isDigest(name) ? one(sql.byHash.get(Buffer.from(name, "hex"))) : undefined),
    range: (from: number, to: number) => (sql.range.all(from, to) as ReadonlyArray<LeafRow>).map(entryOf),
    keep: (checkpoint: Signed): void => void sql.keep.run({ ...checkpoint }),
    checkpoint: (of: number | undefined) =>
      (of === undefined ? sql.newest.get() : sql.checkpoint.get(of)) as Signed | undefined,
    checkpoints: (after: number, to: number) => sql.checkpoints.all(after, to) as ReadonlyArray<Signed>,
  }
}

/** The record in the SQLite store. */
export const layer: Layer.Layer<RecordLog, never, SyncSha256 | Sqlite> = Layer.scoped(
  RecordLog,
  Effect.gen(function* () {
    const { db, exclusive } = yield* Sqlite
    const { sha256 } = yield* SyncSha256
    const step = steps(db, sha256)
    const commits = yield* GroupCommit.make
    const read = <A>(work: () => A) => mapStorageErrors(exclusive(work))
    return {
      append: (leaves) =>
        Effect.flatMap(
          Effect.sync(() => leaves.map(writtenOf)),
          (written) => commits.submit(() => step.append(written)),
        ),
      size: read(step.size),
      hashes: (nodes) => read(() => step.hashes(nodes)),
      leafAt: (position) => read(() => step.leafAt(position)),
      leafOf: (name) => read(() => step.leafOf(name)),
      range: (from, to) => read(() => step.range(from, to)),
      keep: (checkpoint) => commits.submit(() => step.keep(checkpoint)),
      checkpoint: (size) => read(() => step.checkpoint(size)),
      checkpoints: (after, to) => read(() => step.checkpoints(after, to)),
    }
  }),
)

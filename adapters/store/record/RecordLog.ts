import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../core/ifDefined.ts"
import type { Signed } from "../../../core/record/log/checkpoint.ts"
import { type Leaf, toText } from "../../../core/record/log/leaf.ts"
import * as merkle from "../../../core/record/log/merkle.ts"
import { type Entry, isDigest, leafConflict, RecordLog } from "../../../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../core/Step.ts"
import { makeSerialiseStep } from "../engine/locks.ts"
import { makeInserts, prepareLookUp } from "../engine/manyRows.ts"
import { type Queries, Transactions, type Value } from "../engine/Transactions.ts"

/** A leaf ready to be appended. Its text is made before the transaction, since that may fail. */
export interface WritableLeaf {
  readonly id: string
  readonly text: string
  readonly sealedUntil?: number
}

export const toWritable = (leaf: Leaf): WritableLeaf => ({
  id: leaf.id,
  text: toText(leaf),
  ...ifDefined("sealedUntil", leaf.seal?.until),
})

interface LeafRow {
  readonly position: number
  readonly id: string
  readonly leaf_hash: Uint8Array
  readonly text: string
  readonly sealed_until: number | null
}

/** The hash of a leaf, or those of the subtrees that it completes. */
interface Hashes {
  readonly hashes: Uint8Array
}

type Known = Pick<LeafRow, "position" | "text">

const hashBytes = 32

const entryFromRow = ({ position, id, leaf_hash, text, sealed_until }: LeafRow): Entry => ({
  position,
  id,
  hash: leaf_hash,
  text,
  ...(sealed_until === null ? {} : { sealedUntil: sealed_until }),
})
const columns = "position, id, leaf_hash, text, sealed_until"
const signedColumns = "size, at, key, note"

/** The last leaf of a subtree; its row has the subtree's hash. */
const lastPosition = ({ level, index }: merkle.Node): number => (index + 1) * 2 ** level - 1

const table = "record_leaves"

const prepareAll = (store: Queries) => {
  const { prepare } = store
  return {
    size: prepare<{ readonly size: number }>("SELECT coalesce(MAX(position) + 1, 0) AS size FROM record_leaves"),
    leafHashes: prepareLookUp<Hashes>(store, { table, key: "position", columns: "leaf_hash AS hashes" }),
    subtrees: prepareLookUp<Hashes>(store, { table, key: "position", columns: "subtrees AS hashes" }),
    known: prepareLookUp<Known>(store, { table, key: "id", columns: "position, text" }),
    append: makeInserts(store, table, ["position", "id", "leaf_hash", "subtrees", "text", "sealed_until"]),
    at: prepare<LeafRow>(`SELECT ${columns} FROM record_leaves WHERE position = ?`),
    byId: prepare<LeafRow>(`SELECT ${columns} FROM record_leaves WHERE id = ?`),
    byHash: prepare<LeafRow>(`SELECT ${columns} FROM record_leaves WHERE leaf_hash = ?`),
    range: prepare<LeafRow>(
      `SELECT ${columns} FROM record_leaves WHERE position >= ? AND position < ? ORDER BY position`,
    ),
    keep: prepare(`INSERT INTO record_checkpoints (${signedColumns}) VALUES (?, ?, ?, ?)`),
    newest: prepare<Signed>(`SELECT ${signedColumns} FROM record_checkpoints ORDER BY size DESC LIMIT 1`),
    checkpoint: prepare<Signed>(`SELECT ${signedColumns} FROM record_checkpoints WHERE size = ?`),
    checkpoints: prepare<Signed>(
      `SELECT ${signedColumns} FROM record_checkpoints WHERE size > ? AND size <= ? ORDER BY size`,
    ),
  }
}

const makeReadHashes = (sql: Pick<ReturnType<typeof prepareAll>, "leafHashes" | "subtrees">) =>
  Step.fn(function* (nodes: ReadonlyArray<merkle.Node>) {
    const lasts = (isLeaf: boolean) => nodes.filter(({ level }) => (level === 0) === isLeaf).map(lastPosition)
    const leaves = (yield* sql.leafHashes(lasts(true))).values()
    const subtrees = (yield* sql.subtrees(lasts(false))).values()
    return nodes.map((node): Uint8Array => {
      const { level } = node
      const found = (level === 0 ? leaves : subtrees).next().value?.hashes
      if (found === undefined) throw new Error(`Leaf ${lastPosition(node)} is missing from the record.`)
      return level === 0 ? found : found.subarray((level - 1) * hashBytes, level * hashBytes)
    })
  })

/**
 * Operations of the log. A repository whose rows are also leaves appends them in the transaction that writes them. No state
 * is cached: a transaction may be rolled back, and other processes append to the same log.
 */
export const makeSteps = (store: Queries, sha256: merkle.Sha256) => {
  const sql = prepareAll(store)
  /**
   * Lets no other transaction append to the log until this one ends. A transaction that reads the record to decide what to
   * append takes it before the read, as its first lock. Unlike a row's lock it writes nothing, and needs no second copy of the
   * log's size. SQLite needs none: its transactions begin with the write lock.
   */
  const locked = makeSerialiseStep(store)
  const lock = () => locked("record")

  const size = Step.fn(function* () {
    return (yield* sql.size.get())!.size
  })

  const hashes = makeReadHashes(sql)

  /** Appends leaves under the lock that the transaction already has. */
  const appendLocked = Step.fn(function* (leaves: ReadonlyArray<WritableLeaf>) {
    if (leaves.length === 0) return []
    const stored = yield* sql.known(leaves.map(({ id }) => id))
    const added = new Map<string, Known>()
    let next = yield* size()
    const peaks = [...(yield* hashes(merkle.subtrees([0, next])))]
    const fresh: Array<ReadonlyArray<Value>> = []
    const positions = leaves.map(({ id, text, sealedUntil }, index) => {
      const existing = stored[index] ?? added.get(id)
      if (existing !== undefined) {
        if (existing.text !== text) throw leafConflict(id)
        return existing.position
      }
      const hash = merkle.leafHash(sha256, Buffer.from(text))
      const completed = merkle.grow(sha256, peaks, next, hash)
      fresh.push([next, id, hash, Buffer.concat(completed), text, sealedUntil ?? null])
      added.set(id, { position: next, text })
      return next++
    })
    yield* sql.append.run(fresh)
    return positions
  })

  return {
    lock,
    append: (leaves: ReadonlyArray<WritableLeaf>) => Step.andThen(lock(), () => appendLocked(leaves)),
    appendLocked,
    size,
    hashes,
    leafAt: Step.fn(function* (position: number) {
      const row = yield* sql.at.get(position)
      return row && entryFromRow(row)
    }),
    leafOf: Step.fn(function* (name: string) {
      const row =
        (yield* sql.byId.get(name)) ?? (isDigest(name) ? yield* sql.byHash.get(Buffer.from(name, "hex")) : undefined)
      return row && entryFromRow(row)
    }),
    range: Step.fn(function* (from: number, to: number) {
      return (yield* sql.range.all(from, to)).map(entryFromRow)
    }),
    keep: Step.fn(function* ({ size, at, key, note }: Signed) {
      yield* lock()
      const last = yield* sql.newest.get()
      if (last !== undefined && (last.size >= size || last.at > at)) return
      yield* sql.keep.run(size, at, key, note)
    }),
    checkpoint: (of: number | undefined) => (of === undefined ? sql.newest.get() : sql.checkpoint.get(of)),
    checkpoints: (after: number, to: number) => sql.checkpoints.all(after, to),
  }
}

export const layer: Layer.Layer<RecordLog, never, SyncSha256 | Transactions> = Layer.effect(
  RecordLog,
  Effect.gen(function* () {
    const { read, write, ...store } = yield* Transactions
    const { sha256 } = yield* SyncSha256
    const step = makeSteps(store, sha256)
    return {
      append: (leaves) =>
        Effect.flatMap(
          Effect.sync(() => leaves.map(toWritable)),
          (written) => write(() => step.append(written)),
        ),
      size: read(step.size),
      hashes: (nodes) => read(() => step.hashes(nodes)),
      leafAt: (position) => read(() => step.leafAt(position)),
      leafOf: (name) => read(() => step.leafOf(name)),
      range: (from, to) => read(() => step.range(from, to)),
      keep: (checkpoint) => write(() => step.keep(checkpoint)),
      checkpoint: (size) => read(() => step.checkpoint(size)),
      checkpoints: (after, to) => read(() => step.checkpoints(after, to)),
    }
  }),
)

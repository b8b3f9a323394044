import * as Exit from "effect/Exit"
import * as merkle from "../../../../core/record/log/merkle.ts"
import { leafConflict } from "../../../../core/record/log/RecordLog.ts"
import * as Step from "../../../../core/Step.ts"
import type { Written } from "../../../sql/RecordLog.ts"
import type { Transactions } from "../../../sql/Transactions.ts"

interface Hashes {
  readonly leaf_hash: Uint8Array
  readonly subtrees: Uint8Array
}

const width = 32

/** Appends to the record on both stores, as `sql/RecordLog.ts` does on SQLite; goes when that serves both. */
export const steps = (
  { prepare, dialect }: Pick<Transactions["Type"], "prepare" | "dialect">,
  sha256: merkle.Sha256,
) => {
  const sql = {
    size: prepare<{ readonly size: number }>("SELECT coalesce(MAX(position) + 1, 0) AS size FROM record_leaves"),
    hashes: prepare<Hashes>("SELECT leaf_hash, subtrees FROM record_leaves WHERE position = ?"),
    known: prepare<{ readonly position: number; readonly text: string }>(
      "SELECT position, text FROM record_leaves WHERE id = ?",
    ),
    append: prepare(`
      INSERT INTO record_leaves (position, id, leaf_hash, subtrees, text, sealed_until) VALUES (?, ?, ?, ?, ?, ?)`),
  }
  // The record's one lock, whoever appends.
  const lock =
    dialect === "sqlite" ? undefined : prepare("SELECT pg_advisory_xact_lock(hashtext('market-signals record'))")

  const hashOf = Step.fn(function* ({ level, index }: merkle.Node) {
    const last = (index + 1) * 2 ** level - 1
    const found = yield* sql.hashes.get(last)
    if (found === undefined) throw new Error(`Leaf ${last} is missing from the record.`)
    return level === 0 ? found.leaf_hash : found.subtrees.subarray((level - 1) * width, level * width)
  })

  const append = Step.fn(function* (leaves: ReadonlyArray<Written>) {
    yield* lock === undefined ? Exit.void : lock.all()
    let next = (yield* sql.size.get())!.size
    const peaks: Array<Uint8Array> = []
    for (const node of merkle.subtrees([0, next])) peaks.push(yield* hashOf(node))
    const positions: Array<number> = []
    for (const { id, text, sealedUntil } of leaves) {
      const before = yield* sql.known.get(id)
      if (before !== undefined) {
        if (before.text !== text) throw leafConflict(id)
        positions.push(before.position)
        continue
      }
      const hash = merkle.leafHash(sha256, Buffer.from(text))
      const completed = merkle.grow(sha256, peaks, next, hash)
      yield* sql.append.run(next, id, hash, Buffer.concat(completed), text, sealedUntil ?? null)
      positions.push(next++)
    }
    return positions
  })

  return { append }
}

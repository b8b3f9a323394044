import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Captured, Captures, isRepeated, leafOf, readLeaf } from "../../core/record/captures/Captures.ts"
import type { Text } from "../../core/record/captures/RecordInputs.ts"
import type { Sha256 } from "../../core/record/log/merkle.ts"
import { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import * as recordInputs from "./RecordInputs.ts"
import * as recordLog from "./RecordLog.ts"
import { mapStorageErrors } from "./storage.ts"

/** A capture ready to be written. Its texts are made outside the transaction, where they may fail. */
export interface Written<A extends Captured = Captured> {
  readonly captured: A
  readonly leaf: recordLog.Written
  /** JSON of each contract, in order. */
  readonly contracts: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<Text>
}

export const writtenOf = <A extends Captured>(captured: A): Written<A> => ({
  captured,
  leaf: recordLog.writtenOf(leafOf(captured.capture)),
  contracts: captured.contracts.map((contract) => JSON.stringify(contract)),
  inputs: recordInputs.textsOf(captured.inputs),
})

/**
 * Synchronous writes and reads of captures on the bare connection, so that the ledger can write a capture in the
 * transaction of its charge. A capture, its leaf, its inputs and its contracts are written together. Only the leaf has
 * the content of a capture.
 */
export const steps = (db: Database, sha256: Sha256) => {
  const log = recordLog.steps(db, sha256)
  const inputs = recordInputs.steps(db)
  const sql = {
    insert: db.prepare(`
      INSERT INTO captures (id, lane, endpoint, subject, kind, at, request_id) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`),
    last: db
      .prepare(`
        SELECT l.text FROM captures c JOIN record_leaves l ON l.id = c.id
        WHERE c.lane = ? AND c.endpoint = ? AND c.subject = ? ORDER BY c.at DESC, l.position DESC LIMIT 1`)
      .pluck(),
    contract: db.prepare(`
      INSERT INTO captured_contracts (venue, ticker, capture_id, at, close_time, contract) VALUES (?, ?, ?, ?, ?, ?)`),
    follow: db.prepare(`
      INSERT INTO tracked_contracts (venue, ticker, domain, close_time) VALUES (?, ?, ?, ?)
      ON CONFLICT (venue, ticker) DO UPDATE SET close_time = excluded.close_time`),
    ofCall: db.prepare(`
      SELECT c.id, j.account_id AS accountId FROM captures c JOIN journal j ON j.id = c.request_id WHERE c.request_id = ?`),
    buyerOf: db
      .prepare("SELECT j.account_id FROM captures c JOIN journal j ON j.id = c.request_id WHERE c.id = ?")
      .pluck(),
  }

  const takeOne = ({
    captured: { capture, contracts, once },
    leaf,
    contracts: texts,
    inputs: from,
  }: Written): boolean => {
    const { id, lane, endpoint, subject, kind, at, bought } = capture
    if (once) {
      const before = sql.last.get(lane, endpoint, subject) as string | undefined
      if (before !== undefined && isRepeated(capture, readLeaf(before))) return false
    }
    if (sql.insert.run(id, lane, endpoint, subject, kind, at, bought?.requestId ?? null).changes === 0) return false
    inputs.put(from)
    for (const [index, { venue, ticker, domain, closeTime }] of contracts.entries()) {
      sql.contract.run(venue, ticker, id, at, closeTime, texts[index])
      sql.follow.run(venue, ticker, domain, closeTime)
    }
    log.append([leaf])
    return true
  }

  return {
    /** Returns the new ones. */
    append: <A extends Captured>(offered: ReadonlyArray<Written<A>>): ReadonlyArray<A> =>
      offered.filter(takeOne).map(({ captured }) => captured),
    /** Call it when the transaction that wrote them is durable. */
    reached: (offered: ReadonlyArray<Written>): void => {
      for (const { inputs: texts } of offered) inputs.reached(texts)
    },
    ofCall: (requestId: string) =>
      sql.ofCall.get(requestId) as { readonly id: string; readonly accountId: string } | undefined,
    buyerOf: (id: string) => sql.buyerOf.get(id) as string | undefined,
  }
}

/** Captures of jobs, and the buyers of the captures of calls. */
export const layer: Layer.Layer<Captures, never, SyncSha256 | Sqlite> = Layer.scoped(
  Captures,
  Effect.gen(function* () {
    const { db, exclusive } = yield* Sqlite
    const { sha256 } = yield* SyncSha256
    const step = steps(db, sha256)
    const commits = yield* GroupCommit.make
    return {
      append: (captured) =>
        Effect.suspend(() => {
          if (captured.length === 0) return Effect.succeed([])
          const offered = captured.map(writtenOf)
          return Effect.tap(
            commits.submit(() => step.append(offered)),
            // If any was skipped, its inputs may not have been written: none is marked as stored then.
            (taken) => Effect.sync(() => taken.length === offered.length && step.reached(offered)),
          )
        }),
      ofCall: (requestId) => mapStorageErrors(exclusive(() => step.ofCall(requestId))),
      buyerOf: (id) => mapStorageErrors(exclusive(() => step.buyerOf(id))),
    }
  }),
)

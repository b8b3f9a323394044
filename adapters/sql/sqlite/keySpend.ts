import { monthOf } from "../../../core/account/Agent.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import * as BatchSums from "./batchSums.ts"
import type { Database } from "./Database.ts"

/**
 * Charges per key and month, summed by the transaction that charges, so that a read needs one row. A batch of calls writes
 * one sum per key.
 */
export const make = (db: Database) => {
  const add = db.prepare(`
    INSERT INTO key_spend (key_id, month, micros) VALUES (?, ?, ?)
    ON CONFLICT (key_id, month) DO UPDATE SET micros = micros + excluded.micros`)
  const read = db.prepare("SELECT micros FROM key_spend WHERE key_id = ? AND month = ?").pluck()
  const readAll = db
    .prepare(
      "SELECT coalesce(SUM(s.micros), 0) FROM api_keys k JOIN key_spend s ON s.key_id = k.id WHERE k.account_id = ? AND s.month = ?",
    )
    .pluck()
  const batch = BatchSums.make<string, { micros: number }>((keyId, month, { micros }) => add.run(keyId, month, micros))
  return {
    /** Of all keys of an account. */
    ofAccount: (accountId: string, month: string): MicroUsd => MicroUsd(readAll.get(accountId, month) as number),
    /** @param at start of the call */
    add: (keyId: string, at: number, micros: MicroUsd): void => {
      batch.of(keyId, monthOf(at), () => ({ micros: 0 })).micros += micros
    },
    flush: batch.flush,
    forget: batch.forget,
    of: (keyId: string, at: number): MicroUsd => MicroUsd((read.get(keyId, monthOf(at)) as number | undefined) ?? 0),
  }
}

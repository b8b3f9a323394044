// A store of some months: 10⁶ audit rows and charges, 10⁵ keys, 10⁴ agents and 10⁶ leaves of the record, written by the
// product's own statements where it has synchronous ones.
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as usage from "../adapters/store/audit/Usage.ts"
import type { Database } from "../adapters/store/engine/sqlite/client.ts"
import { open } from "../adapters/store/engine/sqlite/driver.ts"
import { sqliteQueries, valueOrThrow } from "../adapters/store/engine/Transactions.ts"
import { chargesIn } from "../adapters/store/money/charge.ts"
import { steps, type Written } from "../adapters/store/record/RecordLog.ts"
import * as AuditRows from "../adapters/store/trail/rows.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { Usage } from "../core/account/Usage.ts"
import type { Failure } from "../core/Failure.ts"
import { day } from "../core/time.ts"
import * as App from "../services/app.ts"
import type { Settings } from "../services/Config.ts"

export const sizes = { audit: 1_000_000, keys: 100_000, agents: 10_000, leaves: 1_000_000 }

const digest = (text: string): string => createHash("sha256").update(text).digest("hex")
const numbered = (prefix: string, n: number): string => `${prefix}${String(n).padStart(26, "0")}`

const accountsOf = (db: Database, account: string): void => {
  const agent = db.prepare(
    "INSERT INTO agents (id, account_id, name, status, monthly_cap_micros, created_at) VALUES (?, ?, ?, 'active', 1000000, 0)",
  )
  for (let n = 0; n < sizes.agents; n++) agent.run(numbered("agt_", n), account, `agent ${n}`)
  const key = db.prepare(`
    INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at, agent_id)
    VALUES (?, ?, ?, '0000', 'live', 'free', 60, 0, ?)`)
  for (let n = 0; n < sizes.keys; n++) {
    key.run(numbered("key_", n), account, digest(`key ${n}`), n % 10 === 0 ? numbered("agt_", n / 10) : null)
  }
}

const callsOf = (db: Database, account: string, until: number): void => {
  const { write } = AuditRows.make(db)
  for (let n = 0; n < sizes.audit; n++) {
    const owner = n % sizes.keys
    const line = {
      at: until - Math.floor(((sizes.audit - n) / sizes.audit) * 20 * day),
      requestId: numbered("req_", n),
      accountId: account,
      keyId: numbered("key_", owner),
      ...(owner % 10 === 0 ? { agentId: numbered("agt_", owner / 10) } : {}),
      endpoint: "crypto_signal",
      paramsHash: digest(`call ${n % 5_000}`),
      status: 200,
      charged: MicroUsd(10_000),
      latencyMs: 1,
    }
    write(line)
  }
  chargesIn(db).foldAll()
}

const leafOf = (n: number): Written => ({
  id: numbered("", n),
  text: JSON.stringify({
    id: numbered("", n),
    kind: "capture",
    lane: "crypto",
    subject: "BTC/60",
    inputs: digest(`${n}`),
  }),
})

/** Appends leaves to the record of a store. */
export const recordOf = (db: Database, leaves = sizes.leaves): void => {
  const { append } = steps({ prepare: sqliteQueries(db), dialect: "sqlite" }, (bytes) =>
    createHash("sha256").update(bytes).digest(),
  )
  const page = 10_000
  for (let from = 0; from < leaves; from += page) {
    valueOrThrow(append(Array.from({ length: Math.min(page, leaves - from) }, (_, n) => leafOf(from + n))))
  }
}

const rows = (file: string): void => {
  const db = open(file)
  const account = db.prepare("SELECT id FROM accounts LIMIT 1").pluck().get() as string
  for (const part of [accountsOf, callsOf, (each: Database) => recordOf(each)] as const) {
    db.exec("BEGIN")
    part(db, account, Date.now())
    db.exec("COMMIT")
  }
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
}

/** Makes sums of longer spans of the calls, as the job of every minute has done in such a store. */
const fold: Effect.Effect<void, Failure, Usage> = Effect.flatMap(Usage, (usage) =>
  Effect.repeat(usage.move, { while: (hasMore) => hasMore }),
)

/** Grows the store of one account, in one transaction a part. */
export const grow = (settings: Settings): Promise<void> => {
  rows(settings.sqliteFile)
  return fold.pipe(Effect.provide(usage.layer.pipe(Layer.provide(App.store(settings)))), Effect.runPromise)
}

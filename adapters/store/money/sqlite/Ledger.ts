import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Book from "../../../../core/account/Book.ts"
import type { AgentMonth, Decision, Verdict } from "../../../../core/account/decide.ts"
import type { Caller } from "../../../../core/account/Keyring.ts"
import { type Audit, type Charge, Ledger } from "../../../../core/account/Ledger.ts"
import { type MicroUsd, zero } from "../../../../core/account/Money.ts"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import type { Sha256 } from "../../../../core/record/log/merkle.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import { DiskSpace } from "../../engine/diskGuard.ts"
import { type Database, reader, Sqlite } from "../../engine/sqlite/client.ts"
import * as GroupCommit from "../../engine/sqlite/groupCommit.ts"
import { sqliteQueries, valueOrThrow } from "../../engine/Transactions.ts"
import * as sqlCaptures from "../../record/Captures.ts"
import * as AuditNotes from "../../trail/notes.ts"
import { type AgentRow, agentQuery, toAgentMonth } from "../agentSpend.ts"
import { type Charges, getCharges } from "../charge.ts"
import { startFolding } from "../folds.ts"
import * as Shared from "../Ledger.ts"
import type * as Replies from "../replies.ts"

/** The prepared statements of the money path, without those of charges. */
const prepare = (db: Database) => ({
  agent: db.prepare(agentQuery()),
  spend: db.prepare(`
    INSERT INTO agent_spend (agent_id, livemode, month, micros, warned, exceeded) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (agent_id, livemode, month) DO UPDATE
    SET micros = micros + excluded.micros, warned = max(warned, excluded.warned), exceeded = max(exceeded, excluded.exceeded)`),
  event: db.prepare("INSERT INTO outbox (id, at, account_id, type, livemode, data) VALUES (?, ?, ?, ?, ?, ?)"),
})

/** Number of newest charges whose ids are kept, to refuse a second charge of the same call. */
const maxChargedIds = 20_000

const makeReader = (sql: ReturnType<typeof prepare>, charges: Charges) => {
  const agentRow = (agent: string, livemode: boolean, month: string) =>
    sql.agent.get({ agent, livemode: Number(livemode), month }) as AgentRow | undefined

  return {
    wallet: charges.wallet,
    agentRow,
    agent: (agentId: string, livemode: boolean, month: string): AgentMonth | undefined => {
      const row = agentRow(agentId, livemode, month)
      return row && toAgentMonth(row)
    },
    reply: (keyId: string, key: string, after: number): Replies.Row | undefined => {
      const row = charges.replies.find(keyId, key)
      return row !== undefined && row.at > after ? row : undefined
    },
  }
}

/** Appends rows to the trail, and refuses a second charge of a call. */
const makeTrail = (charges: Charges) => {
  const charged = new BoundedMap<string, true>(maxChargedIds)
  const ids = new Set<string>()
  return {
    append: (line: Audit, micros: MicroUsd = zero): void => {
      // The wallet is debited by the row's charge.
      if (line.charged !== micros) {
        throw new Error(`The audit row of ${line.requestId} has another charge than its call.`)
      }
      if (micros > 0) {
        if (ids.has(line.requestId) || charged.get(line.requestId))
          throw new Error(`${line.requestId} is charged already.`)
        ids.add(line.requestId)
      }
      charges.append(line)
    },
    committed: (): void => {
      for (const id of ids) charged.set(id, true)
      ids.clear()
      charges.committed()
    },
    undo: (): void => {
      ids.clear()
      charges.undo()
    },
  }
}

/** The charges of the running batch, so that a sum is read and written once. */
const makeBook = (reader: ReturnType<typeof makeReader>, charges: Charges): Book.Book =>
  Book.make({
    wallet: reader.wallet,
    agent: reader.agent,
    reply: (keyId, key, after) => {
      const row = reader.reply(keyId, key, after)
      return row && { requestHash: row.request_hash, isStored: row.stored !== null }
    },
    bytes: charges.replies.used,
  })

/** Writes the sums of the batch that are not folded later. */
const makeWriteSums = (sql: ReturnType<typeof prepare>, book: Book.Book) => (): void => {
  for (const { agentId, livemode, month, counted, warningSent, exceededSent } of book.changes().agents) {
    if (counted > 0 || warningSent || exceededSent) {
      sql.spend.run(agentId, Number(livemode), month, counted, Number(warningSent), Number(exceededSent))
    }
  }
  book.clear()
}

const makeEmit =
  (sql: ReturnType<typeof prepare>) =>
  ({ accountId, livemode }: Caller, at: number, events: Decision["events"]): void => {
    for (const { type, data } of events) {
      sql.event.run(randomUUID(), at, accountId, type, Number(livemode), JSON.stringify(data))
    }
  }

/** The ledger's synchronous operations; calls are decided one by one, in the order of the batch. */
const makeSteps = (db: Database, sha256: Sha256, isLow: () => boolean) => {
  const sql = prepare(db)
  const charges = getCharges(db)
  const reader = makeReader(sql, charges)
  const trail = makeTrail(charges)
  const book = makeBook(reader, charges)
  const writeSums = makeWriteSums(sql, book)
  const emit = makeEmit(sql)
  const reasons = db.prepare("INSERT INTO call_reasons (request_id, at, fields) VALUES (?, ?, ?)")
  const captures = sqlCaptures.makeSteps({ prepare: sqliteQueries(db), dialect: "sqlite" }, sha256)

  /** @param written the call's capture */
  const charge = (
    { caller, listMicros: list, chargedMicros: micros, audit: line }: Charge,
    reply: Replies.Reply | undefined,
    written: ReadonlyArray<sqlCaptures.WritableCapture>,
  ): Verdict => {
    const { at } = line
    const { keyId } = caller
    const entry = { caller, list, micros, at }
    const { verdict, events, ...decided } = book.charge(
      reply === undefined ? entry : { ...entry, reply: { ...reply, bytes: reply.bytes?.length } },
      isLow(),
    )
    if (events.length > 0) emit(caller, at, events)
    if (verdict._tag !== "Accepted") return verdict
    if (reply !== undefined && decided.reply !== undefined) {
      const { key, requestHash, bytes } = reply
      const stored = decided.reply.isWhole ? bytes! : null
      charges.replies.put({ key_id: keyId, idempotency_key: key, at, request_hash: requestHash, stored }, micros > 0)
    }
    valueOrThrow(captures.append(written))
    trail.append(line, micros)
    return verdict
  }

  return {
    ...{ reader, charge },
    spent: charges.spent,
    refuse: (asked: Shared.PricedCall): void => emit(asked.caller, asked.at, book.refuse(asked)),
    reached: captures.reached,
    audit: (line: Audit): void => {
      trail.append(line)
      if (line.fields !== undefined) reasons.run(line.requestId, line.at, line.fields)
    },
    hooks: (onCommit: () => void): GroupCommit.Hooks => ({
      beforeCommit: writeSums,
      onCommit: (): void => {
        trail.committed()
        onCommit()
      },
      onRollback: (): void => {
        trail.undo()
        book.clear()
      },
    }),
  }
}

/**
 * The money path on SQLite: every charge is one step of a group commit. Free calls are only counted while disk
 * space is low.
 */
export const layer: Layer.Layer<Ledger, never, DiskSpace | SyncSha256 | Sqlite> = Layer.scoped(
  Ledger,
  Effect.gen(function* () {
    const sqlite = yield* Sqlite
    const read = reader(sqlite)
    const { isLow } = yield* DiskSpace
    const { sha256 } = yield* SyncSha256
    const onCommit = yield* startFolding(sqlite)
    const step = makeSteps(sqlite.db, sha256, isLow)
    const commits = yield* GroupCommit.make
    commits.addHooks(step.hooks(onCommit))
    const appendAudit = yield* AuditNotes.make(isLow, (line, lost) => commits.post(() => step.audit(line), lost))
    const ledger = Shared.make({
      balance: (accountId) => read(() => step.reader.wallet(accountId).balance),
      agent: (...of) => read(() => step.reader.agentRow(...of)),
      spent: (...of) => read(() => step.spent(...of)),
      reply: (...of) => read(() => step.reader.reply(...of)),
      refuse: (asked) => commits.submit(() => step.refuse(asked)),
      charge: (...of) => commits.submit(() => step.charge(...of)),
      reached: step.reached,
    })
    return { ...ledger, appendAudit }
  }),
)

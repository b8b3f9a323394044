import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { monthOf } from "../../../../core/account/Agent.ts"
import * as Book from "../../../../core/account/Book.ts"
import {
  type AgentMonth,
  type Decision,
  decide,
  refusal,
  replyLifetimeMs,
  settled,
  type Verdict,
} from "../../../../core/account/decide.ts"
import type { Caller } from "../../../../core/account/Keyring.ts"
import { type Audit, Ledger, type Settlement, type SpendStatus } from "../../../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../../../core/account/Money.ts"
import type { Sha256 } from "../../../../core/record/log/merkle.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../../core/Step.ts"
import { DiskSpace } from "../../engine/diskGuard.ts"
import { type Database, reader, Sqlite, type Statement } from "../../engine/sqlite/client.ts"
import * as GroupCommit from "../../engine/sqlite/groupCommit.ts"
import { sqliteQueries, valueOrThrow } from "../../engine/Transactions.ts"
import * as sqlCaptures from "../../record/Captures.ts"
import * as AuditNotes from "../../trail/notes.ts"
import * as AuditRows from "../../trail/rows.ts"
import { type AgentRow, agentMonth, agentWith, spentInAll, statusOf } from "../agentSpend.ts"
import * as BalanceHint from "../balanceHint.ts"
import * as Replies from "../replies.ts"
import * as Folds from "./folded.ts"
import { makeTail, type Tail } from "./Tail.ts"

/** The statements of the money path, prepared once. The most frequent ones take positional parameters, which is faster. */
const prepare = (db: Database) => {
  const statement = (sql: string): Statement => db.prepare(sql)
  return {
    wallet: statement("SELECT balance_micros, low_micros FROM wallets WHERE account_id = ?"),
    // The total is summed only for agents with a lifetime cap.
    agent: statement(agentWith(`CASE WHEN a.budget_cap_micros IS NULL THEN 0 ELSE ${spentInAll} END`)),
    agentInAll: statement(agentWith(spentInAll)),
    spend: statement(`
      INSERT INTO agent_spend (agent_id, livemode, month, micros, warned, exceeded) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (agent_id, livemode, month) DO UPDATE
      SET micros = micros + excluded.micros, warned = max(warned, excluded.warned), exceeded = max(exceeded, excluded.exceeded)`),
    spentByKey: statement("SELECT micros FROM key_spend WHERE key_id = ? AND month = ?").pluck(),
    spentByAccount: statement(`
      SELECT coalesce(SUM(s.micros), 0) FROM api_keys k JOIN key_spend s ON s.key_id = k.id
      WHERE k.account_id = ? AND s.month = ?`).pluck(),
    event: statement("INSERT INTO outbox (id, at, account_id, type, livemode, data) VALUES (?, ?, ?, ?, ?, ?)"),
  }
}

/** Ids of the newest charges, two halves of so many: a second charge of a call is a mistake of its caller, which is refused. */
const half = 10_000

const newestIds = () => {
  let [older, newer] = [new Set<string>(), new Set<string>()]
  return {
    has: (id: string): boolean => newer.has(id) || older.has(id),
    add: (id: string): void => {
      if (newer.size >= half) [older, newer] = [newer, new Set()]
      newer.add(id)
    },
    delete: (id: string): void => {
      newer.delete(id)
      older.delete(id)
    },
  }
}

/** When the tail of the trail is folded. */
interface Folding {
  /** So many rows are a long tail; 0: each batch is folded in its own transaction. */
  readonly rows: number
  readonly onLong: () => void
}

/** Reads of the store and its tail. After `tail.refresh`, in the same transaction. */
const reading = (sql: ReturnType<typeof prepare>, tail: Tail) => {
  const wallet = (accountId: string) => {
    const row = sql.wallet.get(accountId) as { balance_micros: number; low_micros: number | null } | undefined
    return row === undefined
      ? { balance: zero }
      : {
          balance: MicroUsd(row.balance_micros - tail.charges(accountId)),
          lowBalance: row.low_micros === null ? undefined : MicroUsd(row.low_micros),
        }
  }

  const agentRow = (statement: Statement, agent: string, livemode: boolean, month: string) =>
    statement.get({ agent, livemode: Number(livemode), month }) as AgentRow | undefined

  return {
    wallet,
    agent: (agentId: string, livemode: boolean, month: string): AgentMonth | undefined => {
      const row = agentRow(sql.agent, agentId, livemode, month)
      return row && agentMonth(row)
    },
    reply: (keyId: string, key: string, after: number): Replies.Row | undefined => {
      const row = tail.replies.find(keyId, key)
      return row !== undefined && row.at > after ? row : undefined
    },
    spendStatus: (caller: Caller, at: number): SpendStatus => {
      const month = monthOf(at)
      const spent = sql.spentByKey.get(caller.keyId, month) as number | undefined
      return {
        balance: wallet(caller.accountId).balance,
        month,
        monthSpent: MicroUsd((spent ?? 0) + tail.keySpent(caller.keyId, month)),
        ...statusOf(caller.agent && agentRow(sql.agentInAll, caller.agent.id, caller.livemode, month)),
      }
    },
    accountSpent: (accountId: string, month: string) =>
      MicroUsd((sql.spentByAccount.get(accountId, month) as number) + tail.accountSpent(accountId, month)),
  }
}

/** Rows of the trail that the running batch appends; the tail takes them in when it is committed. */
const appending = (db: Database, tail: Tail) => {
  const rows = AuditRows.make(db)
  const charged = newestIds()
  let appended: Array<AuditRows.TailRow> = []
  let chargedIds: Array<string> = []

  const takeIn = (): void => {
    for (const row of appended) tail.add(row)
    appended = []
    tail.replies.takeIn()
  }

  return {
    append: (line: Audit, micros: MicroUsd = zero): void => {
      // The tail takes it for what its wallet paid.
      if (line.charged !== micros) {
        throw new Error(`The audit row of ${line.requestId} has another charge than its call.`)
      }
      if (micros > 0) {
        if (charged.has(line.requestId)) throw new Error(`${line.requestId} is charged already.`)
        charged.add(line.requestId)
        chargedIds.push(line.requestId)
      }
      appended.push(rows.write(line))
    },
    begin: (): void => {
      rows.refresh()
      tail.refresh()
    },
    takeIn,
    committed: (): void => {
      chargedIds = []
      takeIn()
    },
    undo: (): void => {
      rows.forget()
      tail.replies.undo()
      appended = []
      for (const id of chargedIds) charged.delete(id)
      chargedIds = []
    },
  }
}

/** The charges of the running batch. No other process writes while it lasts, so that a sum is read and written once. */
const makeBook = (reader: ReturnType<typeof reading>, tail: Tail): Book.Book =>
  Book.make({
    wallet: reader.wallet,
    agent: reader.agent,
    reply: (keyId, key, after) => {
      const row = reader.reply(keyId, key, after)
      return row && { requestHash: row.request_hash, isStored: row.stored !== null }
    },
    bytes: tail.replies.used,
  })

/** Adds the sums of the batch to the store's, but those that are folds of the trail. */
const writingSums = (sql: ReturnType<typeof prepare>, book: Book.Book) => (): void => {
  for (const { agentId, livemode, month, counted, warned, exceeded } of book.changes().agents) {
    if (counted > 0 || warned || exceeded) {
      sql.spend.run(agentId, Number(livemode), month, counted, Number(warned), Number(exceeded))
    }
  }
  book.clear()
}

const emitting =
  (sql: ReturnType<typeof prepare>) =>
  ({ accountId, livemode }: Caller, at: number, events: Decision["events"]): void => {
    for (const { type, data } of events) {
      sql.event.run(randomUUID(), at, accountId, type, Number(livemode), JSON.stringify(data))
    }
  }

/** The decision of a call by the store as it is. */
const deciding =
  (reader: ReturnType<typeof reading>, balanceHints: ReturnType<typeof BalanceHint.make>) =>
  (caller: Caller, list: MicroUsd, micros: MicroUsd, at: number): Decision => {
    const { agent, accountId, livemode } = caller
    const payer = {
      ...reader.wallet(accountId),
      agent: agent === undefined || list === 0 ? undefined : reader.agent(agent.id, livemode, monthOf(at)),
    }
    if (micros > 0 && refusal(payer, BalanceHint.hintPrice(list, micros)) === undefined) balanceHints.set(caller, at)
    return decide(payer, { caller, list, micros, at })
  }

/** Calls around each batch. */
const makeHooks = (
  tail: Tail,
  trail: ReturnType<typeof appending>,
  book: Book.Book,
  writeSums: () => void,
  fold: Folding,
): GroupCommit.Hooks => ({
  onBegin: trail.begin,
  beforeCommit: (): void => {
    writeSums()
    if (fold.rows > 0) return
    trail.takeIn()
    tail.foldAll()
  },
  onCommit: (): void => {
    trail.committed()
    if (fold.rows > 0 && (tail.size() >= fold.rows || tail.hasLong())) fold.onLong()
  },
  onRollback: (): void => {
    if (fold.rows === 0) tail.forget()
    trail.undo()
    book.clear()
  },
})

/** The ledger's synchronous operations; calls are decided one by one, in the order of the batch. */
const steps = (db: Database, sha256: Sha256, isLow: () => boolean, fold: Folding) => {
  const sql = prepare(db)
  const tail = makeTail(db)
  const reader = reading(sql, tail)
  const trail = appending(db, tail)
  const balanceHints = BalanceHint.make()
  const book = makeBook(reader, tail)
  const writeSums = writingSums(sql, book)
  const emit = emitting(sql)
  const captures = sqlCaptures.steps({ prepare: sqliteQueries(db), dialect: "sqlite" }, sha256)

  /** Writes the event of a call that is refused before its work. */
  const refuse = (caller: Caller, list: MicroUsd, micros: MicroUsd, at: number): void => {
    emit(caller, at, book.refuse({ caller, list, micros, at }))
  }

  /** @param written the settlement's capture */
  const settle = (
    { caller, list, micros, audit: line }: Settlement,
    reply: Replies.Reply | undefined,
    written: ReadonlyArray<sqlCaptures.Written>,
  ): Verdict => {
    const { at } = line
    const { keyId } = caller
    const entry = { caller, list, micros, at }
    const { verdict, events, ...decided } = book.settle(
      reply === undefined ? entry : { ...entry, reply: { ...reply, bytes: reply.bytes?.length } },
      isLow(),
    )
    if (events.length > 0) emit(caller, at, events)
    if (verdict._tag !== "Settled") return verdict
    if (reply !== undefined && decided.reply !== undefined) {
      const { key, requestHash, bytes } = reply
      const stored = decided.reply.isWhole ? bytes! : null
      tail.replies.put({ key_id: keyId, idempotency_key: key, at, request_hash: requestHash, stored }, micros > 0)
    }
    valueOrThrow(captures.append(written))
    trail.append(line, micros)
    return verdict
  }

  return {
    balance: (accountId: string) => reader.wallet(accountId).balance,
    spendStatus: reader.spendStatus,
    accountSpent: reader.accountSpent,
    decision: deciding(reader, balanceHints),
    refuse,
    tail,
    hasBalanceHint: balanceHints.has,
    settle,
    reached: captures.reached,
    audit: trail.append,
    /** Replies of other processes are found when the call is settled. */
    recall: (keyId: string, key: string, after: number) => {
      tail.ready()
      return reader.reply(keyId, key, after)
    },
    hooks: makeHooks(tail, trail, book, writeSums, fold),
  }
}

/**
 * The money path on SQLite: every settlement is one step of a group commit. Free calls are only counted while disk
 * space is low.
 */
export const layer: Layer.Layer<Ledger, never, DiskSpace | SyncSha256 | Sqlite> = Layer.scoped(
  Ledger,
  Effect.gen(function* () {
    const { db, ...sqlite } = yield* Sqlite
    const read = reader(sqlite)
    const { isLow } = yield* DiskSpace
    const { sha256 } = yield* SyncSha256
    const foldRows = yield* Folds.FoldRows
    const folded = yield* Folds.folded
    if (foldRows === 0) yield* Effect.ignoreLogged(folded.all)
    const onLong = Number.isFinite(foldRows)
      ? yield* Folds.folding(folded, () => makeTail(db).size() >= foldRows)
      : () => undefined
    const step = steps(db, sha256, isLow, { rows: foldRows, onLong })
    const exactly = <A>(work: () => A) => read(() => step.tail.consistent(work))
    const commits = yield* GroupCommit.make
    commits.addHooks(step.hooks)
    const appendAudit = yield* AuditNotes.make(isLow, (line, lost) => commits.post(() => step.audit(line), lost))
    return {
      balance: Step.methodFrom((accountId) => exactly(() => step.balance(accountId))),
      precheck: Step.method(function* (caller, list, micros, at) {
        const isFree = micros === 0 && (list === 0 || caller.agent === undefined)
        if (isFree || step.hasBalanceHint(caller, at)) return settled
        const { verdict, events } = yield* exactly(() => step.decision(caller, list, micros, at))
        if (verdict._tag !== "Settled" && events.length > 0) {
          yield* commits.submit(() => step.refuse(caller, list, micros, at))
        }
        return verdict
      }),
      spendStatus: Step.methodFrom((caller, at) => exactly(() => step.spendStatus(caller, at))),
      accountSpent: Step.methodFrom((accountId, month) => exactly(() => step.accountSpent(accountId, month))),
      settle: Step.method(function* (settlement) {
        const reply = yield* Replies.packed(settlement)
        const { captured } = settlement
        const written = captured === undefined ? [] : [sqlCaptures.writtenOf(captured)]
        const verdict = yield* commits.submit(() => step.settle(settlement, reply, written))
        if (verdict._tag === "Settled") step.reached(written)
        return verdict
      }),
      appendAudit,
      recall: Step.method(function* (keyId, key, now) {
        return yield* Replies.recalled(key, yield* read(() => step.recall(keyId, key, now - replyLifetimeMs)))
      }),
    }
  }),
)

import { randomUUID } from "node:crypto"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { monthOf } from "../../../../core/account/Agent.ts"
import * as Book from "../../../../core/account/Book.ts"
import { accepted, type Decision, noBytes, type Verdict } from "../../../../core/account/decide.ts"
import type { Caller } from "../../../../core/account/Keyring.ts"
import type { Audit, Charge } from "../../../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../../../core/account/Money.ts"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import { day, minute } from "../../../../core/time.ts"
import {
  type Answers,
  type Ask,
  moneyLockMs,
  type Postgres,
  type Statement,
  toColumns,
} from "../../engine/postgres/client.ts"
import type * as sqlCaptures from "../../record/Captures.ts"
import * as UsageMoves from "../../trail/usageMoves.ts"
import { type AgentRow, agentQuery, toAgentMonth } from "../agentSpend.ts"
import type { PricedCall } from "../Ledger.ts"
import type { Reply } from "../replies.ts"

export interface Call extends PricedCall, Pick<Charge, "audit"> {
  readonly _tag: "Call"
  readonly accountId: string
  readonly reply: Reply | undefined
  readonly written: ReadonlyArray<sqlCaptures.WritableCapture>
}

/** A call that a cap refuses before its work: its event is written. */
export interface Refused extends PricedCall {
  readonly _tag: "Refused"
  readonly accountId: string
}

/** An item of a batch; a line is the audit row of a call without a charge. */
export type Item =
  | Call
  | Refused
  | { readonly _tag: "Line"; readonly accountId: string; readonly at: number; readonly audit: Audit }

export const makeCall = (charge: Charge, reply?: Reply, written: Call["written"] = []): Call => {
  const { caller, listMicros: list, chargedMicros: micros, audit } = charge
  return { _tag: "Call", accountId: caller.accountId, at: audit.at, caller, list, micros, audit, reply, written }
}

/** The wallet is locked by another transaction: nothing was decided. */
export const locked = { _tag: "Locked" } as const

export type Answer = Verdict | typeof locked

/** An answer other than a plain "Accepted", which the store keeps in case the batch is sent again. */
export interface StoredAnswer {
  readonly i: number
  readonly answer: Answer
  /** The call repeats a free one: nothing was added to its agent's spend. */
  readonly isRepeated?: boolean
}

/** How long a batch waits for locks, milliseconds. Usually another batch holds them; if it takes longer, they are skipped. */
const lockWaitMs = { waits: 300, skips: 100 } as const

const walletsText = "SELECT account_id, balance_micros, low_micros FROM wallets WHERE account_id = ANY ($1::text[])"

/** Locks wallets in the order of accounts, so that two batches never deadlock. */
export const lockWallets = (accounts: ReadonlyArray<string>, skips = false): ReadonlyArray<Statement> => {
  const waiting = `${walletsText} ORDER BY account_id FOR NO KEY UPDATE`
  if (!skips) return [["lock", waiting, [accounts]]]
  // The second statement tells locked wallets from accounts without a wallet.
  return [
    ["lockFree", `${waiting} SKIP LOCKED`, [accounts]],
    ["wallets", walletsText, [accounts]],
  ]
}

const agentsText = `
  SELECT g.agent, g.live, g.month, x.* FROM unnest($1::text[], $2::integer[], $3::text[]) AS g (agent, live, month)
  CROSS JOIN LATERAL (${agentQuery("g.agent", "g.live", "g.month")}) x`

const repliesText = `
  SELECT x.key, x.idem, x.day, i.at, i.request_hash, i.stored IS NOT NULL AS is_stored,
    coalesce(b.charged, 0) AS charged, coalesce(b.free, 0) AS free
  FROM unnest($1::text[], $2::text[], $3::integer[]) AS x (key, idem, day)
  LEFT JOIN idempotency i ON i.key_id = x.key AND i.idempotency_key = x.idem
  LEFT JOIN reply_bytes b ON b.key_id = x.key AND b.day = x.day`

interface WalletRow {
  readonly account_id: string
  readonly balance_micros: number
  readonly low_micros: number | null
}

interface ReplyRow {
  readonly key: string
  readonly idem: string
  readonly day: number
  /** Null: there is no reply. */
  readonly at: number | null
  readonly request_hash: string
  readonly is_stored: boolean
  readonly charged: number
  readonly free: number
}

/** Statements that read what calls depend on. They follow the locks: a locking statement sees other tables as before its wait. */
const readDependencies = (items: ReadonlyArray<Call | Refused>): ReadonlyArray<Statement> => {
  const months = new Map<string, readonly [agent: string, live: number, month: string]>()
  const keyed: Array<readonly [key: string, idem: string, day: number]> = []
  for (const item of items) {
    const { agent, livemode, keyId } = item.caller
    const { at } = item
    if (agent !== undefined) {
      months.set(`${agent.id}/${livemode}/${monthOf(at)}`, [agent.id, Number(livemode), monthOf(at)])
    }
    if (item._tag === "Call" && item.reply !== undefined) keyed.push([keyId, item.reply.key, Math.floor(at / day)])
  }
  const statements: Array<Statement> = []
  if (months.size > 0) statements.push(["agents", agentsText, toColumns([...months.values()], 3)])
  if (keyed.length > 0) statements.push(["replies", repliesText, toColumns(keyed, 3)])
  return statements
}

/** The book over the rows that these statements read. */
const makeBook = (rows: Answers, wallets: ReadonlyMap<string, WalletRow>): Book.Book => {
  const agents = rows<AgentRow & { readonly agent: string; readonly live: number; readonly month: string }>("agents")
  const replies = rows<ReplyRow>("replies")
  const byMonth = new Map(agents.map((row) => [`${row.agent}/${row.live === 1}/${row.month}`, row]))
  const byName = new Map(replies.map((row) => [`${row.key}/${row.idem}`, row]))
  const byDay = new Map(replies.map((row) => [`${row.key}/${row.day}`, row]))
  return Book.make({
    wallet: (accountId) => {
      const row = wallets.get(accountId)
      if (row === undefined) return { balance: zero }
      const { balance_micros: balance, low_micros: low } = row
      return { balance: MicroUsd(balance), lowBalance: low === null ? undefined : MicroUsd(low) }
    },
    agent: (agentId, livemode, month) => {
      const row = byMonth.get(`${agentId}/${livemode}/${month}`)
      return row && toAgentMonth(row)
    },
    reply: (keyId, key, after) => {
      const row = byName.get(`${keyId}/${key}`)
      if (row === undefined || row.at === null || row.at <= after) return undefined
      return { requestHash: row.request_hash, isStored: row.is_stored }
    },
    bytes: (keyId, today) => byDay.get(`${keyId}/${today}`) ?? noBytes,
  })
}

/** Writes rows of the trail and all that follows from them: postings, wallets, sums and last uses of keys, sums of usage. */
const writeText = `
  WITH c AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::integer[], $11::text[], $12::bigint[], $13::integer[], $14::integer[]) WITH ORDINALITY
      AS c (month, began, id, at, account, agent, key, endpoint, hash, status, code, micros, latency, calls, n)),
  w AS (
    UPDATE wallets w SET balance_micros = w.balance_micros - s.micros
    FROM (SELECT account, sum(micros) AS micros FROM c WHERE micros <> 0 GROUP BY 1) s WHERE w.account_id = s.account),
  k AS (
    INSERT INTO key_spend AS k (key_id, month, micros)
    SELECT key, began, sum(micros) FROM c WHERE micros > 0 GROUP BY 1, 2
    ON CONFLICT (key_id, month) DO UPDATE SET micros = k.micros + excluded.micros),
  j AS (
    INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
    SELECT id, at, 'charge', account, 'wallet:' || account, 'revenue', micros, key, endpoint FROM c WHERE micros > 0),
  u AS (
    UPDATE api_keys k SET last_used_at = s.at FROM unnest($15::text[], $16::bigint[]) AS s (key, at),
      (SELECT id FROM api_keys WHERE id = ANY ($15::text[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) free
    WHERE k.id = s.key AND free.id = k.id AND coalesce(k.last_used_at, 0) < s.at),
  h AS (${UsageMoves.addSql(`
    SELECT account AS account_id, at, endpoint, coalesce(agent, '') AS agent_id, key AS key_id, (status / 100) || 'xx' AS status,
      (coalesce(k.environment, '') = 'live')::integer AS livemode, calls, micros AS charged_micros
    FROM c LEFT JOIN api_keys k ON k.id = c.key`)})
  INSERT INTO audit (month, request_id, at, account_id, agent_id, key_id, endpoint, params_hash, status, code,
    charged_micros, latency_ms, calls)
  SELECT month, id, at, account, agent, key, endpoint, hash, status, code, micros, latency, calls FROM c ORDER BY n`

const writeReasonsText = `
  INSERT INTO call_reasons (request_id, at, fields) SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])`

/** Writes what few batches have: spend of agents, replies, events, and the answers in case the batch is sent again. */
const writeMoreText = `
  WITH a AS (
    INSERT INTO agent_spend AS t (agent_id, livemode, month, micros, warned, exceeded)
    SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::integer[], $6::integer[])
    ON CONFLICT (agent_id, livemode, month) DO UPDATE SET micros = t.micros + excluded.micros,
      warned = greatest(t.warned, excluded.warned), exceeded = greatest(t.exceeded, excluded.exceeded)),
  b AS (
    INSERT INTO reply_bytes AS r (key_id, day, charged, free)
    SELECT * FROM unnest($7::text[], $8::integer[], $9::bigint[], $10::bigint[])
    ON CONFLICT (key_id, day) DO UPDATE SET charged = r.charged + excluded.charged, free = r.free + excluded.free),
  i AS (
    INSERT INTO idempotency (key_id, idempotency_key, at, request_hash, stored, charged)
    SELECT * FROM unnest($11::text[], $12::text[], $13::bigint[], $14::text[], $15::bytea[], $16::integer[])
    ON CONFLICT (key_id, idempotency_key) DO UPDATE
    SET at = excluded.at, request_hash = excluded.request_hash, stored = excluded.stored, charged = excluded.charged),
  e AS (
    INSERT INTO outbox (id, at, account_id, type, livemode, data)
    SELECT * FROM unnest($17::text[], $18::bigint[], $19::text[], $20::text[], $21::integer[], $22::text[]))
  UPDATE charge_batches SET kept = $24::json WHERE id = $23::uuid AND $24::json IS NOT NULL`

/**
 * Statements that write lines in their order, and what follows from them.
 *
 * @param used last uses of keys to be stored
 * @param months the trail's months that are known to exist
 */
export const writeLines = (
  lines: ReadonlyArray<Audit>,
  used: ReadonlyArray<readonly [key: string, at: number]> = [],
  months: ReadonlySet<string> = new Set(),
): ReadonlyArray<Statement> => {
  if (lines.length === 0) return []
  const rows = lines.map((line) => {
    const { at, requestId, accountId, agentId, keyId, endpoint, paramsHash, status, code, charged, latencyMs } = line
    const ended = [monthOf(at + latencyMs), monthOf(at), requestId, at, accountId, agentId, keyId, endpoint]
    return [...ended, paramsHash, status, code, charged, latencyMs, line.calls ?? 1]
  })
  const reasons = lines.flatMap(({ requestId, at, fields }) => (fields === undefined ? [] : [[requestId, at, fields]]))
  const fresh = [...new Set(rows.map(([month]) => month))].filter((month) => !months.has(month as string))
  return [
    ...(fresh.length === 0 ? [] : [["months", "SELECT audit_month(m) FROM unnest($1::text[]) m", [fresh]] as const]),
    ["write", writeText, [...toColumns(rows, 14), ...toColumns(used, 2)]],
    ...(reasons.length === 0 ? [] : [["reasons", writeReasonsText, toColumns(reasons, 3)] as const]),
  ]
}

const takeIdText = `
  INSERT INTO charge_batches (id) SELECT $1::uuid FROM (${UsageMoves.lockLateSql("$2::bigint")}) l ON CONFLICT DO NOTHING RETURNING 1`

/** Reads the answers of a batch that was already charged. */
const readAnswers = (ask: Ask, id: string, items: ReadonlyArray<Item>) =>
  Effect.gen(function* () {
    const text = "SELECT cancelled, kept FROM charge_batches WHERE id = $1::uuid"
    const rows = yield* ask(["batch", text, [id]])
    const [batch] = rows<{ readonly cancelled: boolean; readonly kept: ReadonlyArray<StoredAnswer> }>("batch")
    if (batch?.cancelled !== false) {
      return yield* Effect.fail(new SqlError({ message: `Batch ${id} was cancelled`, cause: undefined }))
    }
    const kept = new Map(batch.kept.map(({ i, answer }) => [i, answer]))
    return items.map((_, i) => kept.get(i) ?? accepted)
  })

/** Decides a batch in its order, and collects what is to be written. */
const decideAll = (book: Book.Book, items: ReadonlyArray<Item>, held: ReadonlySet<string>) => {
  const answers: Array<Answer> = []
  const kept: Array<StoredAnswer> = []
  const lines: Array<Audit> = []
  const events: Array<ReadonlyArray<unknown>> = []
  const replies = new Map<string, ReadonlyArray<unknown>>()
  const written: Array<sqlCaptures.WritableCapture> = []
  const emit = ({ accountId, livemode }: Caller, at: number, all: Decision["events"]): void => {
    for (const { type, data } of all) {
      events.push([randomUUID(), at, accountId, type, Number(livemode), JSON.stringify(data)])
    }
  }
  const charge = ({ caller, list, micros, at, audit, reply, ...call }: Call, i: number): Answer => {
    const { verdict, counted, events, ...decided } = book.charge({
      ...{ caller, list, micros, at },
      reply: reply && { ...reply, bytes: reply.bytes?.length },
    })
    emit(caller, at, events)
    if (verdict._tag !== "Accepted") return verdict
    // The wallet is debited by the row's charge.
    if (audit.charged !== micros) throw new Error(`${audit.requestId} has another charge in its audit row.`)
    if (caller.agent !== undefined && list > 0 && counted === 0) kept.push({ i, answer: verdict, isRepeated: true })
    lines.push(audit)
    written.push(...call.written)
    if (reply !== undefined && decided.reply !== undefined) {
      const bytes = decided.reply.isWhole ? reply.bytes : undefined
      const row = [caller.keyId, reply.key, at, reply.requestHash, bytes, Number(micros > 0)]
      replies.set(`${caller.keyId}/${reply.key}`, row)
    }
    return verdict
  }
  const answer = (item: Item, i: number): Answer => {
    if (item._tag === "Line") lines.push(item.audit)
    else if (held.has(item.accountId)) return locked
    else if (item._tag === "Call") return charge(item, i)
    else emit(item.caller, item.at, book.refuse(item))
    return accepted
  }
  for (const [i, item] of items.entries()) {
    const each = answer(item, i)
    answers.push(each)
    if (each._tag !== "Accepted") kept.push({ i, answer: each })
  }
  return { answers, kept, lines, events, replies: [...replies.values()], written }
}

/** Statements that write what few batches have; none if this batch has nothing of it. */
const writeMore = (id: string, book: Book.Book, { kept, events, replies }: ReturnType<typeof decideAll>) => {
  const changes = book.changes()
  const spent = [...changes.agents].flatMap(({ agentId, livemode, month, counted, warningSent, exceededSent }) =>
    counted > 0 || warningSent || exceededSent
      ? [[agentId, Number(livemode), month, counted, Number(warningSent), Number(exceededSent)]]
      : [],
  )
  const bytes = [...changes.replies].flatMap(({ keyId, today, charged, free }) =>
    charged + free > 0 ? [[keyId, today, charged, free]] : [],
  )
  if ([spent, bytes, events, kept].every(({ length }) => length === 0)) return []
  const values = [
    ...[...toColumns(spent, 6), ...toColumns(bytes, 4), ...toColumns(replies, 6), ...toColumns(events, 6)],
    ...[id, kept.length === 0 ? null : JSON.stringify(kept)],
  ]
  return [["writeMore", writeMoreText, values] as const]
}

/**
 * Charges batches of calls, each in a transaction: locks the wallets of their accounts in order, reads all that the calls
 * depend on, decides by the book, and writes sets of rows. If a lock takes too long, the whole batch fails (55P03) and nothing
 * is written. Sent again with its id, a batch has the same answers.
 *
 * @param append appends the captures of accepted calls, in the transaction
 */
export const make = (
  { transaction }: Pick<Postgres["Type"], "transaction">,
  append: (written: ReadonlyArray<sqlCaptures.WritableCapture>) => Effect.Effect<unknown, SqlError> = () => Effect.void,
) => {
  const months = new Set<string>()
  /** The last stored use of each key: at most one a minute is stored. */
  const uses = new BoundedMap<string, number>(100_000)
  return (id: string, items: ReadonlyArray<Item>, skips: boolean): Effect.Effect<ReadonlyArray<Answer>, SqlError> => {
    let ended: ReadonlyArray<Audit> = []
    const charged = transaction(skips ? lockWaitMs.skips : lockWaitMs.waits, (ask) =>
      Effect.gen(function* () {
        const deciding = items.filter((item) => item._tag !== "Line")
        const earliest = items.reduce((at, item) => Math.min(at, item.at), Number.MAX_SAFE_INTEGER)
        const accounts = [...new Set(deciding.map(({ accountId }) => accountId))]
        // The id comes first: a batch that is sent again waits there, before it holds any lock.
        const rows = yield* ask(
          ["takeId", takeIdText, [id, earliest]],
          ...lockWallets(accounts, skips),
          ...readDependencies(deciding),
        )
        if (rows("takeId").length === 0) return { value: yield* readAnswers(ask, id, items), last: [] }
        const wallets = new Map(rows<WalletRow>(skips ? "lockFree" : "lock").map((row) => [row.account_id, row]))
        const held = rows<WalletRow>("wallets").flatMap(({ account_id: id }) => (wallets.has(id) ? [] : [id]))
        const book = makeBook(rows, wallets)
        const decided = decideAll(book, items, new Set(held))
        const { answers, lines, written } = decided
        ended = lines
        const due = lines.filter(({ keyId, at }) => at - (uses.get(keyId) ?? 0) >= minute)
        const used = new Map(due.map(({ keyId, at }) => [keyId, at]))
        for (const [keyId, at] of used) uses.set(keyId, at)
        const last = [...writeLines(lines, [...used], months), ...writeMore(id, book, decided)]
        if (written.length === 0) return { value: answers, last }
        // The record has one lock for all nodes, for which a batch may wait longer.
        yield* ask(...last, ["", `SET LOCAL lock_timeout = ${moneyLockMs}`])
        yield* append(written)
        return { value: answers, last: [] }
      }),
    )
    return Effect.tap(charged, () => {
      for (const { at, latencyMs } of ended) months.add(monthOf(at + latencyMs))
    })
  }
}

import { randomUUID } from "node:crypto"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { monthOf } from "../../../../core/account/Agent.ts"
import * as Book from "../../../../core/account/Book.ts"
import { type Decision, noBytes, type ReplyBytes, type Verdict } from "../../../../core/account/decide.ts"
import type { Caller } from "../../../../core/account/Keyring.ts"
import type { Settlement } from "../../../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../../../core/account/Money.ts"
import { day } from "../../../../core/time.ts"
import { type AgentRow, agentMonth } from "../agentSpend.ts"
import type { Reply } from "../replies.ts"

/** A call with its row as the functions of the store take it. */
export interface Call {
  readonly settlement: Settlement
  readonly reply: Reply | undefined
  readonly row: Readonly<Record<string, unknown>>
}

interface WalletRow {
  readonly account_id: string
  readonly balance_micros: number
  readonly low_micros: number | null
}

interface ReplyRow {
  readonly key_id: string
  readonly idempotency_key: string
  readonly at: number
  readonly request_hash: string
  readonly is_stored: boolean
}

/** An answer of `settle_read`. */
interface State {
  readonly locked: ReadonlyArray<string>
  readonly wallets: ReadonlyArray<WalletRow> | null
  readonly agents: ReadonlyArray<
    AgentRow & { readonly agent_id: string; readonly livemode: number; readonly month: string }
  > | null
  readonly replies: ReadonlyArray<ReplyRow> | null
  readonly bytes: ReadonlyArray<ReplyBytes & { readonly key_id: string; readonly day: number }> | null
}

/** A verdict other than "Settled" as the store has it for a batch that is asked again. */
export interface VerdictRow {
  readonly i: number
  readonly tag:
    | "Known"
    | "Repeated"
    | "Locked"
    | "Hard"
    | "monthly"
    | "lifetime"
    | Exclude<Verdict["_tag"], "Settled" | "Capped">
  readonly n: number
}

const rowOf = (i: number, verdict: Verdict): VerdictRow | undefined => {
  switch (verdict._tag) {
    case "Settled":
      return undefined
    case "Capped":
      return { i, tag: verdict.cap, n: 0 }
    case "Insufficient":
      return { i, tag: verdict._tag, n: verdict.balance }
    default:
      return { i, tag: verdict._tag, n: 0 }
  }
}

const makeBook = ({ wallets, agents, replies, bytes }: State): Book.Book => {
  const ofWallet = new Map(wallets?.map((row) => [row.account_id, row]))
  const ofAgent = new Map(agents?.map((row) => [`${row.agent_id}/${row.livemode}/${row.month}`, row]))
  const ofReply = new Map(replies?.map((row) => [`${row.key_id}/${row.idempotency_key}`, row]))
  const ofKey = new Map(bytes?.map((row) => [`${row.key_id}/${row.day}`, row]))
  return Book.make({
    wallet: (accountId) => {
      const row = ofWallet.get(accountId)
      if (row === undefined) return { balance: zero }
      const { balance_micros: balance, low_micros: low } = row
      return { balance: MicroUsd(balance), lowBalance: low === null ? undefined : MicroUsd(low) }
    },
    agent: (agentId, livemode, month) => {
      const row = ofAgent.get(`${agentId}/${Number(livemode)}/${month}`)
      return row && agentMonth(row)
    },
    reply: (keyId, key, after) => {
      const row = ofReply.get(`${keyId}/${key}`)
      return row && row.at > after ? { requestHash: row.request_hash, isStored: row.is_stored } : undefined
    },
    bytes: (keyId, today) => ofKey.get(`${keyId}/${today}`) ?? noBytes,
  })
}

/** Events as `write_events` takes them. */
export const eventRows = (caller: Caller, at: number, events: Decision["events"]) =>
  events.map(({ type, data }) => ({
    id: randomUUID(),
    at,
    account: caller.accountId,
    type,
    live: Number(caller.livemode),
    data: JSON.stringify(data),
    agent: caller.agent?.id,
    month: monthOf(at),
  }))

const sumsOf = ({ wallets, agents, replies }: Book.Changes) => ({
  wallets: [...wallets].flatMap(({ accountId, debit }) => (debit > 0 ? [{ account: accountId, micros: debit }] : [])),
  agents: [...agents].flatMap(({ agentId, livemode, month, counted }) =>
    counted > 0 ? [{ agent: agentId, live: Number(livemode), month, micros: counted }] : [],
  ),
  bytes: [...replies].flatMap(({ keyId, today, charged, free }) =>
    charged + free > 0 ? [{ key: keyId, day: today, charged, free }] : [],
  ),
})

/** How a batch takes its locks. */
export interface Waiting {
  /** Wallets that somebody else holds are passed over. */
  readonly skips: boolean
  readonly waitMs: number
}

/**
 * Settles calls that the store does not settle as sets, in a transaction of its caller: reads all that they depend on under
 * the locks of their wallets, decides, and writes. Asked again with the same id, it returns what it returned before.
 *
 * @param used the last uses of keys that are to be noted
 * @returns the verdicts other than "Settled"
 */
export const settle = (
  sql: SqlClient,
  id: string,
  calls: ReadonlyArray<Call>,
  used: ReadonlyArray<{ readonly key: unknown; readonly at: unknown }>,
  { skips, waitMs }: Waiting,
): Effect.Effect<{ readonly rows: ReadonlyArray<VerdictRow>; readonly isKnown: boolean }, SqlError> =>
  Effect.gen(function* () {
    const texts = JSON.stringify(calls.map(({ row: { stored: _, ...row } }, i) => ({ i, ...row })))
    const [{ state } = { state: undefined }] = yield* sql.unsafe<{
      state: State | { readonly refused: ReadonlyArray<VerdictRow> }
    }>("SELECT settle_read($1::uuid, $2::json, $3, $4, $5) AS state", [id, texts, skips, waitMs, day])
    if (state === undefined) return yield* Effect.dieMessage("settle_read has no answer.")
    if ("refused" in state) return { rows: state.refused, isKnown: true }
    const book = makeBook(state)
    const locked = new Set(state.locked)
    const rows: Array<VerdictRow> = []
    const done: Array<object> = []
    const events: Array<object> = []
    for (const [i, { settlement, reply, row }] of calls.entries()) {
      const { caller, list, micros, audit } = settlement
      if (locked.has(caller.accountId)) {
        rows.push({ i, tag: "Locked", n: 0 })
        continue
      }
      const decision = book.settle({
        ...{ caller, list, micros, at: audit.at },
        reply: reply && { ...reply, bytes: reply.bytes?.length },
      })
      events.push(...eventRows(caller, audit.at, decision.events))
      const refused = rowOf(i, decision.verdict)
      if (refused !== undefined) {
        rows.push(refused)
        continue
      }
      // If the batch is ended, its agent's spend is not given back.
      if (list > 0 && decision.counted === 0) rows.push({ i, tag: "Repeated", n: 0 })
      const { idem, stored, ...rest } = row
      done.push({
        ...{ i, ...rest },
        ...(decision.reply === undefined ? {} : { idem }),
        ...(decision.reply?.isWhole === true ? { stored } : {}),
      })
    }
    yield* sql.unsafe("SELECT settle_write($1::uuid, $2::json, $3::json, $4::json, $5::json, $6::json)", [
      id,
      ...[done, rows, sumsOf(book.changes()), events, used].map((each) => JSON.stringify(each)),
    ])
    return { rows, isKnown: false }
  })

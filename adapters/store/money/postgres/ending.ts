import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { monthOf } from "../../../../core/account/Agent.ts"
import type { Audit } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { type Ask, type Postgres, type Statement, toColumns } from "../../engine/postgres/client.ts"
import { isTransient } from "../../engine/storage.ts"
import { type Item, lockWallets, type StoredAnswer, writeLines } from "./charge.ts"

/** Pause between two searches for other nodes' batches, whose calls are charged and unanswered; milliseconds. */
const pauseMs = 10_000

/** Pause while a batch cannot be ended because a wallet is locked or the store is away, milliseconds. */
const retryMs = 200

/** Batches that are ended in one search. */
const maxCancelled = 100

/** Longest wait for a lock, milliseconds: other calls must not queue behind a locked wallet. */
const lockMs = 100

/** Deletes batches after ten minutes, in slices: no node sends one again after 5 s. */
const forgetText = `
  DELETE FROM charge_batches WHERE id IN (
    SELECT id FROM charge_batches WHERE at < now() - interval '10 minutes' LIMIT 1000 FOR UPDATE SKIP LOCKED
  ) RETURNING 1`

export const deleteOldBatches = ({ rows }: Pick<Postgres["Type"], "rows">) =>
  Effect.repeat(rows("forgetBatches", forgetText), { until: ({ length }) => length < 1_000 })

/** A call of a batch that is being cancelled. */
interface CancelledCall {
  readonly i: number
  readonly audit: Audit
  readonly list: number
  readonly livemode: boolean
  readonly reply?: { readonly key: string; readonly requestHash: string }
}

export const toCancelled = (items: ReadonlyArray<Item>): ReadonlyArray<CancelledCall> =>
  items.flatMap((item, i) => {
    if (item._tag !== "Call") return []
    const { audit, list, caller, reply } = item
    const named = reply && { key: reply.key, requestHash: reply.requestHash }
    return [{ i, audit, list, livemode: caller.livemode, ...ifDefined("reply", named) }]
  })

/** The id of the credit that gives a charge back. */
const creditId = (requestId: string): string => `txn_${requestId.slice(4)}`

/** Marks a batch as cancelled, or takes its id. No row: it is already cancelled. `xmax` is 0 in a new row. */
const endText = `
  INSERT INTO charge_batches AS b (id, cancelled) VALUES ($1::uuid, true)
  ON CONFLICT (id) DO UPDATE SET cancelled = true WHERE NOT b.cancelled RETURNING kept, xmax = 0 AS is_new`

const takeText = "DELETE FROM cancels WHERE batch = $1::uuid RETURNING calls"

const chargedText = `
  SELECT j.id FROM unnest($1::text[], $2::text[], $3::text[]) AS c (account, id, credit)
  JOIN journal j ON j.account_id = c.account AND j.id = c.id AND j.kind = 'charge'
  WHERE NOT EXISTS (SELECT 1 FROM journal b WHERE b.account_id = c.account AND b.id = c.credit)`

const giveBackText = `
  WITH c AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[])
      AS c (id, at, account, micros, key, endpoint, month)),
  j AS (
    INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
    SELECT id, at, 'credit', account, 'revenue', 'wallet:' || account, micros, key, endpoint FROM c),
  k AS (
    UPDATE key_spend k SET micros = k.micros - s.micros FROM (SELECT key, month, sum(micros) AS micros FROM c GROUP BY 1, 2) s
    WHERE k.key_id = s.key AND k.month = s.month),
  a AS (
    UPDATE agent_spend t SET micros = t.micros - s.list FROM (
      SELECT agent, live, month, sum(list) AS list
      FROM unnest($8::text[], $9::integer[], $10::text[], $11::bigint[]) AS c (agent, live, month, list) GROUP BY 1, 2, 3) s
    WHERE t.agent_id = s.agent AND t.livemode = s.live AND t.month = s.month)
  DELETE FROM idempotency i USING unnest($12::text[], $13::text[], $14::text[], $15::bigint[]) AS c (key, idem, hash, at)
  WHERE i.key_id = c.key AND i.idempotency_key = c.idem AND i.request_hash = c.hash AND i.at = c.at`

const listPaid = (calls: ReadonlyArray<CancelledCall>): ReadonlyArray<Audit> =>
  calls.flatMap(({ audit }) => (audit.charged > 0 ? [audit] : []))

/** Statements that give calls back and mark them in the trail as not charged. Lock their wallets first. */
const giveBack = (
  calls: ReadonlyArray<CancelledCall>,
  isRepeated: (call: CancelledCall) => boolean,
): ReadonlyArray<Statement> => {
  const paid = listPaid(calls)
  const marks = paid.map((audit) => ({
    ...{ ...audit, requestId: `${audit.requestId}-cancelled`, code: "storage_unavailable" },
    ...{ charged: MicroUsd(-audit.charged), calls: 0 },
  }))
  const credits = paid.map(({ requestId, at, accountId, charged, keyId, endpoint }) => [
    ...[creditId(requestId), at, accountId, charged, keyId, endpoint, monthOf(at)],
  ])
  const spent = calls.flatMap((call) => {
    const { audit, list, livemode } = call
    return audit.agentId === undefined || list === 0 || isRepeated(call)
      ? []
      : [[audit.agentId, Number(livemode), monthOf(audit.at), list]]
  })
  const replies = calls.flatMap(({ audit: { keyId, at }, reply }) =>
    reply === undefined ? [] : [[keyId, reply.key, reply.requestHash, at]],
  )
  const values = [...toColumns(credits, 7), ...toColumns(spent, 4), ...toColumns(replies, 4)]
  return [...writeLines(marks), ["giveBack", giveBackText, values]]
}

/**
 * Cancels a batch that is listed in `cancels`, whose answers nobody got. If its id is still free, it is taken, so that the batch
 * can never be charged; what was charged is given back. Charges are found by their own keys; free calls only while the batch is
 * still stored. If another node is cancelling it, this does nothing.
 *
 * @returns the number of charges that were given back
 */
const cancel = (ask: Ask, batch: string): Effect.Effect<number, SqlError> =>
  Effect.gen(function* () {
    const waiting = yield* ask(["waiting", "SELECT 1 FROM cancels WHERE batch = $1::uuid", [batch]])
    if (waiting("waiting").length === 0) return 0
    // First, as it waits for a charge under way: the transaction's number, which orders the trail, is then the later one.
    const rows = yield* ask(["end", endText, [batch]], ["calls", takeText, [batch]])
    const [ended] = rows<{ readonly kept: ReadonlyArray<StoredAnswer>; readonly is_new: boolean }>("end")
    if (ended === undefined) return 0
    const { calls } = rows<{ readonly calls: ReadonlyArray<CancelledCall> }>("calls")[0]!
    const accounts = [...new Set(calls.map(({ audit }) => audit.accountId))]
    const keys = listPaid(calls).map(({ accountId, requestId }) => [accountId, requestId, creditId(requestId)])
    const read = yield* ask(...lockWallets(accounts), ["charged", chargedText, toColumns(keys, 3)])
    const charged = new Set(read<{ readonly id: string }>("charged").map(({ id }) => id))
    const kept = new Map(ended.kept.map((each) => [each.i, each]))
    const back = calls.filter(({ i, audit }) =>
      audit.charged > 0
        ? charged.has(audit.requestId)
        : !ended.is_new && (kept.get(i)?.answer._tag ?? "Accepted") === "Accepted",
    )
    yield* ask(...giveBack(back, ({ i }) => kept.get(i)?.isRepeated === true))
    return listPaid(back).length
  })

export const cancelBatch = ({ transaction }: Pick<Postgres["Type"], "transaction">, batch: string) =>
  transaction(lockMs, (ask) => Effect.map(cancel(ask, batch), (value) => ({ value, last: [] })))

/** Cancels all listed batches. For stores without running nodes. */
export const cancelAll = (ask: Ask): Effect.Effect<number, SqlError> =>
  Effect.gen(function* () {
    const rows = yield* ask(["batches", "SELECT batch FROM cancels"])
    return (yield* Effect.forEach(rows<{ readonly batch: string }>("batches"), ({ batch }) =>
      cancel(ask, batch),
    )).reduce((sum, charges) => sum + charges, 0)
  })

/**
 * Cancels batches whose answers nobody got, also those of nodes that are gone, and deletes old ones.
 *
 * @returns a function that lists a batch in `cancels`, where any node may take it
 */
export const make = (postgres: Postgres["Type"]) =>
  Effect.gen(function* () {
    const { rows } = postgres
    const handedOver = yield* Queue.sliding<void>(1)

    const isEnded = (batch: string) =>
      Effect.isSuccess(
        Effect.tapError(cancelBatch(postgres, batch), (error) =>
          isTransient(error) ? Effect.void : Effect.logError("A batch of charges could not be cancelled", error),
        ),
      )

    /** Cancels listed batches. Returns whether there may be more to do. */
    const cancelListed = Effect.gen(function* () {
      const pending = yield* rows<{ readonly batch: string }>(
        "cancels",
        `SELECT batch FROM cancels ORDER BY at LIMIT ${maxCancelled}`,
      )
      const ended = yield* Effect.forEach(pending, ({ batch }) => isEnded(batch))
      return ended.includes(false) || pending.length === maxCancelled
    })

    yield* Effect.orElseSucceed(cancelListed, () => true).pipe(
      Effect.flatMap((again) => Effect.timeoutOption(Queue.take(handedOver), again ? retryMs : pauseMs)),
      Effect.forever,
      Effect.withClock(Clock.make()),
      Effect.forkScoped,
    )
    yield* Effect.ignore(deleteOldBatches(postgres)).pipe(
      Effect.schedule(Schedule.spaced("1 minute")),
      Effect.withClock(Clock.make()),
      Effect.forkScoped,
    )

    return (batch: string, items: ReadonlyArray<Item>) =>
      Effect.zipRight(
        rows("end", "INSERT INTO cancels (batch, calls) VALUES ($1::uuid, $2::json) ON CONFLICT DO NOTHING", [
          batch,
          JSON.stringify(toCancelled(items)),
        ]),
        Queue.offer(handedOver, undefined),
      )
  })

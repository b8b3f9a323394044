import { deepStrictEqual, ok, strictEqual } from "node:assert"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../../adapters/runtime/node/hasher.ts"
import { FoldRows } from "../../../adapters/store/money/folds.ts"
import * as stores from "../../../adapters/store/open.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { spanStart } from "../../../core/account/Usage.ts"
import { ledgers, sum } from "../accounts.ts"
import { type Calling, calling } from "../calling.ts"
import { captured } from "../captures.ts"
import { moneyAt, storeAt } from "../place.ts"
import { say } from "../say.ts"
import { charge, settlementOf } from "../settlement.ts"
import { type Spender, spender } from "../spender.ts"
import type { Workload } from "./chaos.ts"

const funds = 1_000_000_000_000
const price = 1_000
/** Charges in flight of a program. */
export const underWay = 4

/** Charges are folded all the time, so that kills find a fold at each of its steps. */
const foldsOften = Layer.succeed(FoldRows, 40) as Layer.Layer<never>

const ledgerAt = (place: string) => stores.ledger.pipe(Layer.provide([hasher.layer, storeAt(place), foldsOften]))

const numberOf = (requestId: string): number => Number(requestId.split("_").at(-1))
/** Every other charge has a stored reply, and every third one a capture. */
const isRemembered = (requestId: string): boolean => numberOf(requestId) % 2 === 0
const isCaptured = (requestId: string): boolean => numberOf(requestId) % 3 === 0

interface Given {
  readonly who: Spender
}

/**
 * Charges as fast as it can and says the request id of every charge that has returned. A refused one is followed by the next: a
 * killed program may hold a lock for a while, and one that stood still finds its calls too old.
 */
export const work = (place: string, { who }: Given, number: number) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    let count = 0
    const one = Effect.suspend(() => {
      const requestId = `req_${number}_${count++}`
      const remember = { key: requestId, requestHash: "hash", stored: requestId.repeat(count % 300) }
      // Ten minutes apart: over hours, days and months.
      const asked = { ...who, requestId, micros: price, at: count * 600_000 }
      const settlement = settlementOf(isRemembered(requestId) ? { ...asked, remember } : asked)
      const sale = captured({ id: requestId, kind: "on_demand", bought: { ...who, requestId } })
      return ledger.charge(isCaptured(requestId) ? { ...settlement, captured: sale } : settlement).pipe(
        Effect.map(({ _tag }) => {
          strictEqual(_tag, "Accepted")
          return say(requestId)
        }),
        Effect.catchIf(
          ({ code }) => code === "storage_unavailable",
          () => Effect.void,
        ),
      )
    })
    yield* Effect.all(
      Array.from({ length: underWay }, () => Effect.forever(one)),
      { concurrency: "unbounded" },
    )
  }).pipe(Effect.provide(ledgerAt(place)))

/** Charges in rounds of so many at once, and says each round. */
export const rounds = (
  place: string,
  { who, count, each }: { readonly who: Spender; readonly count: number; readonly each: number },
) =>
  Effect.gen(function* () {
    for (let round = 0; round < count; round++) {
      yield* Effect.forEach(
        Array.from({ length: each }, (_, at) => `req_${round}_${at}`),
        (requestId) => charge({ ...who, requestId, micros: price, at: round }),
        { concurrency: "unbounded" },
      )
      say(`round ${round}`)
    }
  }).pipe(Effect.provide(stores.ledger.pipe(Layer.provide([hasher.layer, storeAt(place)]))))

/** Calls for each of the payers, and says what each caller was answered. */
export const callsWork = (
  place: string,
  given: Pick<Calling, "prefix"> & { readonly payers: ReadonlyArray<Spender> },
) =>
  calling(given.payers, {
    prefix: given.prefix,
    callers: 2,
    isOver: () => false,
    report: (outcome) => say(JSON.stringify(outcome)),
  }).pipe(Effect.provide(ledgerAt(place)))

/** An agent whose wallet outlasts every charge of a test. */
export const wallet = (place: string) => Effect.provide(spender("bot", {}, funds), moneyAt(place))

interface Sum {
  readonly at: number
  readonly calls: number
  readonly micros: number
}

/** By month, whatever the spans of the rows are. */
const byMonth = (rows: ReadonlyArray<Sum>) => {
  const months = new Map<number, { calls: number; micros: number }>()
  for (const { at, calls, micros } of rows) {
    const before = months.get(spanStart("month", at)) ?? { calls: 0, micros: 0 }
    months.set(spanStart("month", at), { calls: before.calls + calls, micros: before.micros + micros })
  }
  return months
}

/** The request ids of the wallet's charges, after the store has been checked for what must always be true of it. */
export const booked = (place: string, who: Spender): Effect.Effect<ReadonlySet<string>, unknown> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const postings = yield* sql<{ id: string; kind: string }>`SELECT id, kind FROM postings`
    const ids = postings.flatMap(({ id, kind }) => (kind === "charge" ? [id] : []))
    const charges = new Set(ids)
    strictEqual(charges.size, ids.length)
    const spent = ids.length * price
    const { revenue = 0, ...rest } = yield* ledgers
    deepStrictEqual([revenue, rest], [spent, { cash: -funds, [`wallet:${who.accountId}`]: funds - spent }])
    const [sums] = yield* sql`
      SELECT (SELECT balance_micros FROM wallets WHERE account_id = ${who.accountId}) AS balance,
        (SELECT coalesce(sum(micros), 0) FROM agent_spend) AS agent,
        (SELECT coalesce(sum(micros), 0) FROM key_spend) AS key,
        (SELECT count(*) FROM audit WHERE charged_micros = ${price}) AS audited`
    deepStrictEqual({ ...sums }, { balance: funds - spent, agent: spent, key: spent, audited: ids.length })
    // Each call is in one sum of usage of a kind.
    const journal = yield* sql<Sum>`SELECT at, 1 AS calls, micros FROM postings WHERE kind = 'charge'`
    for (const kind of ["endpoint", "agent", "key", "status"]) {
      const sums =
        yield* sql<Sum>`SELECT start AS at, calls, charged_micros AS micros FROM usage_sums WHERE kind = ${kind}`
      deepStrictEqual(byMonth(sums), byMonth(journal), kind)
    }
    // A charge and its stored reply are there together, and counted once.
    const replies = yield* sql<{ id: string; size: number }>`
      SELECT idempotency_key AS id, 256 + length(stored) AS size FROM idempotency`
    deepStrictEqual(replies.map(({ id }) => id).sort(), ids.filter(isRemembered).sort())
    const [counted] = yield* sql<{ bytes: number }>`SELECT coalesce(sum(charged), 0) AS bytes FROM reply_bytes`
    strictEqual(Number(counted!.bytes), sum(replies.map(({ size }) => Number(size))))
    // A charge is there with its capture and its leaf.
    const captures = yield* sql<{ id: string }>`
      SELECT c.request_id AS id FROM captures c JOIN record_leaves l ON l.id = c.id WHERE c.key_id = ${who.keyId}`
    deepStrictEqual(captures.map(({ id }) => id).sort(), ids.filter(isCaptured).sort())
    const [log] = yield* sql<{ leaves: number }>`SELECT count(*) AS leaves FROM record_leaves`
    strictEqual(Number(log!.leaves), captures.length)
    return charges
  }).pipe(Effect.provide(moneyAt(place)))

export const charges = (): Workload => ({
  name: "charges",
  prepare: ({ place }) =>
    Effect.map(wallet(place), (who) => ({
      given: { who },
      book: (said, isLast) =>
        Effect.gen(function* () {
          const made = yield* booked(place, who)
          const acknowledged = said.flat()
          deepStrictEqual(
            acknowledged.filter((id) => !made.has(id)),
            [],
          )
          strictEqual(new Set(acknowledged).size, acknowledged.length)
          for (const [number, ids] of said.entries()) {
            const own = [...made].filter((id) => id.startsWith(`req_${number}_`))
            ok(own.length - ids.length <= underWay, `${own.length} made and ${ids.length} said by program ${number}`)
          }
          if (isLast) yield* Effect.logInfo(`${acknowledged.length} charges acknowledged, ${made.size} made`)
        }),
    })),
})

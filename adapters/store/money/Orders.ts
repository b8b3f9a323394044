import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MicroUsd, zero } from "../../../core/account/Money.ts"
import type { Failure } from "../../../core/Failure.ts"
import { type Fact, type Order, orderStatus } from "../../../core/payment/Order.ts"
import {
  type Claim,
  type Insertion,
  OrderStore,
  type OrderWithFacts,
  type Turn,
} from "../../../core/payment/OrderStore.ts"
import { hour, minute } from "../../../core/time.ts"
import { appendLine, runChange } from "../engine/changes.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { lockRow } from "../engine/locks.ts"
import { hasWritten, inTransaction, mapStorageErrors, readFirst } from "../engine/storage.ts"
import { type Folds, folds } from "./folds.ts"
import * as journal from "./journal.ts"

/** How long a payer must pause for each payment that the network reverted, and at most, milliseconds. */
const pauses = { each: 10 * minute, longest: hour } as const

interface Row {
  readonly order_id: string | null
  readonly busy_until: number
}

const toTurn = ({ order_id, busy_until }: Row): Turn => ({
  until: busy_until,
  ...(order_id === null ? {} : { orderId: order_id }),
})

/** Lets each payer make one payment at a time, over all nodes of a store: the payer's row is the claim. */
const makeTurns = (
  sql: SqlClient.SqlClient,
): Pick<OrderStore["Type"], "turnOf" | "renewTurn" | "endTurn"> & {
  /** Runs in the transaction of the order. Undefined: the claim succeeded. */
  readonly claim: (orderId: string, claim: Claim, now: number) => Effect.Effect<Turn | undefined, SqlError>
} => {
  const busy = (payer: string, now: number) =>
    sql<Row>`SELECT order_id, busy_until FROM payers WHERE payer = ${payer} AND busy_until > ${now}`

  return {
    claim: (orderId, { payer, until }, now) =>
      Effect.gen(function* () {
        const isOurs = yield* hasWritten(sql`
          INSERT INTO payers ${sql.insert({ payer, order_id: orderId, busy_until: until, reverted: 0 })}
          ON CONFLICT (payer) DO UPDATE SET order_id = excluded.order_id, busy_until = excluded.busy_until
          WHERE payers.busy_until <= ${now} RETURNING payer`)
        if (isOurs) return undefined
        const [row] = yield* busy(payer, now)
        return row === undefined ? { until: now } : toTurn(row)
      }),
    renewTurn: (orderId, until) =>
      mapStorageErrors(Effect.asVoid(sql`UPDATE payers SET busy_until = ${until} WHERE order_id = ${orderId}`)),
    turnOf: (payer, now) => readFirst(busy(payer, now), toTurn),
    endTurn: (orderId, how, at) => {
      // A row without information is deleted.
      if (how !== "reverted") {
        const isKept = sql.literal(how === "refused" ? "reverted > 0" : "false")
        return mapStorageErrors(
          Effect.zipRight(
            sql`DELETE FROM payers WHERE order_id = ${orderId} AND NOT (${isKept})`,
            Effect.asVoid(sql`UPDATE payers SET order_id = NULL, busy_until = ${at} WHERE order_id = ${orderId}`),
          ),
        )
      }
      const pause = sql.literal(
        `CASE WHEN reverted < ${pauses.longest / pauses.each} THEN (reverted + 1) * ${pauses.each} ELSE ${pauses.longest} END`,
      )
      return mapStorageErrors(
        Effect.asVoid(sql`
          UPDATE payers SET order_id = NULL, reverted = reverted + 1, busy_until = CAST(${at} AS BIGINT) + ${pause}
          WHERE order_id = ${orderId}`),
      )
    },
  }
}

const order = columns<Order>()(["id", "accountId", "provider", "micros", "createdAt"])
type OrderRow = RowOf<typeof order> & { readonly credited: number; readonly taken_back: number }

/** The optional parts of a fact, and its time. */
interface FactParts {
  readonly at: number
  readonly url?: string
  readonly endsAt?: number
  readonly detail?: string
}

const fact = columns<Pick<Fact, "kind" | "reference"> & FactParts>()([
  "kind",
  "reference",
  "at",
  "url",
  "endsAt",
  "detail",
])
type FactRow = RowOf<typeof fact> & ReturnType<typeof toAmount> & { readonly order_id: string }

const toAmount = (each: Fact) => ("amount" in each ? each.amount : { micros: null, currency: null })

const toFact = (row: FactRow): Fact & { readonly at: number } => {
  const { micros, currency } = row
  return fact.fromRow(row, micros === null ? {} : { amount: { micros, currency } }) as Fact & { readonly at: number }
}

const suspend = (sql: SqlClient.SqlClient, order: Order, at: number): Effect.Effect<void, Failure | SqlError> =>
  Effect.flatMap(
    sql`UPDATE accounts SET suspended_at = ${at} WHERE id = ${order.accountId} AND suspended_at IS NULL RETURNING id`,
    ([suspended]) =>
      suspended === undefined
        ? Effect.void
        : appendLine(sql, {
            at,
            who: order.provider,
            accountId: order.accountId,
            verb: "accounts_suspend",
            subject: order.id,
          }),
  )

const makeOrders = (sql: SqlClient.SqlClient, tables: Folds) => {
  /** Reads orders with their postings; `rest` is the end of the query. */
  const select = (rest: Fragment) => sql<OrderRow>`
    SELECT o.*,
      coalesce((SELECT j.micros FROM journal j WHERE j.account_id = o.account_id AND j.id = o.id), 0) AS credited,
      (${journal.sumTakenBack(sql, sql.literal("o.account_id"), sql.literal("o.id"))}) AS taken_back
    FROM orders o ${rest}`

  /** Reads orders with their facts and states. */
  const orders = (rest: Fragment): Effect.Effect<ReadonlyArray<OrderWithFacts>, SqlError> =>
    Effect.gen(function* () {
      const rows = yield* select(rest)
      if (rows.length === 0) return []
      const facts = Arr.groupBy(
        yield* sql<FactRow>`
          SELECT * FROM order_facts WHERE ${sql.in(
            "order_id",
            rows.map(({ id }) => id),
          )} ORDER BY seq`,
        ({ order_id }) => order_id,
      )
      return rows.map((row) => {
        const made = order.fromRow(row)
        const its = (facts[row.id] ?? []).map(toFact)
        const { state } = orderStatus(made, its)
        return { ...made, facts: its, state, creditedMicros: row.credited, takenBackMicros: row.taken_back }
      })
    })

  const find = (orderId: string) => Effect.map(orders(sql`WHERE o.id = ${orderId}`), ([order]) => order)

  /** False: the fact is already stored, for this order or another one. */
  const insertFact = (orderId: string, given: Fact, at: number) =>
    hasWritten(
      sql`INSERT INTO order_facts ${sql.insert(fact.toRow({ ...given, at }, { order_id: orderId, ...toAmount(given) }))}
        ON CONFLICT (kind, reference) DO NOTHING RETURNING seq`,
    )

  /** Makes journal, wallet and account follow the facts. Returns the amount that could not be taken back. */
  const settleFacts = (order: OrderWithFacts, reversalId: string, at: number) =>
    Effect.gen(function* () {
      const { state, returned } = orderStatus(order, order.facts)
      const { id, accountId, micros } = order
      if ((state === "paid" || state === "returned") && order.creditedMicros === 0) {
        const balance = yield* journal.credit(sql, tables, { id, accountId, micros, at })
        if (balance === undefined) return yield* Effect.dieMessage(`The wallet of ${accountId} has no room for ${id}.`)
      }
      const due = returned - order.takenBackMicros
      if (due <= 0) return zero
      const taken = yield* journal.reverse(sql, tables, {
        id: reversalId,
        accountId,
        credit: id,
        micros: MicroUsd(due),
        at,
      })
      const missing = MicroUsd(due - (taken?.taken ?? 0))
      if (missing > 0) yield* suspend(sql, order, at)
      return missing
    })

  return { known: orders, find, insertFact, follow: settleFacts }
}

/** Rolls back the transaction of an order that is not inserted. */
class NotInserted extends Data.TaggedError("NotInserted")<{ readonly why: Insertion }> {}

const makeInsert =
  (
    sql: SqlClient.SqlClient,
    insertFact: ReturnType<typeof makeOrders>["insertFact"],
    claimed: ReturnType<typeof makeTurns>["claim"],
  ): OrderStore["Type"]["insert"] =>
  (made, opened, claim) =>
    runChange(
      sql,
      Effect.gen(function* () {
        yield* sql`INSERT INTO orders ${sql.insert(order.toRow(made))}`
        if (!(yield* insertFact(made.id, opened, made.createdAt))) {
          return yield* new NotInserted({ why: { _tag: "Known" } })
        }
        const turn = claim === undefined ? undefined : yield* claimed(made.id, claim, made.createdAt)
        if (turn !== undefined) return yield* new NotInserted({ why: { _tag: "Busy", turn } })
        return { _tag: "Inserted" } as const
      }),
      undefined,
      made.id,
    ).pipe(Effect.catchTag("NotInserted", ({ why }) => Effect.succeed(why)))

export const layer: Layer.Layer<OrderStore, never, SqlClient.SqlClient> = Layer.effect(
  OrderStore,
  Effect.map(Effect.all([SqlClient.SqlClient, folds]), ([sql, tables]) => {
    const { known, find, insertFact, follow } = makeOrders(sql, tables)
    const { claim, ...ofPayers } = makeTurns(sql)
    return {
      ...ofPayers,
      insert: makeInsert(sql, insertFact, claim),
      note: ({ orderId, facts, reversalId, at }) =>
        inTransaction(
          sql,
          Effect.gen(function* () {
            const [first] = yield* sql<{ account_id: string }>`SELECT account_id FROM orders WHERE id = ${orderId}`
            if (first === undefined) return undefined
            // Serialises the transactions on an account's money.
            yield* lockRow(sql, "wallets", first.account_id)
            const fresh = yield* Effect.filter(facts, (fact) => insertFact(orderId, fact, at))
            const order = (yield* find(orderId))!
            if (fresh.length === 0) return { ...order, added: 0, missing: zero }
            const missing = yield* follow(order, reversalId, at)
            return { ...(yield* find(orderId))!, added: fresh.length, missing }
          }),
        ),
      find: (orderId) => mapStorageErrors(find(orderId)),
      findBy: (kind, reference) =>
        mapStorageErrors(
          Effect.map(
            known(
              sql`WHERE o.id = (SELECT order_id FROM order_facts WHERE kind = ${kind} AND reference = ${reference})`,
            ),
            ([order]) => order,
          ),
        ),
      page: ({ accountId, cursor = "txn_~", limit }) =>
        mapStorageErrors(
          known(
            accountId === undefined
              ? sql`WHERE o.id < ${cursor} ORDER BY o.id DESC LIMIT ${limit}`
              : sql`WHERE o.account_id = ${accountId} AND o.id < ${cursor} ORDER BY o.id DESC LIMIT ${limit}`,
          ),
        ),
      opened: ({ after, limit }) =>
        mapStorageErrors(
          known(sql`
            WHERE o.id > ${after} AND EXISTS (SELECT 1 FROM order_facts f WHERE f.order_id = o.id AND f.kind = 'opened')
            ORDER BY o.id LIMIT ${limit}`),
        ),
    }
  }),
)

import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Claim, OrderStore, Turn } from "../../../core/payment/OrderStore.ts"
import { hour, minute } from "../../../core/time.ts"
import { firstAs, mapStorageErrors, wrote } from "../engine/storage.ts"

/** The pause of a payer for each of its payments that the network reverted, and the longest. */
const pauses = { each: 10 * minute, longest: hour } as const

interface Row {
  readonly order_id: string | null
  readonly busy_until: number
}

const toTurn = ({ order_id, busy_until }: Row): Turn => ({
  until: busy_until,
  ...(order_id === null ? {} : { orderId: order_id }),
})

/** Payers pay one after the other, over all nodes of a store: the row of a payer is its claim. */
export const turns = (
  sql: SqlClient.SqlClient,
): Pick<OrderStore["Type"], "turnOf" | "renewTurn" | "endTurn"> & {
  /** In the transaction of the order. Undefined: the payer has its turn. */
  readonly claim: (orderId: string, claim: Claim, now: number) => Effect.Effect<Turn | undefined, SqlError>
} => {
  const busy = (payer: string, now: number) =>
    sql<Row>`SELECT order_id, busy_until FROM payers WHERE payer = ${payer} AND busy_until > ${now}`

  return {
    claim: (orderId, { payer, until }, now) =>
      Effect.gen(function* () {
        const isOurs = yield* wrote(sql`
          INSERT INTO payers ${sql.insert({ payer, order_id: orderId, busy_until: until, reverted: 0 })}
          ON CONFLICT (payer) DO UPDATE SET order_id = excluded.order_id, busy_until = excluded.busy_until
          WHERE payers.busy_until <= ${now} RETURNING payer`)
        if (isOurs) return undefined
        const [row] = yield* busy(payer, now)
        return row === undefined ? { until: now } : toTurn(row)
      }),
    renewTurn: (orderId, until) =>
      mapStorageErrors(Effect.asVoid(sql`UPDATE payers SET busy_until = ${until} WHERE order_id = ${orderId}`)),
    turnOf: (payer, now) => firstAs(busy(payer, now), toTurn),
    endTurn: (orderId, how, at) => {
      // A row that says nothing is not kept.
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

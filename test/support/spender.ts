import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { Accounts } from "../../core/account/Accounts.ts"
import type { Caps } from "../../core/account/AgentStore.ts"
import { Agents } from "../../core/account/Agents.ts"
import type { Verdict } from "../../core/account/decide.ts"
import { Ledger } from "../../core/account/Ledger.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import type { Failure } from "../../core/Failure.ts"
import { type Asked, settlementOf } from "./settlement.ts"

/** An agent of an account with money, and a key of its own. */
export const spender = (name: string, caps: { readonly [K in keyof Caps]?: number }, balance = 1_000_000_000) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const agents = yield* Agents
    const { id: accountId } = yield* accounts.create(`owner of ${name}`)
    if (balance > 0) yield* accounts.credit(accountId, MicroUsd(balance))
    const { id: agentId } = yield* agents.create(accountId, name, caps as Caps)
    const { key } = yield* accounts.issueKey({ account: accountId, environment: "live", tier: "pro", agent: name })
    return { accountId, agentId, keyId: key.id }
  })

export type Spender = Effect.Effect.Success<ReturnType<typeof spender>>

let calls = 0

/** Settles one call of an agent and says how the ledger decided. */
export const spend = (
  who: Pick<Asked, "accountId" | "keyId" | "agentId">,
  micros: number,
  rest: Partial<Asked> = {},
): Effect.Effect<Verdict, Failure, Ledger> =>
  Effect.flatMap(Ledger, (ledger) =>
    ledger.charge(
      settlementOf({ ...who, requestId: `req_${String(++calls).padStart(9, "0")}`, micros, at: 0, ...rest }),
    ),
  )

/** What an agent has spent: this month and over all. */
export const spent = (agentId: string, livemode = true) =>
  Effect.flatMap(Agents, (agents) =>
    Effect.map(agents.get(agentId), ({ spend: all }): readonly [number, number] => {
      const { monthSpent, totalSpent } = all.find((each) => each.livemode === livemode)!
      return [monthSpent, totalSpent]
    }),
  )

export interface Event {
  readonly type: string
  readonly livemode: number
  readonly data: Readonly<Record<string, string | number>>
}

/** The place of a row in a table that only grows. */
export const writingOrder = (sql: SqlClient.SqlClient): string =>
  sql.onDialectOrElse({ sqlite: () => "rowid", orElse: () => "ctid" })

/** The events that wait to be delivered, in the order they were written. */
export const events: Effect.Effect<ReadonlyArray<Event>, unknown, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.map(
      sql<{ type: string; livemode: number; data: string }>`
        SELECT type, livemode, data FROM outbox ORDER BY ${sql.literal(writingOrder(sql))}`,
      (rows) => rows.map((row) => ({ ...row, data: JSON.parse(row.data) })),
    ),
)

/** How many rows a table has. */
export const count = (table: string): Effect.Effect<number, unknown, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM ${sql(table)}`, ([row]) => row!.n),
  )

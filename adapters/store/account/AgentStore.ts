import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PerAccount } from "../../../core/account/AccountStore.ts"
import type { Agent, Spend } from "../../../core/account/Agent.ts"
import { AgentStore, maxComparedAgents } from "../../../core/account/AgentStore.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { readAgentTrail } from "../audit/auditReads.ts"
import { runChange } from "../engine/changes.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { checkRoom, onPostgres } from "../engine/locks.ts"
import { hasWritten, likePattern, mapStorageErrors, readAll, readFirst } from "../engine/storage.ts"

const agent = columns<Agent>()(["id", "accountId", "name", "status", "monthlyCap", "budgetCap", "createdAt"], {
  own: { monthlyCap: "monthly_cap_micros", budgetCap: "budget_cap_micros" },
})
type Row = RowOf<typeof agent>

interface SpendRow {
  readonly livemode: number | null
  readonly month_micros: number
  readonly total_micros: number
  /** 1: the month's spend has reached the cap, and its event was emitted. */
  readonly refused: number | null
}

/** The spend with live keys, then that with test keys. */
const listSpends = (rows: ReadonlyArray<SpendRow>, month: string): ReadonlyArray<Spend> =>
  [true, false].map((livemode) => {
    const row = rows.find((each) => each.livemode === Number(livemode))
    return {
      livemode,
      month,
      monthSpent: MicroUsd(row?.month_micros ?? 0),
      totalSpent: MicroUsd(row?.total_micros ?? 0),
      ...(row?.refused === 1 ? { isRefused: true } : {}),
    }
  })

const isCapped = (sql: SqlClient.SqlClient) => sql`(monthly_cap_micros IS NOT NULL OR budget_cap_micros IS NOT NULL)`

/** SQL: an active agent whose spend is near or at a cap, as in `isWarning`; a cap of 0 counts as reached. */
const isNearCap = (sql: SqlClient.SqlClient, month: string) => sql`
  status = 'active' AND (
    monthly_cap_micros = 0 OR budget_cap_micros = 0
    OR (monthly_cap_micros IS NOT NULL AND EXISTS (
      SELECT 1 FROM agent_spend s WHERE s.agent_id = agents.id AND s.month = ${month}
        AND (s.exceeded = 1 OR s.micros * 5 >= monthly_cap_micros * 4)))
    OR (budget_cap_micros IS NOT NULL AND EXISTS (
      SELECT 1 FROM agent_spend s WHERE s.agent_id = agents.id GROUP BY s.livemode
      HAVING SUM(s.micros) * 5 >= budget_cap_micros * 4)))`

const lockWallet = (sql: SqlClient.SqlClient, agentId: string) =>
  onPostgres(
    sql,
    () => sql`
      SELECT 1 FROM wallets WHERE account_id = (SELECT account_id FROM agents WHERE id = ${agentId}) FOR NO KEY UPDATE`,
  )

const page =
  (sql: SqlClient.SqlClient): AgentStore["Type"]["page"] =>
  (accountId, month, { text = "", open, nearCap: isNear, cursor, limit }) => {
    // Names match in the case in which they are typed, or in small letters.
    const matches = sql.or([
      sql`id LIKE ${likePattern(text)} ESCAPE '\\'`,
      sql`name LIKE ${likePattern(text)} ESCAPE '\\'`,
      sql`lower(name) LIKE ${likePattern(text.toLowerCase())} ESCAPE '\\'`,
    ])
    const conditions = [
      sql`account_id = ${accountId}`,
      ...(open === undefined ? [] : [open ? sql`status <> 'revoked'` : sql`status = 'revoked'`]),
      ...(cursor === undefined ? [] : [sql`id < ${cursor}`]),
      ...(text === "" ? [] : [matches]),
    ]
    // No index tells who is near a cap, so only the newest agents with caps are compared.
    const candidates =
      isNear === undefined
        ? sql`agents`
        : sql`(
              SELECT * FROM agents WHERE ${sql.and([...conditions, sql`status = 'active'`, isCapped(sql)])}
              ORDER BY id DESC LIMIT ${maxComparedAgents}) agents`
    const passingConditions = isNear === undefined ? conditions : [isNearCap(sql, month)]
    return mapStorageErrors(
      Effect.map(
        sql<Row & SpendRow>`
            SELECT a.*, s.livemode, SUM(CASE WHEN s.month = ${month} THEN s.micros ELSE 0 END) AS month_micros,
                   SUM(s.micros) AS total_micros,
                   MAX(CASE WHEN s.month = ${month} THEN s.exceeded ELSE 0 END) AS refused
            FROM agents a LEFT JOIN agent_spend s ON s.agent_id = a.id
            WHERE a.id IN (SELECT id FROM ${candidates} WHERE ${sql.and(passingConditions)} ORDER BY id DESC LIMIT ${limit})
            GROUP BY a.id, s.livemode ORDER BY a.id DESC`,
        (rows) =>
          Object.values(Arr.groupBy(rows, ({ id }) => id)).map((each) => ({
            agent: agent.fromRow(each[0]),
            spend: listSpends(each, month),
          })),
      ),
    )
  }

export const layer: Layer.Layer<AgentStore, never, SqlClient.SqlClient> = Layer.effect(
  AgentStore,
  Effect.map(Effect.all([SqlClient.SqlClient, PerAccount]), ([sql, most]) => ({
    insert: (made) => {
      const others = sql`SELECT 1 FROM agents WHERE account_id = ${made.accountId} AND status <> 'revoked' LIMIT ${most}`
      const insert = sql`
        INSERT INTO agents ${sql.insert(agent.toRow(made))} ON CONFLICT (account_id, name) DO NOTHING RETURNING id`
      const room = checkRoom(sql, made.accountId, most, "agents: revoke one", others)
      return runChange(sql, Effect.zipRight(room, hasWritten(insert)))
    },
    find: (idOrName) =>
      mapStorageErrors(
        Effect.map(sql<Row>`SELECT * FROM agents WHERE id = ${idOrName} OR name = ${idOrName} LIMIT 2`, (rows) =>
          rows.length === 1 ? agent.fromRow(rows[0]!) : undefined,
        ),
      ),
    findIn: (accountId, idOrName) =>
      readFirst(
        sql<Row>`SELECT * FROM agents WHERE account_id = ${accountId} AND (id = ${idOrName} OR name = ${idOrName})`,
        agent.fromRow,
      ),
    ofAccount: (accountId, { cursor, limit }) =>
      readAll(
        sql<Row>`
          SELECT * FROM agents WHERE account_id = ${accountId} ${cursor === undefined ? sql`` : sql`AND id < ${cursor}`}
          ORDER BY id DESC LIMIT ${limit}`,
        agent.fromRow,
      ),
    setStatus: (id, status) =>
      runChange(sql, Effect.asVoid(sql`UPDATE agents SET status = ${status} WHERE id = ${id} AND status <> 'revoked'`)),
    setCaps: (id, change) =>
      runChange(
        sql,
        Effect.gen(function* () {
          // No charge may come in between. On PostgreSQL the wallet's row is the account's lock.
          yield* lockWallet(sql, id)
          const [row] = yield* sql<Row>`SELECT * FROM agents WHERE id = ${id}`
          const previousCap = row!.monthly_cap_micros
          const monthly = change.monthlyCap === undefined ? previousCap : change.monthlyCap
          const budget = change.budgetCap === undefined ? row!.budget_cap_micros : change.budgetCap
          yield* sql`
            UPDATE agents SET monthly_cap_micros = ${monthly}, budget_cap_micros = ${budget} WHERE id = ${id}`
          if (previousCap === null || (monthly !== null && monthly <= previousCap)) return
          // The levels of `isWarning` and `broken`. Without a cap both flags are cleared, since no spend reaches the number.
          yield* sql`
            UPDATE agent_spend SET
              warned = CASE WHEN warned = 1 AND micros * 5 >= ${monthly === null ? Number.MAX_SAFE_INTEGER : monthly * 4} THEN 1 ELSE 0 END,
              exceeded = CASE WHEN exceeded = 1 AND micros >= ${monthly ?? Number.MAX_SAFE_INTEGER} THEN 1 ELSE 0 END
            WHERE agent_id = ${id}`
        }),
      ),
    spend: (id, month) =>
      mapStorageErrors(
        Effect.map(
          sql<SpendRow>`
            SELECT livemode, SUM(CASE WHEN month = ${month} THEN micros ELSE 0 END) AS month_micros,
                   SUM(micros) AS total_micros, MAX(CASE WHEN month = ${month} THEN exceeded ELSE 0 END) AS refused
            FROM agent_spend WHERE agent_id = ${id} GROUP BY livemode`,
          (rows) => listSpends(rows, month),
        ),
      ),
    page: page(sql),
    audit: (id, after, limit) => mapStorageErrors(readAgentTrail(sql, id, after, limit)),
  })),
)

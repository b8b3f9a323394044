import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { versionTable } from "../../schema/migrate.ts"
import { StoreError } from "../opening.ts"
import { transaction } from "../storage.ts"

/*
 * The owner of a database makes its tables. In production nodes have a role of their own, which reads and writes rows, only
 * adds rows to append-only tables, and cannot change the tables themselves.
 */

/** What this connection's role may do. */
interface OwnRole {
  readonly role: string
  /** Whether the role may read the store, or there is none yet. */
  readonly reads: boolean
  /** Whether the role owns the store's tables, or may make them. */
  readonly changes: boolean
}

export const readOwnRole: Effect.Effect<OwnRole, SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.map(
      sql<OwnRole>`
      SELECT current_user AS role,
        current_schema() IS NOT NULL AND coalesce(has_table_privilege(m.oid, 'SELECT'), true) AS reads,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
          AND coalesce(pg_has_role(m.relowner, 'USAGE'), true) AS changes
      FROM (SELECT 1) one
      LEFT JOIN pg_class m ON m.relname = ${versionTable} AND m.relnamespace = current_schema()::regnamespace`,
      ([row]) => row!,
    ),
)

/**
 * SQL: the append-only tables of a schema, by its catalogue: tables with a trigger that refuses TRUNCATE, and tables with
 * partitions, which have it.
 */
export const appendOnlyTables = `
  SELECT c.oid, c.relname AS name FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND (
    c.relkind = 'p' OR EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'no_truncate'))`

/** The functions that run with the owner's rights. */
const ownerFunctions = "audit_month(text), audit_table(text), audit_drop(text)"

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Statements that give a role exactly what a node needs. */
const grants = (node: string): ReadonlyArray<string> => [
  `REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM ${node}`,
  `REVOKE ALL ON SCHEMA %I FROM ${node}`,
  `GRANT USAGE ON SCHEMA %I TO ${node}`,
  `GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA %I TO ${node}`,
  // For partitions of append-only tables, which are made while nodes run; a migration grants the rights on other new tables.
  `ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT, INSERT ON TABLES TO ${node}`,
]

const grant = (sql: SqlClient.SqlClient, role: string): Effect.Effect<void, SqlError> =>
  transaction(
    sql,
    Effect.gen(function* () {
      const node = quoteName(role)
      const [{ schema }] = (yield* sql<{ schema: string }>`SELECT quote_ident(current_schema()) AS schema`) as [
        { readonly schema: string },
      ]
      for (const statement of grants(node)) yield* sql.unsafe(statement.replace("%I", schema))
      const changing = yield* sql<{ name: string }>`
        SELECT quote_ident(c.relname) AS name FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ${versionTable}
          AND c.oid NOT IN (SELECT oid FROM (${sql.literal(appendOnlyTables)}) kept)`
      for (const { name } of changing) yield* sql.unsafe(`GRANT UPDATE, DELETE ON ${name} TO ${node}`)
      yield* sql.unsafe(`REVOKE INSERT ON ${versionTable} FROM ${node}`)
      yield* sql.unsafe(`GRANT EXECUTE ON FUNCTION ${ownerFunctions} TO ${node}`)
    }),
  )

/** The roles that were granted a node's rights. */
export const listNodes: Effect.Effect<ReadonlyArray<string>, SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.map(
      sql<{ role: string }>`
        SELECT DISTINCT r.rolname AS role FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
        WHERE c.relname = ${versionTable} AND c.relnamespace = current_schema()::regnamespace
          AND a.privilege_type = 'SELECT' AND a.grantee <> c.relowner
        ORDER BY 1`,
      (rows) => rows.map(({ role }) => role),
    ),
)

/** Gives nodes their rights on tables that a migration has added. */
export const grantAgain: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const role of yield* listNodes) yield* grant(sql, role)
})

const refused = (message: string) => Effect.fail(new StoreError({ reason: "roles", message }))

/** Gives a role exactly what a node needs. Run by the owner; the role must exist. */
export const grantNode = (role: string): Effect.Effect<void, SqlError | StoreError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { role: owner, changes } = yield* readOwnRole
    if (!changes) return yield* refused(`Role ${owner} does not own the store: DATABASE_URL must name the owner.`)
    const [found] = yield* sql<{ all: boolean; owns: boolean }>`
      SELECT rolsuper AS all, pg_has_role(oid, current_user, 'MEMBER') AS owns FROM pg_roles WHERE rolname = ${role}`
    if (found === undefined) {
      return yield* refused(
        `There is no role ${role}. Create it first: CREATE ROLE ${quoteName(role)} LOGIN PASSWORD '…'`,
      )
    }
    if (found.all) return yield* refused(`Role ${role} is a superuser, whom no grant limits. Name another role.`)
    if (found.owns) return yield* refused(`Role ${role} has the rights of the owner ${owner}. Name another role.`)
    yield* grant(sql, role)
  })

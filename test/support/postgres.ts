import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Client } from "pg"
import * as Postgres from "../../adapters/store/engine/postgres/open.ts"
import { connected, start } from "./postgresServer.ts"

/** Whether the suites that serve both stores run on PostgreSQL (`npm run test:postgres`). */
export const isPostgres: boolean = process.env["TEST_STORE"] === "postgres"

/** Vitest is loaded where it is asked: programs that run outside of it import this module too. */
const serverUrl = async (): Promise<string> => (await import("vitest")).inject("postgresUrl")

const urlOf = async (name: string): Promise<Redacted.Redacted> =>
  Redacted.make(Object.assign(new URL(await serverUrl()), { pathname: `/${name}` }).toString())

const asAdmin = async <A>(work: (client: Client) => Promise<A>): Promise<A> => connected(await serverUrl(), work)

/** The migrated database that the tests' are copied from, made by the first of them. */
const template = "market_signals_template"
let isMade: Promise<void> | undefined
const makeTemplate = (): Promise<void> => {
  isMade ??= asAdmin(async (client) => {
    await client.query("SELECT pg_advisory_lock(1)")
    const { rows } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template])
    if (rows.length > 0) return
    await client.query(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`)
    await Effect.runPromise(Effect.scoped(Layer.build(Postgres.layer(await urlOf(template)))))
  })
  return isMade
}

/** The URL of a new database with all tables; it goes with the scope. */
export const database: Effect.Effect<Redacted.Redacted, never, Scope.Scope> = Effect.suspend(() => {
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const made = Effect.promise(async () => {
    await makeTemplate()
    await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`))
    return urlOf(name)
  })
  const gone = Effect.promise(() => asAdmin((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)))
  return Effect.acquireRelease(made, () => gone)
})

/** A server of its own, as `start` makes it; it goes with the scope. */
export const ownServer = (...options: Parameters<typeof start>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = await start(...options)
      if (server === undefined) throw new Error("There is no PostgreSQL for this machine.")
      return server
    }),
    ({ stop }) => Effect.promise(stop),
  )

import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Client } from "pg"
import { commandLine } from "./commandLine.ts"
import { database } from "./postgres.ts"
import * as connection from "./postgresServer.ts"
import { environmentOf, folder } from "./serverProcess.ts"

export const connected = <A>(url: Redacted.Redacted, work: (client: Client) => Promise<A>): Effect.Effect<A> =>
  Effect.promise(() => connection.connected(Redacted.value(url), work))

export const as = (url: Redacted.Redacted, user: string): Redacted.Redacted =>
  Redacted.make(Object.assign(new URL(Redacted.value(url)), { username: user }).toString())

/** A role that may log in and nothing else; it goes with the scope. */
export const role = (url: Redacted.Redacted, rights = "") =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const name = `node-${randomUUID()}`
      return Effect.as(
        connected(url, (client) => client.query(`CREATE ROLE "${name}" LOGIN ${rights}`)),
        name,
      )
    }),
    (name) =>
      connected(url, async (client) => {
        await client.query(`DROP OWNED BY "${name}" CASCADE`)
        await client.query(`DROP ROLE "${name}"`)
      }),
  )

/** A database, its command line as the owner, and a role with a node's rights. */
export const prepared = Effect.gen(function* () {
  const url = yield* database
  const environment = environmentOf(url, yield* folder)
  const { cli } = commandLine("", environment)
  const run = (line: string, more: Readonly<Record<string, string>> = {}) => Effect.promise(() => cli(line, more))
  const name = yield* role(url)
  const granted = yield* run(`store roles --node ${name}`)
  assert.deepStrictEqual([granted.code, granted.stderr], [0, ""])
  return { url, name, environment, run, nodeUrl: as(url, name) }
})

import { chmodSync, existsSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { newest } from "../../../../adapters/store/schema/migrate.ts"
import { as, connected, prepared } from "../../../support/postgresRoles.ts"

interface Told {
  readonly check: string
  readonly state: string
  readonly detail: string
  readonly remedy?: string
}

/** The findings of a report; the server of these tests runs without fsync unless it was given. */
const findings = (stdout: string): ReadonlyArray<Told> =>
  (JSON.parse(stdout) as { readonly checks: ReadonlyArray<Told> }).checks.filter(
    ({ check, state }) => state === "finding" && check !== "fsync",
  )

const withPassword = (url: Redacted.Redacted): string =>
  Object.assign(new URL(Redacted.value(url)), { password: "hidden-word" }).toString()

describe("doctor", () => {
  it.scopedLive("finds nothing wrong with a node's role, names a file that is no key, and shows no secret", () =>
    Effect.gen(function* () {
      const { run, nodeUrl, environment } = yield* prepared
      writeFileSync(environment["RECORD_KEY_FILE"]!, "hidden-key", { mode: 0o600 })
      const DATABASE_URL = withPassword(nodeUrl)
      const { stdout } = yield* run("doctor --json", { DATABASE_URL })
      const [key, ...others] = findings(stdout)
      assert.deepStrictEqual(others, [])
      assert.match(key!.detail, /does not contain a record key/)
      const names = (JSON.parse(stdout) as { readonly checks: ReadonlyArray<Told> }).checks.map(({ check }) => check)
      assert.deepStrictEqual(names, [
        "server",
        "pages",
        "encoding",
        "collation",
        "synchronous_commit",
        "fsync",
        "full_page_writes",
        "synchronous_standby_names",
        "clock",
        "schema",
        "role",
        "grants",
        "RECORD_KEY_FILE",
        "SECRETS_KEY_FILE",
        "sources",
        "record key",
      ])
      const text = yield* run("doctor", { DATABASE_URL })
      for (const secret of ["hidden-word", "hidden-key"]) assert.notInclude(stdout + text.stdout + text.stderr, secret)
    }),
  )

  it.scopedLive("names rights beyond a node's and the command that takes them away", () =>
    Effect.gen(function* () {
      const { run, url, name, nodeUrl } = yield* prepared
      yield* connected(url, (client) => client.query(`GRANT TRUNCATE, UPDATE ON journal, captures TO "${name}"`))
      const more = { DATABASE_URL: Redacted.value(nodeUrl) }
      const { code, stdout, stderr } = yield* run("doctor --json", more)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^\d findings?\.$/)
      assert.deepStrictEqual(findings(stdout), [
        {
          check: "grants",
          state: "finding",
          detail: `Role ${name} may UPDATE journal, UPDATE captures, TRUNCATE journal and 1 more.`,
          remedy: `As the owner, run: market-signals store roles --node ${name}`,
        },
      ])
      yield* run(`store roles --node ${name}`)
      assert.deepStrictEqual(findings((yield* run("doctor --json", more)).stdout), [])
    }),
  )

  it.scopedLive("names an owner, an old schema, settings that lose charges, and key files that others can read", () =>
    Effect.gen(function* () {
      const { run, url, name, nodeUrl, environment } = yield* prepared
      const key = environment["SECRETS_KEY_FILE"]!
      writeFileSync(key, "a")
      chmodSync(key, 0o644)
      yield* connected(url, async (client) => {
        await client.query(`UPDATE store_schemas SET version = 0 WHERE version = ${newest}`)
        await client.query(`ALTER ROLE "${name}" SET synchronous_commit = off`)
      })
      const asNode = findings((yield* run("doctor --json", { DATABASE_URL: Redacted.value(nodeUrl) })).stdout)
      assert.deepStrictEqual(
        asNode.map(({ check, remedy }) => [check, remedy]),
        [
          ["synchronous_commit", "Set synchronous_commit = on."],
          ["schema", "Run: market-signals store migrate"],
          ["SECRETS_KEY_FILE", `Run: chmod 600 ${key}`],
        ],
      )
      yield* connected(url, async (client) => {
        await client.query(`ALTER ROLE "${name}" RESET synchronous_commit`)
        const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (const { tablename } of rows) await client.query(`ALTER TABLE ${tablename} OWNER TO "${name}"`)
      })
      const asOwner = findings((yield* run("doctor --json", { DATABASE_URL: Redacted.value(nodeUrl) })).stdout)
      assert.match(asOwner.find(({ check }) => check === "role")!.detail, /owns \d+ tables: it may TRUNCATE journal\.$/)
      const asSuperuser = findings((yield* run("doctor --json")).stdout)
      assert.match(asSuperuser.find(({ check }) => check === "role")!.detail, /is a superuser/)
    }),
  )

  it.scopedLive("and the check read every table: one with a destroyed page is damaged", (context) =>
    Effect.gen(function* () {
      const { url, run } = yield* prepared
      const name = new URL(Redacted.value(url)).pathname.slice(1)
      const [copy, admin] = [`${name}_copy`, `${name}`].map((each) =>
        Redacted.make(Object.assign(new URL(Redacted.value(url)), { pathname: `/${each}` }).toString()),
      )
      yield* Effect.acquireRelease(
        // Its files are copied past the server's memory.
        connected(admin!, async (client) => {
          await client.query("CHECKPOINT")
          await client.query(`CREATE DATABASE ${name}_copy TEMPLATE market_signals_template STRATEGY FILE_COPY`)
        }),
        () => connected(admin!, (client) => client.query(`DROP DATABASE ${name}_copy WITH (FORCE)`)),
      )
      const file = yield* connected(copy!, async (client) => {
        const { rows } = await client.query(
          "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('webhooks') AS file",
        )
        return rows[0].file as string
      })
      // A server elsewhere keeps its files to itself.
      if (!existsSync(file)) return context.skip()
      writeFileSync(file, Buffer.alloc(8_192, 0xa5))
      const DATABASE_URL = Redacted.value(copy!)
      const [found] = findings((yield* run("doctor --json", { DATABASE_URL })).stdout)
      assert.deepInclude(found, { check: "pages", remedy: "Restore a backup." })
      assert.match(found!.detail, /^The store is damaged: webhooks: invalid page in block 0/)
      const check = yield* run("store check", { DATABASE_URL })
      assert.match(check.stderr, /^The store is damaged: restore a backup\. webhooks: invalid page in block 0/)
    }),
  )

  it.scopedLive("says that the database cannot be reached, without the password", () =>
    Effect.gen(function* () {
      const { run, nodeUrl } = yield* prepared
      const away = Object.assign(new URL(withPassword(nodeUrl)), { port: "9" }).toString()
      const { code, stdout, stderr } = yield* run("doctor", { DATABASE_URL: away })
      assert.strictEqual(code, 1)
      assert.match(stdout, /FINDING {2}server: Cannot use the database of DATABASE_URL: .*ECONNREFUSED/)
      assert.notInclude(stdout + stderr, "hidden-word")
      const nowhere = yield* run("doctor --json", { DATABASE_URL: `${Redacted.value(as(nodeUrl, "nobody-knows"))}` })
      assert.strictEqual(findings(nowhere.stdout)[0]!.check, "server")
    }),
  )
})

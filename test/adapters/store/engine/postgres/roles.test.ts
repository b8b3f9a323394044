import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import { newest } from "../../../../../adapters/store/schema/migrate.ts"
import { RecordLog } from "../../../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../../../core/record/log/signCheckpoint.ts"
import { node } from "../../../../support/postgresNode.ts"
import { as, connected, prepared, role } from "../../../../support/postgresRoles.ts"
import { leaves, recordOver } from "../../../../support/record.ts"
import { funded, serverProcess } from "../../../../support/serverProcess.ts"

describe("the role of a node", () => {
  it.scopedLive("changes no append-only table and no schema, whatever the triggers say", () =>
    Effect.gen(function* () {
      const { url, nodeUrl } = yield* prepared
      const month = "audit_2020_01"
      const appendOnly: Array<string> = []
      yield* connected(url, async (client) => {
        await client.query("SELECT audit_month('2020-01')")
        const guarded = await client.query(
          "SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'no_truncate'",
        )
        appendOnly.push("audit", ...guarded.rows.map(({ name }) => name))
        assert.includeMembers(appendOnly, [month, "journal", "record_leaves", "settled_rows", "weather_voids"])
        // The grants alone refuse.
        await client.query("SET session_replication_role = replica")
        for (const table of appendOnly) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`)
      })
      yield* connected(nodeUrl, async (client) => {
        const refused = async (statement: string) => {
          const error = await client.query(statement).then(
            () => undefined,
            (thrown: { readonly code?: string }) => thrown.code,
          )
          assert.strictEqual(error, "42501", statement)
        }
        for (const table of appendOnly) {
          const { rows } = await client.query(
            "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND attidentity = '' LIMIT 1",
            [table],
          )
          const column = rows[0]!.name
          await refused(`TRUNCATE ${table} CASCADE`)
          await refused(`DELETE FROM ${table}`)
          await refused(`UPDATE ${table} SET ${column} = ${column}`)
          await refused(`ALTER TABLE ${table} ENABLE TRIGGER ALL`)
          await refused(`DROP TABLE ${table}`)
          await client.query(`SELECT count(*) FROM ${table}`)
        }
        await refused("TRUNCATE wallets CASCADE")
        await refused("CREATE TABLE mine (a int)")
        await refused("CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'")
        await refused("UPDATE store_schemas SET version = 1")
        await refused("INSERT INTO store_schemas (version, applied_at) VALUES (999, 0)")
        await refused("DROP FUNCTION audit_drop(text)")
      })
    }),
  )

  it.scopedLive("drops no month of the audit trail that is kept, and shadows no table of the owner's functions", () =>
    Effect.gen(function* () {
      const { url, nodeUrl } = yield* prepared
      const month = new Date().toISOString().slice(0, 7)
      yield* connected(nodeUrl, async (client) => {
        await client.query("SELECT audit_month($1), audit_month('2020-02')", [month])
        await client.query("UPDATE audit_months SET dropping = 1")
        const error = await client.query("SELECT audit_drop($1)", [month]).catch((thrown: Error) => thrown)
        assert.match(String(error), /is kept/)
        await client.query("SELECT audit_drop('2020-02')")
        await client.query("CREATE TEMP TABLE audit_months (month text primary key)")
        await client.query("SELECT audit_month('2020-03')")
      })
      const months = yield* connected(url, (client) => client.query("SELECT month FROM audit_months ORDER BY 1"))
      assert.deepStrictEqual(
        months.rows.map((row) => row.month),
        ["2020-03", month],
      )
    }),
  )

  it.scopedLive(
    "starts, sells, records and runs jobs",
    () =>
      Effect.gen(function* () {
        const { url, nodeUrl, environment, run } = yield* prepared
        const token = yield* Effect.provide(funded, yield* node(url))
        yield* Effect.gen(function* () {
          const log = yield* RecordLog
          yield* log.append(leaves(0, 5))
          yield* signCheckpoint
          assert.strictEqual((yield* log.checkpoint())?.size, 5)
        }).pipe(Effect.provide(recordOver(Postgres.layer(nodeUrl))))
        const { get, child } = yield* serverProcess({ ...environment, DATABASE_URL: Redacted.value(nodeUrl) })
        assert.strictEqual((yield* get("/readyz")).status, 200)
        for (const path of ["/v1/weather/settlement?station=KNYC", "/v1/crypto/signal?asset=BTC&horizon_minutes=60"]) {
          const { status, json } = yield* get(path, token)
          assert.strictEqual(status, 200, JSON.stringify(json))
        }
        const found = yield* connected(url, async (client) => {
          for (;;) {
            const { rows } =
              await client.query(`SELECT (SELECT count(*) FROM postings WHERE kind = 'charge')::int AS charges,
            (SELECT count(*) FROM audit)::int AS audited,
            (SELECT count(*) FROM job_runs WHERE outcome = 'ok')::int AS jobs,
            (SELECT count(*) FROM job_runs WHERE outcome <> 'ok')::int AS failed`)
            await new Promise((resolve) => setTimeout(resolve, 50))
            if (rows[0].audited >= 2 && rows[0].jobs + rows[0].failed >= 1) return rows[0]
          }
        })
        assert.deepInclude(found, { charges: 2, audited: 2, failed: 0 })
        assert.strictEqual(child.stderr(), "")
        yield* connected(url, (client) => client.query("SELECT audit_month('2020-02')"))
        for (const [name, said] of [
          ["retention", /2020-02 of the audit trail/],
          ["prune-runs", /deleted 0 runs/],
        ] as const) {
          const { code, stdout, stderr } = yield* run(`jobs run ${name}`, { DATABASE_URL: Redacted.value(nodeUrl) })
          assert.deepStrictEqual([code, stderr], [0, ""])
          assert.match(stdout, said)
        }
      }),
    60_000,
  )

  it.scopedLive("is refused without rights, and on an older schema, in words that name the owner's command", () =>
    Effect.gen(function* () {
      const { url, name, nodeUrl, run } = yield* prepared
      const stranger = yield* role(url)
      const { stderr } = yield* run("account list", { DATABASE_URL: Redacted.value(as(url, stranger)) })
      assert.include(stderr, `market-signals store roles --node ${stranger}`)
      // As a later program finds the store: a schema is missing.
      yield* connected(url, (client) => client.query("DELETE FROM store_schemas"))
      const refused = yield* run("account list", { DATABASE_URL: Redacted.value(nodeUrl) })
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, `role ${name} may not change it. As its owner, run: market-signals store migrate`)
    }),
  )

  it.scopedLive("has its rights on tables that come later", () =>
    Effect.gen(function* () {
      const { url, name, nodeUrl, run } = yield* prepared
      yield* connected(url, (client) => client.query("CREATE TABLE later (a int)"))
      const tryIt = (statement: string) =>
        connected(nodeUrl, (client) =>
          client.query(statement).then(
            () => true,
            () => false,
          ),
        )
      assert.isTrue(yield* tryIt("INSERT INTO later VALUES (1)"))
      assert.isFalse(yield* tryIt("UPDATE later SET a = 2"))
      assert.strictEqual((yield* run(`store roles --node ${name}`)).code, 0)
      assert.isTrue(yield* tryIt("UPDATE later SET a = 2"))
      assert.isFalse(yield* tryIt("TRUNCATE later"))
      // Rights beyond a node's go.
      yield* connected(url, (client) => client.query(`GRANT TRUNCATE, UPDATE ON journal TO "${name}"`))
      assert.strictEqual((yield* run(`store roles --node ${name}`)).code, 0)
      assert.isFalse(yield* tryIt("UPDATE journal SET at = 0"))
    }),
  )

  it.scopedLive("is no superuser, no owner and no stranger, and only the owner gives it", () =>
    Effect.gen(function* () {
      const { url, run, nodeUrl } = yield* prepared
      const superuser = yield* role(url, "SUPERUSER")
      for (const [line, said, user] of [
        ["store roles --node nobody-knows", /There is no role nobody-knows\. Create it first: CREATE ROLE/, undefined],
        [`store roles --node ${superuser}`, /is a superuser/, undefined],
        ["store roles --node other", /does not own the store: DATABASE_URL must name the owner/, nodeUrl],
      ] as const) {
        const { code, stderr } = yield* run(line, user === undefined ? {} : { DATABASE_URL: Redacted.value(user) })
        assert.strictEqual(code, 1)
        assert.match(stderr, said)
      }
      const migrated = yield* run("store migrate --json")
      assert.deepStrictEqual(JSON.parse(migrated.stdout), { schema: newest })
    }),
  )
})

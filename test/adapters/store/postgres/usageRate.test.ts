import { readFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as usage from "../../../../adapters/store/audit/Usage.ts"
import { treeCpuTime } from "../../../../bench/processes.ts"
import { keptDays, Usage } from "../../../../core/account/Usage.ts"
import { day, hour, iso, minute } from "../../../../core/time.ts"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"

const calls = Number(process.env["PG_USAGE_CALLS"] ?? 20_000)
const isLongForm = calls > 20_000
const accounts = isLongForm ? 100_000 : 4_000

describe("sums of usage of many accounts", () => {
  it.scopedLive(
    `keep up with ${calls} calls of ${accounts} accounts, and shrink when their hours are old`,
    () =>
      Effect.gen(function* () {
        const own = yield* Effect.flatMap(database, node)
        const sql = Context.get(own, SqlClient.SqlClient)
        const { fold } = Context.get(yield* Effect.provide(Layer.build(usage.layer), own), Usage)
        const [{ pid } = { pid: 0 }] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
        const postmaster = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1])
        // Of a day whose hours are no longer kept, in five minutes of every hour: each account calls in some of them.
        const first = Math.floor(Date.now() / day - keptDays.hour - 2) * day
        const month = iso(first).slice(0, 7)
        yield* sql`SELECT audit_month(${month})`
        yield* sql`
          INSERT INTO audit (month, request_id, at, account_id, key_id, endpoint, params_hash, status, charged_micros, latency_ms)
          SELECT ${month}, 'req_' || n, CAST(${first} AS BIGINT) + (n / (${calls} / 24)) % 24 * ${hour} + (n % (5 * ${minute})),
            'acct_01M83HAZZNXKH8M5JSR6' || lpad(who::text, 6, '0'), 'key_01M83HAZZNXKH8M5JSR6' || lpad(who::text, 6, '0'),
            CASE WHEN n % 4 = 0 THEN 'crypto_signal' ELSE 'weather_settlement' END, '', 200, 1000, 1
          FROM (SELECT n, (n * 7919::bigint + n / 13) % ${accounts} AS who FROM generate_series(0, ${calls} - 1) AS n) made`
        yield* sql`ANALYZE audit`
        // Rows wait for each older transaction of the server, also of the tests beside this one: what is folded late goes
        // into days at once.
        yield* Effect.repeat(
          sql<{ ready: boolean }>`SELECT max(tx) < pg_snapshot_xmin(pg_current_snapshot()) AS ready FROM audit`,
          { until: ([row]) => row!.ready, schedule: Schedule.spaced("50 millis") },
        )
        const bytes = Effect.map(
          Effect.zipRight(
            sql`VACUUM FULL usage_sums`,
            sql<{ bytes: number; sums: number }>`
              SELECT pg_total_relation_size('usage_sums')::float8 AS bytes, count(*)::float8 AS sums FROM usage_sums`,
          ),
          ([row]) => row!,
        )
        /** Runs folds while `goes` says so; returns seconds, the store's processor time, and the longest fold. */
        const measured = (goes: (rows: number, more: boolean) => boolean) =>
          Effect.gen(function* () {
            const before = { at: performance.now(), cpu: treeCpuTime(postmaster) }
            let [longest, rows, folds] = [0, 0, 0]
            for (let left = true; left; folds++) {
              const begun = performance.now()
              const folded = yield* fold
              longest = Math.max(longest, performance.now() - begun)
              rows += folded.rows
              left = goes(rows, folded.more)
            }
            const seconds = (performance.now() - before.at) / 1_000
            return { folds, seconds, cpu: (treeCpuTime(postmaster) - before.cpu) / calls, longest }
          })
        const text = ({ folds, seconds, cpu, longest }: Effect.Effect.Success<ReturnType<typeof measured>>) =>
          `${seconds.toFixed(1)} s, ${cpu.toFixed(0)} µs of the store a call, ${folds} transactions, ${longest.toFixed(0)} ms at most`
        const folding = yield* measured((rows) => rows < calls)
        const before = yield* bytes
        const stepping = yield* measured((_, more) => more)
        const after = yield* bytes
        assert.deepStrictEqual(
          (yield* sql`
            SELECT kind, span::float8, sum(calls)::float8 AS calls, sum(charged_micros)::float8 AS charged FROM usage_sums GROUP BY 1, 2 ORDER BY 1`).map(
            (row) => Object.values(row),
          ),
          ["agent", "endpoint", "key", "status"].map((kind) => [kind, day, calls, 1_000 * calls]),
        )
        const perSecond = calls / folding.seconds
        if (isLongForm) {
          process.stdout.write(
            [
              `fold: ${perSecond.toFixed(0)} calls/s; ${text(folding)}`,
              `steps: ${text(stepping)}`,
              ...[before, after].map(
                ({ bytes, sums }) => `${(bytes / calls).toFixed(0)} bytes a call, ${(sums / calls).toFixed(2)} sums`,
              ),
              "",
            ].join("\n"),
          )
          assert.isAtLeast(perSecond, 2_000)
        }
        assert.isBelow(after.sums, before.sums)
      }),
    600_000,
  )
})

// Proof: takes five seconds or more.
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import { type Code, codes, fail } from "../../../../core/Failure.ts"
import { begin } from "../../../support/chaos/chaos.ts"
import { type Running, start } from "../../../support/running.ts"
import { accountsOver, makeFolder, removeFolder } from "../../../support/store.ts"
import { free, paid, until } from "./agentKeys.ts"
import * as Controlled from "./controlled.ts"

const folder = makeFolder()
const file = join(folder, "store.db")
let service: Running
beforeAll(async () => {
  service = await start({ sqliteFile: file })
})
afterAll(async () => {
  await service.stop()
  removeFolder(folder)
})

/** A server with a test-defined lane over a real ledger. */
const controlled = async (behaviour: Controlled.Behaviour, options: Parameters<typeof Controlled.start>[1] = {}) => {
  let context: Context.Context<SqlClient.SqlClient | Sqlite> | undefined
  const ledger = accountsOver(":memory:").pipe(
    Layer.tap((built) =>
      Effect.gen(function* () {
        context = built
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO accounts (id, name, created_at) VALUES ('acct', 'one', 0)`
        yield* sql`INSERT INTO wallets (account_id, balance_micros) VALUES ('acct', 10000)`
        yield* sql`INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at)
          VALUES ('key', 'acct', 'h', 'four', 'live', 'pro', 6000, 0)`
      }).pipe(Effect.provide(built)),
    ),
    Layer.orDie,
  )
  const running = await Controlled.start({ ...behaviour, ledger }, options)
  const rows = () =>
    Effect.runPromise(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) =>
          sql<{ status: number; code: string | null; charged: number }>`
          SELECT status, code, charged_micros AS charged FROM audit ORDER BY request_id`,
      ).pipe(Effect.provide(context!)),
    )
  return {
    ...running,
    rows,
    db: () => Effect.runSync(Effect.map(Sqlite, ({ db }) => db).pipe(Effect.provide(context!))),
  }
}

describe("a failed call", () => {
  it("is never billed and leaves one audit row, whatever its error code", { timeout: 20_000 }, async () => {
    const all = Object.keys(codes) as ReadonlyArray<Code>
    const running = await controlled({ paid: (n) => Effect.fail(fail(all[n!]!)) })
    for (const [n, code] of all.entries()) {
      const keyed = { headers: { "idempotency-key": crypto.randomUUID() } }
      for (const init of [{}, keyed, { method: "HEAD" }]) {
        const { status } = await running.get(`/v1/controlled/paid?n=${n}`, init)
        assert.strictEqual(status, codes[code].status)
      }
      await until(async () => (await running.rows()).length === (n + 1) * 3)
    }
    const expected = all.flatMap((code) => Array(3).fill({ status: codes[code].status, code, charged: 0 }))
    const byCode = (a: { code: string | null }, b: { code: string | null }) =>
      String(a.code) < String(b.code) ? -1 : 1
    assert.deepStrictEqual([...(await running.rows())].sort(byCode), [...expected].sort(byCode))
    assert.strictEqual(await running.balance(), 10_000)
    await running.stop()
  })

  it("is never billed after a defect, a timeout or a closed connection", async () => {
    const running = await controlled(
      { paid: (n) => (n === 0 ? Effect.die(new Error("a bug")) : Effect.never) },
      { limits: { answerMs: 500 } },
    )
    assert.strictEqual((await running.get("/v1/controlled/paid?n=0")).status, 500)
    assert.strictEqual((await running.get("/v1/controlled/paid?n=1")).status, 408)
    await until(async () => (await running.rows()).length === 2)
    assert.deepStrictEqual(await running.rows(), [
      { status: 500, code: "internal_error", charged: 0 },
      { status: 408, code: "request_timeout", charged: 0 },
    ])
    await running.stop()

    const entered = Effect.runSync(Deferred.make<void>())
    const patient = await controlled({
      paid: () => Effect.zipRight(Deferred.succeed(entered, undefined), Effect.never),
    })
    const controller = new AbortController()
    const gone = patient.get("/v1/controlled/paid", { signal: controller.signal }).catch(() => "gone")
    await Effect.runPromise(Deferred.await(entered))
    controller.abort()
    assert.strictEqual(await gone, "gone")
    await until(async () => (await patient.rows()).length === 1)
    assert.deepStrictEqual(await patient.rows(), [{ status: 408, code: "request_timeout", charged: 0 }])
    assert.strictEqual(await patient.balance(), 10_000)
    await patient.stop()
  })

  it("a successful call is billed once and audited", async () => {
    const running = await controlled({})
    assert.strictEqual((await running.get("/v1/controlled/paid")).status, 200)
    assert.deepStrictEqual(await running.rows(), [{ status: 200, code: null, charged: 1_000 }])
    await running.stop()
  })
})

describe("a store that cannot commit a charge", () => {
  it("full: 503 with the error envelope, nothing charged, and recovery once there is room", async () => {
    const running = await controlled({})
    const db = running.db()
    const ask = () => running.get(`/v1/controlled/paid`, { headers: { "idempotency-key": crypto.randomUUID() } })
    // Fill the disk: free space is left only in pages already begun.
    const opening = 1_000_000
    db.exec(`UPDATE wallets SET balance_micros = ${opening}`)
    db.exec("VACUUM")
    db.pragma(`max_page_count = ${db.pragma("page_count", { simple: true })}`)
    let refused: Response | undefined
    for (let n = 0; n < 200 && refused === undefined; n++) {
      const response = await ask()
      if (response.status !== 200) refused = response
    }
    const paidFor = opening - (await running.balance())
    const { error } = (await refused!.json()) as { error: Record<string, unknown> }
    assert.deepStrictEqual(
      [refused!.status, error["code"], error["recoverable"], error["retry_after_ms"]],
      [503, "storage_unavailable", true, 1_000],
    )
    assert.strictEqual(refused!.headers.get("retry-after"), "1")
    assert.strictEqual(await running.balance(), opening - paidFor)
    db.pragma("max_page_count = 1000000")
    assert.strictEqual((await ask()).status, 200)
    assert.strictEqual(await running.balance(), opening - 1_000 - paidFor)
    await running.stop()
  })

  it("locked by a stranger's program: 503 at once, and recovery without a restart", {
    timeout: 60_000,
  }, async () => {
    const before = [await service.balance(), await service.charges()] as const
    const other = await begin("hold", file)
    await other.linesUntil(2)
    const timed = async () => {
      const began = performance.now()
      const { status, json } = await service.get(paid)
      return [status, json.error?.code, performance.now() - began] as const
    }
    // Some arrive at once, the others while those wait.
    const first = Array.from({ length: 20 }, timed)
    const more: Array<ReturnType<typeof timed>> = []
    for (let n = 0; n < 200; n++) {
      if (n % 10 === 0) more.push(timed())
      // Reads take no lock.
      assert.strictEqual((await service.get(free)).status, 200)
    }
    for (const [status, code, ms] of await Promise.all([...first, ...more])) {
      assert.deepStrictEqual([status, code], [503, "storage_unavailable"])
      assert.isBelow(ms, 1_500)
    }
    assert.deepStrictEqual([await service.balance(), await service.charges()], before)
    const answered = 20 + more.length + 200
    const audited = () =>
      service.run(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          // Refusals of other tests are counted by the minute and written after their minute.
          Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM audit WHERE status IN (200, 503)`, ([row]) => row!.n),
        ),
      )
    const rows = await audited()
    other.process.stdin.write("go\n")
    await other.ended
    assert.deepStrictEqual((await timed()).slice(0, 2), [200, undefined])
    // The audit rows of that time are queued for the store's next successful batch.
    assert.strictEqual(await audited(), rows + answered + 1)
    assert.deepStrictEqual([await service.balance(), await service.charges()], [before[0] - 1_000, before[1] + 1])
  })
})

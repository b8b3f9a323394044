import { randomUUID } from "node:crypto"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Postgres } from "../../adapters/store/engine/postgres/client.ts"
import * as Charge from "../../adapters/store/money/postgres/charge.ts"
import * as Ending from "../../adapters/store/money/postgres/ending.ts"
import { node } from "../../test/support/postgresNode.ts"
import { connected } from "../../test/support/postgresServer.ts"
import { settlementOf } from "../../test/support/settlement.ts"
import { spend, spender } from "../../test/support/spender.ts"
import { median } from "../medians.ts"
import { type Cluster, first } from "./cluster.ts"

/** The money step alone: callers of one node that settle plain charges without a lane or HTTP. */
export interface Settled {
  readonly perSecond: number
  /** CPU of the server per charge, microseconds. */
  readonly storeCpu: number
  /** CPU of this process per batch, microseconds: callers, settlement and client. */
  readonly batchCpu: number
  /** Charges per batch. */
  readonly batch: number
}

const accounts = 1_000
const price = 1_000

const batches = (url: string): Promise<number> =>
  first<{ readonly n: string }>(url, "SELECT count(*) AS n FROM charge_batches").then(({ n }) => Number(n))

/** Prepares a database; the returned function settles for so many seconds. Closed with the scope. */
export const settling = ({ cpuTime }: Cluster, url: string) =>
  Effect.gen(function* () {
    const own = yield* node(Redacted.make(url))
    const payers = yield* Effect.forEach(Arr.range(1, accounts), (n) => spender(`bot${n}`, {}), {
      concurrency: 16,
    }).pipe(Effect.provide(own))
    return (seconds: number, callers: number): Effect.Effect<Settled> =>
      Effect.gen(function* () {
        const before = { cpu: cpuTime(), own: process.cpuUsage(), batches: yield* Effect.promise(() => batches(url)) }
        const begun = performance.now()
        const until = begun + seconds * 1_000
        const pay = (caller: number) =>
          Effect.gen(function* () {
            let calls = 0
            for (; performance.now() < until; calls++) {
              const { accountId, keyId } = payers[(caller + calls * callers) % payers.length]!
              const { _tag } = yield* spend({ accountId, keyId }, price, { at: Date.now() })
              if (_tag !== "Accepted") return yield* Effect.dieMessage(`A charge was refused: ${_tag}.`)
            }
            return calls
          })
        const counts = yield* Effect.forEach(Arr.range(1, callers), pay, { concurrency: "unbounded" }).pipe(
          Effect.orDie,
        )
        const calls = counts.reduce((sum, each) => sum + each, 0)
        const taken = performance.now() - begun
        const [own, store] = [process.cpuUsage(before.own), cpuTime() - before.cpu]
        const sent = (yield* Effect.promise(() => batches(url))) - before.batches
        return {
          perSecond: (calls * 1_000) / taken,
          storeCpu: store / calls,
          batchCpu: (own.user + own.system) / sent,
          batch: calls / sent,
        }
      }).pipe(Effect.provide(own))
  })

/** The time that a statement of a charge takes in the store. */
export interface Part {
  readonly text: string
  /** Microseconds a charge, by the store's clock. */
  readonly micros: number
}

/** Counts the statements of a server while `work` makes so many charges; returns the longest, with those inside functions. */
export const partsOf = (url: string, work: () => Promise<number>): Promise<ReadonlyArray<Part>> =>
  connected(url, async (client) => {
    await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    const track = async (which: "all" | "none") => {
      await client.query(`ALTER SYSTEM SET pg_stat_statements.track = '${which}'`)
      await client.query("SELECT pg_reload_conf()")
    }
    await track("all")
    await client.query("SELECT pg_stat_statements_reset()")
    const calls = await work()
    const { rows } = await client.query<{ readonly text: string; readonly ms: number }>(`
      SELECT left(regexp_replace(query, '[[:space:]]+', ' ', 'g'), 60) AS text, total_exec_time AS ms
      FROM pg_stat_statements ORDER BY ms DESC LIMIT 10`)
    await track("none")
    return rows.map(({ text, ms }) => ({ text, micros: (ms * 1_000) / calls }))
  })

/** Milliseconds to cancel a batch that was settled: the median of ten batches of 50 calls. */
export const cancelMs = (url: string): Promise<number> =>
  Effect.gen(function* () {
    const postgres = Context.get(yield* node(Redacted.make(url)), Postgres)
    const settle = Charge.make(postgres)
    const times: Array<number> = []
    for (let n = 0; n < 10; n++) {
      const payers = yield* postgres.rows<{ readonly accountId: string; readonly keyId: string }>(
        "payers",
        `SELECT account_id AS "accountId", id AS "keyId" FROM api_keys ORDER BY random() LIMIT 50`,
      )
      const call = { micros: price, at: Date.now() }
      const calls = payers.map((payer) => Charge.makeCall(settlementOf({ ...payer, ...call, requestId: randomUUID() })))
      const batch = randomUUID()
      yield* settle(batch, calls, false)
      yield* postgres.rows("handOver", "INSERT INTO cancels (batch, calls) VALUES ($1::uuid, $2::json)", [
        batch,
        JSON.stringify(Ending.endedOf(calls)),
      ])
      const begun = performance.now()
      const credited = yield* Ending.end(postgres, batch)
      times.push(performance.now() - begun)
      if (credited !== 50) return yield* Effect.dieMessage(`A cancel credited ${credited} of 50 charges.`)
    }
    return median(times)
  }).pipe(Effect.scoped, Effect.runPromise)

/** Journal and audit of many earlier calls of the same accounts, in the order of their ids. */
export const fill = (url: string, rows: number): Promise<void> =>
  connected(url, async (client) => {
    await client.query("SET synchronous_commit = off")
    const month = new Date().toISOString().slice(0, 7)
    await client.query("SELECT audit_month($1)", [month])
    await client.query(
      "CREATE TEMP TABLE payers AS SELECT row_number() OVER (ORDER BY id) AS n, id, account_id FROM api_keys",
    )
    const page = 1_000_000
    const earlier = (from: number, to: number) => `
      SELECT 'req_' || lpad(to_hex(g), 26, '0') AS id, ${Date.now()} - ${rows} + g AS at, p.id AS key, p.account_id AS account
      FROM generate_series(${from}, ${to}) g JOIN payers p ON p.n = 1 + g % (SELECT count(*) FROM payers)`
    for (let from = 1; from <= rows; from += page) {
      const each = earlier(from, Math.min(rows, from + page - 1))
      await client.query(`INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
        SELECT id, at, 'charge', account, 'wallet:' || account, 'revenue', ${price}, key, 'crypto_signal' FROM (${each}) x`)
      await client.query(
        `INSERT INTO audit (month, request_id, at, account_id, key_id, endpoint, params_hash, status, charged_micros, latency_ms, calls)
        SELECT $1, id, at, account, key, 'crypto_signal', md5(id), 200, ${price}, 1, 1 FROM (${each}) x`,
        [month],
      )
    }
    // As a store is that has grown over months: what was written at once would be cleaned while charges are measured.
    await client.query("VACUUM (ANALYZE, FREEZE)")
    await client.query("CHECKPOINT")
  })

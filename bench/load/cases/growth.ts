// Permanent growth of the store: bytes of a paid call, of a day of a key that is refused at full speed, and of an answer stored for an
// Idempotency-Key; and how long dropping a large month blocks the event loop.
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { open } from "../../../adapters/store/engine/sqlite/driver.ts"
import * as stores from "../../../adapters/store/open.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { AuditTrail } from "../../../core/account/AuditTrail.ts"
import { type Audit, Ledger } from "../../../core/account/Ledger.ts"
import { zero } from "../../../core/account/Money.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { day, minute } from "../../../core/time.ts"
import * as App from "../../../services/app.ts"
import { type Bench, define } from "../driver.ts"
import { ample, funded, issue, readSettings, sqliteAt } from "../servers.ts"

interface Sizes {
  readonly calls: number
  /** Of the month that is dropped. */
  readonly rows: number
  /** Of a day of refusals. */
  readonly minutes: number
}

/** Bytes of the pages in use. */
const used = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pragma = (name: string) =>
    Effect.map(sql.unsafe<Record<string, number>>(`PRAGMA ${name}`), ([row]) => row![name]!)
  return ((yield* pragma("page_count")) - (yield* pragma("freelist_count"))) * (yield* pragma("page_size"))
})

const grown = <E, R>(work: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const start = yield* used
    yield* work
    return (yield* used) - start
  })

/** Concurrent calls of an endpoint's example. */
const called = (id: string, key: string, count: number, idempotent = false) =>
  Effect.flatMap(Gateway, (gateway) => {
    const entry = catalogue.byId.get(id)!
    const value = entry.endpoint.example as Readonly<Record<string, unknown>>
    const raw = { _tag: "Json", value } as const
    const authorization = `Bearer ${key}`
    return Effect.forEach(
      Array.from({ length: count }),
      () =>
        Effect.tap(
          Effect.suspend(() =>
            gateway.serve(entry, raw, { authorization, ...(idempotent ? { idempotencyKey: randomUUID() } : {}) }),
          ),
          ({ status, body }) => (status === 200 ? Effect.void : Effect.die(new Error(`${status} ${body.toText()}`))),
        ),
      { concurrency: 32, discard: true },
    )
  })

/** A day of refusals, or the first minutes of one, simulated minute by minute through a ledger of its own. Closing it writes the last rows. */
const refusedFor = (
  minutes: number,
  accountId: string,
  keyId: string,
  status: number,
  code: string,
  paramsHash: string,
) =>
  Effect.flatMap(Ledger, (ledger) =>
    Effect.forEach(
      Array.from({ length: minutes }, (_, at) => at),
      (minuteOfDay) =>
        Effect.forEach(
          Array.from({ length: 100 }, (_, n) => n),
          (n): Effect.Effect<void> => {
            const line: Audit = {
              at: Date.now() - (Date.now() % day) + minuteOfDay * minute + n,
              requestId: `req_${String(minuteOfDay).padStart(13, "0")}${String(n).padStart(13, "0")}`,
              accountId,
              keyId,
              endpoint: catalogue.entries[n % catalogue.entries.length]!.endpoint.id,
              paramsHash,
              status,
              code,
              charged: zero,
              latencyMs: 1,
            }
            return ledger.appendAudit(line)
          },
          { discard: true },
        ),
      { discard: true },
    ),
  ).pipe(Effect.provide(Layer.fresh(stores.ledger)))

/** So many calls of a month of the past. */
const oldMonth = (accountId: string, keyId: string, count: number) =>
  Effect.flatMap(Ledger, (ledger) =>
    Effect.forEach(
      Array.from({ length: count }, (_, n) => Date.UTC(2020, 0, 1) + n),
      (at, n) =>
        ledger.charge({
          ...{ caller: { accountId, keyId, livemode: true, perMinute: 1 }, listMicros: zero, chargedMicros: zero },
          audit: {
            ...{ at, requestId: `req_old_${n}`, accountId, keyId, endpoint: "crypto_signal" },
            ...{ paramsHash: "a".repeat(64), status: 200, charged: zero, latencyMs: 0 },
          },
        }),
      { concurrency: 1_000, discard: true },
    ),
  )

const program = ({ options: { calls, rows, minutes }, row }: Bench<Sizes>, file: string) =>
  Effect.gen(function* () {
    const { id, ...live } = yield* funded("bench", 1_000_000_000_000)
    yield* (yield* Agents).create(id, "bot", {})
    const bot = yield* issue({ account: id, ...ample, agent: "bot" })
    const test = yield* issue({ account: id, ...ample, environment: "test" })
    // First, since months rise with the rows of the trail.
    yield* oldMonth(id, live.keyId, rows)
    for (const { key } of [live, bot, test]) yield* called("crypto_signal", key, 500)
    const perCall = (bytes: number, count = calls) => bytes / count
    const paid = perCall(yield* grown(called("crypto_signal", live.key, calls)))
    row("paid mock call, journal and audit", { bytes: paid }, { bytes: { most: 350 } })
    const ofAgent = perCall(yield* grown(called("crypto_signal", bot.key, calls)))
    row("the same with an agent's key", { bytes: ofAgent })
    const few = Math.ceil(calls / 10)
    const kept = perCall(yield* grown(called("crypto_signal", live.key, few, true)), few)
    row("added by an Idempotency-Key, for 24 hours", { bytes: kept - paid })
    const free = yield* grown(called("weather_settlement_history", test.key, few, true))
    row("a test key's stored answer, at most 1 MB a day", { bytes: free / few })

    // Its ledger folds what the calls above have left.
    yield* refusedFor(1, id, test.keyId, 429, "rate_limit_exceeded", "")
    for (const [name, status, code, hash] of [
      ["a day refused by the rate limit", 429, "rate_limit_exceeded", ""],
      ["a day refused for an empty wallet", 402, "insufficient_funds", "a".repeat(64)],
    ] as const) {
      const bytes = yield* grown(refusedFor(minutes, id, test.keyId, status, code, hash))
      row(`${name}, ${100 * minutes} calls`, { MB: bytes / 1e6 }, { MB: { most: 1 } })
    }

    const db = open(file)
    db.pragma("wal_checkpoint(TRUNCATE)")
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const began = performance.now()
    const dropped = yield* (yield* AuditTrail).drop("2020-01", true)
    delay.disable()
    row(`a month of ${dropped.rows} rows dropped`, {
      s: (performance.now() - began) / 1_000,
      "loop blocked, median ms": delay.percentile(50) / 1e6,
      "max ms": delay.max / 1e6,
    })
  })

export const load = define({ calls: [20_000, 1_000], rows: [200_000, 5_000], minutes: [1_440, 20] }, async (bench) => {
  const file = join(bench.folder, "store.db")
  const config = readSettings(sqliteAt(file))
  const runtime = ManagedRuntime.make(App.gateway(config).pipe(Layer.provideMerge(App.store(config))))
  await runtime.runPromise(program(bench, file))
  await runtime.dispose()
})

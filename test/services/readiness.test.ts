import { copyFileSync, rmSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import { type Source, Sources } from "../../adapters/runtime/upstream/breaker.ts"
import { DiskSpace, type State } from "../../adapters/store/engine/diskGuard.ts"
import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import { fail } from "../../core/Failure.ts"
import { JobRuns } from "../../core/jobs/JobRuns.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"
import * as App from "../../services/app.ts"
import { laneModes, type Settings } from "../../services/Config.ts"
import { layer as jobsOf } from "../../services/jobs.ts"
import * as Readiness from "../../services/readiness.ts"
import { signer } from "../../services/record.ts"
import * as Controlled from "../adapters/server/http/controlled.ts"
import { commandLine } from "../support/commandLine.ts"
import { leaves } from "../support/record.ts"
import { settings, start } from "../support/running.ts"
import { storeFile } from "../support/store.ts"

const begun = Date.UTC(2026, 10, 21, 12)
const minute = 60_000

/** What a server has for its readiness, over a store. */
const over = (config: Settings) =>
  Layer.merge(jobsOf(config), signer(config)).pipe(
    Layer.provideMerge(App.world(config)),
    Layer.provideMerge(App.store(config)),
    Layer.provide(Logger.remove(Logger.defaultLogger)),
  )

// biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
const json = (value: unknown): any => JSON.parse(JSON.stringify(value))

describe("readiness", () => {
  it.scopedLive("a store that is locked is not ready, says so on the wire, and is again when it is free", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const context = yield* Layer.build(over(settings({ sqliteFile: file })))
      const ready = yield* Effect.provide(Readiness.make(laneModes(settings({ sqliteFile: file }))), context)
      const service = yield* Effect.acquireRelease(
        Effect.promise(() => Controlled.start({}, { ready })),
        (running) => Effect.promise(running.stop),
      )
      const ask = Effect.promise(async () => {
        const response = await fetch(`${service.url}/readyz`)
        return { status: response.status, headers: response.headers, json: json(await response.json()) }
      })
      const first = yield* ask
      assert.deepStrictEqual([first.status, first.json.status], [200, "ready"])
      assert.strictEqual(first.headers.get("cache-control"), "no-store")

      const other = open(file)
      other.exec("BEGIN IMMEDIATE")
      // What was found a moment ago is said for a second.
      yield* Effect.sleep("1100 millis")
      const locked = yield* ask
      assert.deepStrictEqual(
        [locked.status, locked.json.status, locked.json.store, locked.json.error.code],
        [503, "unavailable", { writable: false }, "storage_unavailable"],
      )
      assert.notInclude(JSON.stringify(locked.json), file)
      const detail = "The store is locked by other work."
      assert.strictEqual(locked.json.error.message, detail)
      assert.deepStrictEqual(locked.json.reasons, [{ reason: "store", detail }])
      assert.lengthOf(service.log, 1)
      other.exec("ROLLBACK")
      other.close()
      yield* Effect.sleep("1100 millis")
      assert.strictEqual((yield* ask).status, 200)
    }),
  )

  it.scopedLive("a probe of a store that is away has lines with its route, its time and the cause", () =>
    Effect.gen(function* () {
      const detail = "The store cannot be reached."
      const failure = fail("storage_unavailable", { detail, cause: new Error("ECONNREFUSED 10.1.2.3:5432") })
      const lines: Array<string> = []
      const running = yield* Effect.acquireRelease(
        Effect.promise(() =>
          start({}, { log: lines, ready: Effect.succeed({ report: { status: "unavailable" }, failure }) }),
        ),
        ({ stop }) => Effect.promise(stop),
      )
      const { status, text } = yield* Effect.promise(() => running.get("/readyz", ""))
      assert.strictEqual(status, 503)
      assert.notInclude(text, "10.1.2.3")
      const [call, failed] = lines.filter((line) => line.includes("storage"))
      for (const line of [call, failed]) assert.match(line!, /method=GET .*ms=\d+ .*route=\/readyz/)
      assert.include(failed!, detail)
      assert.include(failed!, "ECONNREFUSED")
    }),
  )

  it.scoped("a disk that is nearly full is a reason, also with no byte left and no reserve", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(begun)
      const config = settings()
      const context = yield* Layer.build(over(config))
      const readyWith = (disk: State) =>
        Effect.gen(function* () {
          const ready = yield* Readiness.make(laneModes(config))
          return (yield* ready).report
        }).pipe(
          Effect.provideService(DiskSpace, { isLow: () => disk.low, state: Effect.succeed(disk) }),
          Effect.provide(context),
        )
      for (const [disk, low] of [
        [{ low: false }, false],
        [{ low: false, freeBytes: 1 }, false],
        [{ low: true, freeBytes: 1 }, true],
        [{ low: false, freeBytes: 0 }, true],
      ] as const) {
        const { status, reasons, disk: shown } = yield* readyWith(disk)
        assert.deepStrictEqual([status, shown], [low ? "degraded" : "ready", { low }])
        assert.deepStrictEqual(
          reasons!.map(({ reason }) => reason),
          low ? ["disk"] : [],
        )
      }
    }),
  )

  it.scoped("a source that does not answer is a reason, if a live lane needs it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(begun)
      const config = settings({ weather: "live" })
      const context = yield* Layer.build(over(config))
      const away = (name: string): Source => ({
        name,
        title: `The ${name}`,
        outage: () => ({ since: begun, nextAt: begun + 5_000 }),
        failingSince: () => undefined,
      })
      const ready = yield* Effect.provide(Readiness.make(laneModes(config)), context).pipe(
        Effect.provideService(Sources, {
          share: (breaker) => breaker,
          all: () => [
            away("iem"),
            away("kraken"),
            { ...away("nws"), outage: () => undefined },
            { ...away("mlb"), outage: () => undefined, failingSince: () => begun },
          ],
        }),
      )
      const { report } = yield* ready
      const since = new Date(begun).toISOString()
      assert.deepStrictEqual(report.sources, [
        {
          source: "iem",
          title: "The iem",
          answers: false,
          since,
          next_attempt_at: new Date(begun + 5_000).toISOString(),
        },
        {
          source: "kraken",
          title: "The kraken",
          answers: false,
          since,
          next_attempt_at: new Date(begun + 5_000).toISOString(),
        },
        { source: "nws", title: "The nws", answers: true, since: null, next_attempt_at: null },
        { source: "mlb", title: "The mlb", answers: false, since, next_attempt_at: null },
      ])
      assert.deepStrictEqual(
        report.reasons!.filter(({ reason }) => reason === "source"),
        [{ reason: "source", name: "iem", detail: `The iem has not answered as asked since ${since}.` }],
      )
    }),
  )

  it.scoped("asking without end writes one row a second", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(begun)
      const context = yield* Layer.build(over(settings()))
      const ready = yield* Effect.provide(Readiness.make(laneModes(settings())), context)
      const sql = yield* Effect.provide(SqlClient.SqlClient, context)
      yield* sql`CREATE TABLE beats (at)`
      yield* sql`CREATE TRIGGER counted AFTER UPDATE ON heartbeats BEGIN INSERT INTO beats VALUES (NEW.at); END`
      yield* sql`CREATE TRIGGER first AFTER INSERT ON heartbeats BEGIN INSERT INTO beats VALUES (NEW.at); END`
      const count = Effect.map(sql<{ n: number }>`SELECT count(*) AS n FROM beats`, ([row]) => row!.n)
      yield* Effect.all(
        Array.from({ length: 50 }, () => ready),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(yield* count, 1)
      yield* TestClock.adjust("1001 millis")
      yield* ready
      yield* ready
      assert.strictEqual(yield* count, 2)
    }),
  )

  it.scoped("names the sources that are not read, and the lanes without any", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(begun)
      const config = settings({ crypto: "live", baseball: "live" })
      const context = yield* Layer.build(over(config))
      const ready = yield* Effect.provide(Readiness.make(laneModes(config), ["mlb", "kraken"]), context)
      const report = json((yield* ready).report)
      assert.deepStrictEqual(
        report.lanes.map((each: ReturnType<typeof json>) => [each.lane, each.terms_not_accepted]),
        [
          ["baseball", ["mlb"]],
          ["crypto", ["kraken"]],
        ],
      )
      assert.deepStrictEqual(
        report.reasons.filter(({ detail }: ReturnType<typeof json>) => /terms/.test(detail)),
        [
          {
            reason: "source",
            name: "baseball",
            detail: "The operator has not accepted the terms of MLB's statistics service (TERMS_ACCEPTED).",
          },
        ],
      )
    }),
  )

  it.scoped("reports a live lane without data and a job that does not run, and stays ready", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(begun)
      const config = settings({ crypto: "live", baseball: "live" })
      const context = yield* Layer.build(over(config))
      const ready = yield* Effect.provide(Readiness.make(laneModes(config)), context)
      const at = (millis: number) =>
        Effect.zipRight(
          TestClock.setTime(millis),
          Effect.map(ready, ({ report, failure }) => {
            assert.isUndefined(failure)
            return json(report)
          }),
        )
      const ageOf = ({ sources, terms_not_accepted: _, since: __, detail: ___, ...age }: ReturnType<typeof json>) => {
        assert.isNotEmpty(sources)
        return age
      }
      const lane = (report: ReturnType<typeof json>, name: string) =>
        report.lanes.find((each: { readonly lane: string }) => each.lane === name)
      const job = (report: ReturnType<typeof json>, name: string) =>
        report.jobs.find((each: { readonly name: string }) => each.name === name)

      const first = yield* at(begun)
      assert.strictEqual(first.status, "degraded")
      const none = { last_good_at: null, age_seconds: null }
      assert.deepStrictEqual(first.lanes.map(ageOf), [
        { lane: "baseball", state: "up", ...none, stale: false },
        { lane: "crypto", state: "delayed", ...none, stale: true },
      ])
      assert.deepStrictEqual(job(first, "crypto-tape"), {
        name: "crypto-tape",
        state: "never_run",
        last_ok_at: null,
        overdue: false,
      })

      const sql = yield* Effect.provide(SqlClient.SqlClient, context)
      for (const asset of ["BTC", "ETH"]) {
        // The one that is further behind decides.
        const newest = Math.floor(begun / minute) - (asset === "ETH" ? 1 : 0)
        yield* sql`INSERT INTO tapes ${sql.insert({ asset, version: 1 })} ON CONFLICT DO NOTHING`
        yield* sql`
          INSERT INTO candles ${sql.insert({ asset, minute: newest, high: 2, low: 1, close: 1, volume: 1, source: "x" })}`
      }
      const runs = yield* Effect.provide(JobRuns, context)
      const ran = (name: string, slot: number, outcome: "ok" | "failed") =>
        Effect.flatMap(runs.claim(name, slot, slot), (claim) =>
          claim._tag === "Claimed"
            ? runs.finish(claim.run, { at: slot + 1, outcome, detail: "secret at /var/lib" })
            : Effect.dieMessage(claim._tag),
        )
      yield* ran("record-checkpoint", begun, "ok")
      const second = yield* at(begun + 2 * minute)
      // Candles are there, of which no attempt tells.
      assert.deepStrictEqual(ageOf(lane(second, "crypto")), { lane: "crypto", state: "up", ...none, stale: false })
      assert.strictEqual(second.status, "ready")
      assert.strictEqual(lane(yield* at(begun + 4 * minute), "crypto").stale, true)

      yield* ran("record-checkpoint", begun + 4 * minute, "failed")
      const third = yield* at(begun + 4 * minute + 2_000)
      assert.deepStrictEqual(job(third, "record-checkpoint"), {
        name: "record-checkpoint",
        state: "failed",
        last_ok_at: new Date(begun + 1).toISOString(),
        overdue: true,
      })
      assert.strictEqual(job(third, "retention").overdue, false)
      assert.notInclude(JSON.stringify(third), "/var/lib")
    }),
  )

  it.scoped("reports the last checkpoint, lost keys and another store's, as doctor does", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(begun)
      const file = yield* storeFile
      const config = settings({ sqliteFile: file, recordKeyFile: Option.some(`${file}.record-key`) })
      const found = Effect.gen(function* () {
        const { report } = yield* yield* Readiness.make(laneModes(config))
        const { status, record, secrets } = json(report)
        return { status, record, secrets }
      })
      const signCheckpointOf = (some: ReturnType<typeof leaves>) =>
        Effect.zipRight(
          Effect.flatMap(RecordLog, (log) => log.append(some)),
          signCheckpoint,
        )
      /** One server after the other. */
      const server = <A, E>(test: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof over>>>) =>
        Effect.provide(test, Layer.fresh(over(config)))

      const signed = { leaves: 3, last_checkpoint: { at: new Date(begun).toISOString(), size: 2 } }
      assert.deepStrictEqual(
        yield* server(
          Effect.gen(function* () {
            yield* signCheckpointOf(leaves(0, 2))
            yield* (yield* RecordLog).append(leaves(2, 3))
            return yield* found
          }),
        ),
        { status: "ready", record: { ...signed, refused: null }, secrets: { refused: null } },
      )
      const keys = ["record-key", "secrets-key"].map((name) => `${file}.${name}`)
      const doctor = Effect.map(
        Effect.promise(() => commandLine(file).cli("doctor")),
        ({ stdout }) => stdout.match(/FINDING {2}.*(?= key:)/g)?.map((line) => line.slice(9)),
      )
      assert.isUndefined(yield* doctor)
      const degraded = (reason: string) => ({
        status: "degraded",
        record: { ...signed, refused: reason },
        secrets: { refused: reason.replace("changed", "other_key") },
      })
      for (const key of keys) rmSync(key)
      assert.deepStrictEqual(yield* server(found), degraded("key_missing"))
      assert.deepStrictEqual(yield* doctor, ["record", "secrets"])
      // The keys of a store that another server made.
      const other = settings({ sqliteFile: `${file}.other`, recordKeyFile: Option.some(`${file}.other.record-key`) })
      yield* Effect.provide(signCheckpointOf(leaves(0, 1)), Layer.fresh(over(other)))
      for (const key of keys) copyFileSync(key.replace(file, `${file}.other`), key)
      assert.deepStrictEqual(yield* server(found), degraded("key_changed"))
      assert.deepStrictEqual(yield* doctor, ["record", "secrets"])
    }),
  )
})

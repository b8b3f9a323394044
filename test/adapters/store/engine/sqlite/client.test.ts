import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as candles from "../../../../../adapters/lanes/crypto/store/Candles.ts"
import * as games from "../../../../../adapters/lanes/football/store/Games.ts"
import * as quarterbacks from "../../../../../adapters/lanes/football/store/Quarterbacks.ts"
import * as footballReports from "../../../../../adapters/lanes/football/store/Reports.ts"
import * as contracts from "../../../../../adapters/lanes/markets/store/Contracts.ts"
import * as calibrations from "../../../../../adapters/lanes/weather/store/Calibrations.ts"
import * as climateReports from "../../../../../adapters/lanes/weather/store/ClimateReports.ts"
import * as hasher from "../../../../../adapters/runtime/node/hasher.ts"
import { reader, Sqlite } from "../../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { inTransaction } from "../../../../../adapters/store/engine/storage.ts"
import * as outcomes from "../../../../../adapters/store/record/Outcomes.ts"
import * as settled from "../../../../../adapters/store/record/Settled.ts"
import type { Failure } from "../../../../../core/Failure.ts"
import { Tape } from "../../../../../core/lanes/crypto/ports.ts"
import { Games, Injuries, Quarterbacks, Top100 } from "../../../../../core/lanes/football/ports.ts"
import { ContractStore, OpenContracts, Scoreboard, SettledRows } from "../../../../../core/lanes/markets/ports.ts"
import { ClimateArchive, ClimateReports } from "../../../../../core/lanes/weather/ports.ts"
import { Calibrations } from "../../../../../core/lanes/weather/signal/Calibrations.ts"
import { TrackRecord } from "../../../../../core/record/captures/Outcomes.ts"
import * as Step from "../../../../../core/Step.ts"

const store = sqlite.layer(":memory:")

const ports = Layer.mergeAll(
  candles.layerTape,
  games.layer,
  quarterbacks.layer,
  footballReports.layerInjuries,
  footballReports.layerTop100,
  contracts.layerStore,
  contracts.layerOpenContracts([]),
  settled.layerSettledRows,
  settled.layerScoreboard,
  calibrations.layerCalibrations,
  climateReports.layerReports,
  climateReports.layerArchive,
  outcomes.layerTrackRecord,
).pipe(Layer.provideMerge(Layer.merge(store, hasher.layer)))

/** Every read of a call that a lane answers from the store. */
const reads = Effect.gen(function* () {
  const reports = yield* ClimateReports
  const football = yield* Games
  const backs = yield* Quarterbacks
  const injuries = yield* Injuries
  const lists = yield* Top100
  const open = yield* OpenContracts
  const scoreboard = yield* Scoreboard
  const all: Readonly<Record<string, Effect.Effect<unknown, Failure>>> = {
    tape: (yield* Tape).window("BTC", 120),
    versions: reports.versions("KNYC", "2026-07-01"),
    latestFinalDay: reports.latestFinalDay("KNYC", "2026-07-01"),
    range: reports.range("KNYC", "2026-07-01", "2026-07-09"),
    coverage: reports.coverage("KNYC", "2026-07-01"),
    unasked: (yield* ClimateArchive).unasked("KNYC", "2026-07-01", "2026-07-09", 0),
    calibrations: (yield* Calibrations).current("KNYC"),
    season: football.season(2025),
    league: football.league,
    quarterbackSeasons: backs.seasons,
    careers: backs.careers,
    weeks: backs.weeks("00-0000001", { season: 2025, last: 3 }),
    reported: injuries.reported(2025, "KC"),
    rostered: injuries.rostered,
    reserved: injuries.reserved(2025, "KC"),
    lists: lists.seasons,
    list: lists.list(2025),
    tally: (yield* TrackRecord).tally("football"),
    about: (yield* ContractStore).about("crypto", "BTC"),
    tracking: open.tracking,
    open: open.open,
    board: scoreboard.current,
    latest: scoreboard.latest,
    settled: (yield* SettledRows).after("crypto", undefined, 10),
  }
  return all
})

describe("reads of the store", () => {
  it.effect("need no fiber", () =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      for (const [name, read] of Object.entries(yield* reads)) {
        const begun = Step.eager(() => read, clock)()
        assert.isTrue(Step.isDone(begun), name)
        // And give the same as an ordinary effect.
        assert.deepStrictEqual(yield* Effect.exit(Step.run(begun)), yield* Effect.exit(read), name)
      }
    }).pipe(Effect.provide(ports)),
  )

  it.effect("wait for an open transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sqliteOpen = yield* Sqlite
      const gate = yield* Deferred.make<void>()
      const writing = yield* Effect.fork(inTransaction(sql, Deferred.await(gate)))
      yield* Effect.yieldNow()
      assert.isFalse(sqliteOpen.isFree())
      const begun = Step.eager(() => reader(sqliteOpen)(() => 7))()
      assert.isFalse(Step.isDone(begun))
      const reading = yield* Effect.fork(Step.run(begun))
      yield* Effect.yieldNow()
      assert.isNull(reading.unsafePoll())
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(writing)
      assert.strictEqual(yield* Fiber.join(reading), 7)
    }).pipe(Effect.provide(store)),
  )

  it.effect("are defects where they throw, at once", () =>
    Effect.gen(function* () {
      const read = reader(yield* Sqlite)(() => {
        throw new Error("bug")
      })
      const exit = yield* Effect.exit(Step.run(Step.eager(() => read)()))
      assert.isTrue(Exit.isFailure(exit) && exit.cause._tag === "Die")
    }).pipe(Effect.provide(store)),
  )
})

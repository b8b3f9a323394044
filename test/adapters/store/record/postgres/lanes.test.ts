import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as candles from "../../../../../adapters/lanes/crypto/store/Candles.ts"
import * as footballArchive from "../../../../../adapters/lanes/football/store/Archive.ts"
import * as contracts from "../../../../../adapters/lanes/markets/store/Contracts.ts"
import * as calibrations from "../../../../../adapters/lanes/weather/store/Calibrations.ts"
import * as climateReports from "../../../../../adapters/lanes/weather/store/ClimateReports.ts"
import * as hasher from "../../../../../adapters/runtime/node/hasher.ts"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import { CandleStore, Tape } from "../../../../../core/lanes/crypto/ports.ts"
import { FootballArchive } from "../../../../../core/lanes/football/data/archive.ts"
import { teams } from "../../../../../core/lanes/football/data/teams.ts"
import { ContractStore, OpenContracts } from "../../../../../core/lanes/markets/ports.ts"
import { ClimateArchive, ClimateReports } from "../../../../../core/lanes/weather/ports.ts"
import { CalibrationStore } from "../../../../../core/lanes/weather/signal/Calibrations.ts"
import { type ExtremeStep, StepStore } from "../../../../../core/lanes/weather/signal/steps.ts"
import { addDays } from "../../../../../core/time.ts"
import { contract, noon } from "../../../../support/contracts.ts"
import { issuance } from "../../../../support/issuances.ts"
import { database } from "../../../../support/postgres.ts"

const ports = Layer.mergeAll(
  candles.layerStore,
  candles.layerTape,
  footballArchive.layer,
  contracts.layerStore,
  contracts.layerOpenContracts([]),
  calibrations.layerStore,
  calibrations.layerSteps,
  climateReports.layerArchive,
  climateReports.layerReports,
).pipe(Layer.provide(hasher.layer))

const nodes = 4

/** The ports of several nodes over one new database, each with connections of its own. */
const cluster = Effect.flatMap(database, (url) =>
  Effect.forEach(Array.from({ length: nodes }), () => Layer.build(Layer.provideMerge(ports, Postgres.layer(url)))),
)

type Ports = Effect.Effect.Success<typeof cluster>[number] extends Context.Context<infer Port> ? Port : never

/** What every node does, all at the same time. */
const onAll = <A, E>(
  all: Effect.Effect.Success<typeof cluster>,
  work: (node: number) => Effect.Effect<A, E, Ports>,
): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.all(
    all.map((one, node) => Effect.provide(work(node), one)),
    { concurrency: "unbounded" },
  )

/** The values in the order of a node: every other one backwards, so that two nodes meet. */
const inOrderOf = <A>(node: number, values: ReadonlyArray<A>): ReadonlyArray<A> =>
  node % 2 === 0 ? values : values.toReversed()

const repeated = <A, E, R>(times: number, work: (time: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(
    Array.from({ length: times }, (_, time) => time),
    work,
  )

const total = (counts: ReadonlyArray<number>): number => counts.reduce((sum, count) => sum + count, 0)

describe("contracts of several nodes", () => {
  const tickers = Array.from({ length: 12 }, (_, at) => `T${at}`)

  it.scoped("settle once, each with one leaf, and again with a corrected result", () =>
    Effect.gen(function* () {
      const all = yield* cluster
      const { closeTime } = contract()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const capture = { id: "one", lane: "weather", endpoint: "weather_signal", subject: "KNYC/2026-07-12" }
        yield* sql`INSERT INTO captures ${sql.insert({ ...capture, kind: "scheduled", at: noon, request_id: null })}`
        for (const ticker of tickers) {
          const key = { venue: "kalshi", ticker, close_time: closeTime }
          const text = JSON.stringify(contract({ ticker }))
          yield* sql`
            INSERT INTO captured_contracts ${sql.insert({ ...key, capture_id: "one", at: noon, contract: text })}`
          yield* sql`INSERT INTO tracked_contracts ${sql.insert({ ...key, domain: "weather" })}`
        }
      }).pipe(Effect.provide(all[0]!))
      const settle = (result: "yes" | "no") =>
        onAll(all, (node) =>
          Effect.flatMap(ContractStore, (store) =>
            store.settle(
              "kalshi",
              inOrderOf(node, tickers).map((ticker) => ({ ticker, closedAt: closeTime, result })),
              closeTime + 1,
            ),
          ),
        )
      assert.strictEqual(total(yield* settle("yes")), tickers.length)
      assert.strictEqual(total(yield* settle("yes")), 0)
      assert.strictEqual(total(yield* settle("no")), tickers.length)
      const sql = yield* Effect.provide(SqlClient.SqlClient, all[0]!)
      const leaves = yield* sql<{ id: string }>`SELECT id FROM record_leaves ORDER BY id`
      const expected = tickers.flatMap((ticker) => [`kalshi/${ticker}/1`, `kalshi/${ticker}/2`]).sort()
      assert.deepStrictEqual(
        leaves.map(({ id }) => id),
        expected,
      )
      const open = yield* sql`SELECT ticker FROM tracked_contracts WHERE settled_at IS NULL`
      assert.deepStrictEqual(open, [])
    }),
  )

  it.scoped("are what the last poll listed, in whatever order the polls come", () =>
    Effect.gen(function* () {
      const all = yield* cluster
      const polls = 10
      yield* onAll(all, (node) =>
        repeated(polls, (time) =>
          Effect.flatMap(ContractStore, (store) =>
            store.replace(
              "kalshi",
              node < 2 ? "weather" : "nfl",
              inOrderOf(node, tickers).map((ticker) =>
                contract({ ticker: `${node < 2 ? "w" : "n"}${ticker}`, domain: node < 2 ? "weather" : "nfl" }),
              ),
              noon + time,
            ),
          ),
        ),
      )
      const sql = yield* Effect.provide(SqlClient.SqlClient, all[0]!)
      const [counted] = yield* sql<{ polls: number }>`SELECT SUM(version) AS polls FROM venue_polls`
      assert.strictEqual(counted!.polls, nodes * polls)
      for (const { contracts: open } of yield* onAll(all, () => Effect.flatMap(OpenContracts, (port) => port.open))) {
        assert.lengthOf(open, 2 * tickers.length)
      }
    }),
  )
})

describe("the calibrations of several nodes", () => {
  const state = { station: "KNYC", variable: "high", bucket: 1 } as const

  it.scoped("have one publication under a revision", () =>
    Effect.gen(function* () {
      const all = yield* cluster
      for (let revision = 0; revision < 10; revision++) {
        const published = yield* onAll(all, (node) =>
          Effect.flatMap(CalibrationStore, (store) =>
            store.publish(
              revision,
              // Another day by every node: no key stops the second one.
              [
                {
                  ...state,
                  day: addDays("2026-07-01", revision * nodes + node),
                  productId: "test",
                  officialF: 86,
                  residualF: 1.5,
                  counted: true,
                },
              ],
              [],
              9,
            ),
          ),
        )
        assert.deepStrictEqual(published.toSorted(), [false, false, false, true], `revision ${revision}`)
      }
      const newest = yield* onAll(all, () => Effect.flatMap(CalibrationStore, (store) => store.revision))
      assert.deepStrictEqual(newest, [10, 10, 10, 10])
    }),
  )

  it.scoped("number each day of readings, which a reader would miss under a number that it has seen", () =>
    Effect.gen(function* () {
      const all = yield* cluster
      const step = (day: string): ExtremeStep => ({
        station: "KNYC",
        day,
        variable: "high",
        readF: 85,
        expectedF: 0.5,
        officialF: 87,
        productId: "test",
      })
      yield* onAll(all, (node) =>
        repeated(10, (time) =>
          Effect.flatMap(StepStore, (store) => store.append([step(addDays("2026-01-01", time * nodes + node))], 1)),
        ),
      )
      const sql = yield* Effect.provide(SqlClient.SqlClient, all[0]!)
      const revisions = yield* sql<{ revision: number }>`SELECT revision FROM temperature_steps ORDER BY revision`
      assert.deepStrictEqual(
        revisions.map(({ revision }) => revision),
        Array.from({ length: 10 * nodes }, (_, at) => at + 1),
      )
    }),
  )
})

describe("the tape of several nodes", () => {
  it.scoped("has every minute once, and each change is counted", () =>
    Effect.gen(function* () {
      const all = yield* cluster
      const minutes = Array.from({ length: 40 }, (_, at) => ({ minute: at, high: 2, low: 1, close: 1.5, volume: 1 }))
      const stored = yield* onAll(all, (node) =>
        Effect.flatMap(CandleStore, (store) =>
          Effect.map(
            repeated(5, (time) =>
              Effect.zipRight(
                Effect.when(store.prune(time), () => node === 3),
                store.append("BTC", "coinbase", inOrderOf(node, minutes.slice(time * 8, time * 8 + 8))),
              ),
            ),
            total,
          ),
        ),
      )
      // Those that were deleted before another node's turn are stored again.
      assert.isAtLeast(total(stored), minutes.length)
      assert.isAtMost(total(stored), minutes.length + 4)
      const windows = yield* onAll(all, () => Effect.flatMap(Tape, (tape) => tape.window("BTC", 30)))
      for (const window of windows) {
        assert.strictEqual(window!.lastMinute, 39)
        assert.isFalse(window!.closes.some(Number.isNaN))
      }
    }),
  )
})

describe("the climate reports of several nodes", () => {
  it.scoped("are stored once, and every node sees them at once", () =>
    Effect.gen(function* () {
      const all = yield* cluster
      const stations = ["KNYC", "KBOS", "KPHL", "KDEN"]
      const rounds = 8
      const became = yield* onAll(all, (node) =>
        repeated(rounds, (time) =>
          Effect.flatMap(ClimateArchive, (archive) =>
            archive.append(
              inOrderOf(node, stations).map((station) => ({
                issuance: issuance(addDays("2026-07-01", time), { station }),
                text: "text",
              })),
              1,
            ),
          ),
        ),
      )
      assert.deepStrictEqual(
        became.flat(2).filter((each) => each !== "known"),
        Array.from({ length: stations.length * rounds }, () => "stored"),
      )
      const sql = yield* Effect.provide(SqlClient.SqlClient, all[0]!)
      const versions = yield* sql`SELECT station, version FROM climate_stations ORDER BY station`
      assert.deepStrictEqual<unknown>(
        versions,
        stations.toSorted().map((station) => ({ station, version: rounds })),
      )
      const range = Effect.flatMap(ClimateReports, (reports) => reports.range("KNYC", "2026-07-01", "2026-07-31"))
      for (const read of yield* onAll(all, () => range)) assert.lengthOf(read, rounds)
      yield* Effect.provide(
        Effect.flatMap(ClimateArchive, (archive) =>
          archive.append([{ issuance: issuance("2026-07-20"), text: "text" }], 1),
        ),
        all[0]!,
      )
      for (const read of yield* onAll(all, () => range)) assert.lengthOf(read, rounds + 1)
    }),
  )
})

describe("the football files of several nodes", () => {
  it.scoped("may have the same rows in another order", () =>
    Effect.gen(function* () {
      const all = yield* cluster
      const weeks = Array.from({ length: 150 }, (_, at) => ({
        season: 2024,
        week: 1 + (at % 18),
        team: teams[Math.floor(at / 18)]!,
        turnovers: 1,
      }))
      const counts = yield* repeated(4, (time) =>
        onAll(all, (node) =>
          Effect.flatMap(FootballArchive, (archive) =>
            archive.store({
              feed: "team_weeks",
              name: `file ${node}`,
              sha256: `${node}/${time}`,
              fetchedAt: 1,
              values: inOrderOf(
                node,
                // Other figures that resemble those that are stored.
                weeks.map((week, at) => ({ ...week, epa: (at % 40) + (time * nodes + node) / 1_000 })),
              ),
              seasons: [2024],
            }),
          ),
        ),
      )
      const sql = yield* Effect.provide(SqlClient.SqlClient, all[0]!)
      const [stored] = yield* sql<{ n: number }>`SELECT COUNT(*) AS n FROM football_team_weeks`
      assert.strictEqual(stored!.n, weeks.length)
      // Each row is new to one of them, and each file has another figure in all of its rows.
      assert.strictEqual(total(counts.flat().map(({ added }) => added)), weeks.length)
      for (const { added, changed } of counts.flat()) assert.strictEqual(added + changed, weeks.length)
    }),
  )

  it.scoped("withdraw a row once", () =>
    Effect.gen(function* () {
      const all = yield* cluster
      const players = Array.from({ length: 60 }, (_, at) => ({
        season: 2024,
        week: 1,
        team: teams[0]!,
        code: teams[0]!,
        player: `Player ${at}`,
        injury: "knee",
      }))
      const store = (name: string, values: typeof players) =>
        Effect.flatMap(FootballArchive, (archive) =>
          archive.store({ feed: "injuries", name, sha256: `${values.length}`, fetchedAt: 1, values, seasons: [2024] }),
        )
      yield* Effect.provide(store("file 0", players), all[0]!)
      const counts = yield* onAll(all, (node) => store(`file ${node}`, players.slice(5)))
      assert.strictEqual(total(counts.map(({ withdrawn }) => withdrawn)), 5)
    }),
  )
})

import { readdirSync } from "node:fs"
import { join } from "node:path"
import type * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { afterAll, beforeAll } from "vitest"
import * as mock from "../../adapters/lanes/football/mock/football.ts"
import * as footballArchive from "../../adapters/lanes/football/store/Archive.ts"
import * as footballGames from "../../adapters/lanes/football/store/Games.ts"
import * as footballQuarterbacks from "../../adapters/lanes/football/store/Quarterbacks.ts"
import * as footballReports from "../../adapters/lanes/football/store/Reports.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import type { Sqlite } from "../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import type { FormatName } from "../../core/lanes/football/data/formats.ts"
import { Football } from "../../core/lanes/football/Football.ts"
import { trained } from "../../core/lanes/football/model/Model.ts"
import { scoreForecast } from "../../core/lanes/football/model/score.ts"
import { Games } from "../../core/lanes/football/ports.ts"
import { TrackRecord } from "../../core/record/captures/Outcomes.ts"
import { ingest, samples, storeOf } from "../support/footballStore.ts"
import { describeRealData } from "../support/realData.ts"
import { makeFolder, removeFolder } from "../support/store.ts"
import { type FootballProviders, footballContract } from "./football.ts"

type Store = Layer.Layer<SqlClient.SqlClient | Sqlite | Transactions, sqlite.StoreError>

/** The mock beside a store that was filled from files. */
const providers = (store: Store): FootballProviders => ({
  games: { mock: mock.layerGames, live: footballGames.layer.pipe(Layer.provide(store)) },
  quarterbacks: { mock: mock.layerQuarterbacks, live: footballQuarterbacks.layer.pipe(Layer.provide(store)) },
  injuries: { mock: mock.layerInjuries, live: footballReports.layerInjuries.pipe(Layer.provide(store)) },
  top100: { mock: mock.layerTop100, live: footballReports.layerTop100.pipe(Layer.provide(store)) },
})

const tuesday = Date.UTC(2024, 8, 17, 12)
footballContract("our samples", providers(storeOf(samples, tuesday)), { now: tuesday, season: 2024, team: "KC" })

/** Files about players are read for the first recorded season, which has the old columns, and from this season on. */
const firstSeason = Number(process.env["FIRST_SEASON"] ?? 2021)
const seasonIn = (file: string): number => Number(/(\d{4})\D*$/.exec(file)?.[1])

describeRealData("football as it was recorded", (root) => {
  const folder = root === "" ? "" : makeFolder()
  const store: Store = Layer.suspend(() => sqlite.layer(join(folder, "store.db")))
  const filesOf = (feed: FormatName, path: string, wanted = /./): ReadonlyArray<readonly [FormatName, string]> =>
    root === ""
      ? []
      : readdirSync(join(root, "football", path))
          .sort()
          .filter((file) => wanted.test(file))
          .map((file) => [feed, join(root, "football", path, file)])
  const ofPlayers = (feed: FormatName, path: string, wanted?: RegExp) =>
    filesOf(feed, path, wanted).filter(([, file], at) => at === 0 || seasonIn(file) >= firstSeason)
  const now = Date.UTC(2026, 10, 21)

  beforeAll(
    () =>
      Effect.runPromise(
        Effect.forEach(
          [
            ...filesOf("games", "games", /merged/),
            ...filesOf("team_weeks", "team_stats"),
            ...ofPlayers("quarterbacks", "weekly_stats", /player_stats_week/),
            ...ofPlayers("injuries", "injuries"),
            ...filesOf("rosters", "rosters"),
            ...filesOf("top100", "top100"),
          ],
          ([feed, file]) => ingest(feed, file, now),
        ).pipe(Effect.provide(footballArchive.layer.pipe(Layer.provide(store)))),
      ),
    60_000,
  )
  afterAll(() => removeFolder(folder))

  footballContract("recorded files", providers(store), { now, season: 2023, team: "KC" })

  it.effect(
    "serves the lines that the published backtest counts",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        const league = yield* Effect.flatMap(Games, (games) => games.league)
        const all = league.seasons.flatMap(({ records }) => records)
        assert.strictEqual(all.length, 7276)
        assert.strictEqual(all.filter(({ game }) => game.score!.home === game.score!.away).length, 15)
        const holdout = all.filter(({ game }) => game.season >= 2024)
        const { fairLine } = yield* Football
        const scored = yield* Effect.forEach(holdout, ({ game }) =>
          Effect.map(fairLine({ game_id: game.id }), ({ results }) => {
            assert.isTrue(results.retrospective)
            const { home_margin, total, win_prob_home } = results.prediction.fair_line
            return scoreForecast({ homeMargin: home_margin, total, winHome: win_prob_home }, game.score!)
          }),
        )
        const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
        const { spread, total, moneyline, games } = trained.backtest_holdout
        assert.strictEqual(scored.length, games)
        assert.closeTo(mean(scored.map(({ marginError }) => Math.abs(marginError))), spread.mae_model, 0.001)
        assert.closeTo(mean(scored.map(({ totalError }) => Math.abs(totalError!))), total.mae_model, 0.001)
        assert.closeTo(mean(scored.flatMap(({ brier }) => brier ?? [])), moneyline.brier_model_wp, 1e-6)
        // A line that is rounded to nothing names half a winner.
        assert.closeTo(mean(scored.flatMap(({ winner }) => winner ?? [])), spread.su_accuracy_model, 0.001)
      }).pipe(
        Effect.provide(
          Football.layer.pipe(
            Layer.provide([
              mock.layerQuarterbacks,
              mock.layerInjuries,
              mock.layerTop100,
              Feeds.layerNone,
              TrackRecord.layerNone,
            ]),
            Layer.provideMerge(footballGames.layer),
            Layer.provide([store, secrets.layer]),
          ),
        ),
      ),
    60_000,
  )
})

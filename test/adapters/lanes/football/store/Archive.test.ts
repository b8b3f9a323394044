import { readFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as footballArchive from "../../../../../adapters/lanes/football/store/Archive.ts"
import * as footballGames from "../../../../../adapters/lanes/football/store/Games.ts"
import * as footballQuarterbacks from "../../../../../adapters/lanes/football/store/Quarterbacks.ts"
import * as footballReports from "../../../../../adapters/lanes/football/store/Reports.ts"
import { FootballArchive } from "../../../../../core/lanes/football/data/archive.ts"
import { Games, Injuries, Quarterbacks, Top100 } from "../../../../../core/lanes/football/ports.ts"
import { addDays } from "../../../../../core/time.ts"
import { anyStore } from "../../../../support/anyStore.ts"
import { fixture, ingest, samples } from "../../../../support/footballStore.ts"

const [first, later] = [Date.UTC(2024, 8, 17), Date.UTC(2024, 8, 18)]

const everything = Layer.mergeAll(
  footballArchive.layer,
  footballGames.layer,
  footballQuarterbacks.layer,
  footballReports.layerInjuries,
  footballReports.layerTop100,
)

const inMemory = <A, E>(
  effect: Effect.Effect<A, E, FootballArchive | Games | Injuries | Quarterbacks | SqlClient.SqlClient | Top100>,
) => Effect.provide(effect, everything.pipe(Layer.provideMerge(anyStore)))

const text = (name: string): string => readFileSync(fixture(name), "utf8")

const tables = [
  ...["football_games", "football_team_weeks", "football_quarterback_weeks", "football_injuries"],
  ...["football_reserves", "football_roster_weeks", "football_top100"],
]

/** All readable data, and the versions that show changes. */
const contents = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.all({
    rows: Effect.forEach(tables, (table) => sql`SELECT * FROM ${sql(table)}`),
    versions: sql`SELECT feed, season, version FROM football_feeds ORDER BY feed, season`,
  }),
)

const all = Effect.forEach(samples, ([feed, file]) => ingest(feed, file, first))

describe("the store of football data", () => {
  it.effect("stores every row of a file with its source and time", () =>
    inMemory(
      Effect.gen(function* () {
        const stored = yield* all
        assert.deepStrictEqual(
          stored.map(({ rows, added, changed, withdrawn }) => [rows, added, changed, withdrawn]),
          // Four of eight roster rows are on reserve lists or show that a week has a roster.
          [
            [7, 7, 0, 0],
            [4, 4, 0, 0],
            [2, 2, 0, 0],
            [6, 6, 0, 0],
            [4, 4, 0, 0],
            [8, 6, 0, 0],
            [5, 5, 0, 0],
          ],
        )
        for (const rows of (yield* contents).rows) {
          assert.isNotEmpty(rows)
          for (const row of rows) {
            assert.isNotEmpty(row["source"])
            assert.strictEqual(row["fetched_at"], first)
          }
        }
      }),
    ),
  )

  it.effect("is changed by no file that comes again, under its own name or another", () =>
    inMemory(
      Effect.gen(function* () {
        yield* all
        const before = yield* contents
        for (const [feed, file] of samples) {
          assert.deepInclude(yield* ingest(feed, file, later), { added: 0, changed: 0, withdrawn: 0 })
          const copy = { name: `copy of ${feed}.csv`, text: readFileSync(file, "utf8") }
          assert.deepInclude(yield* ingest(feed, copy, later), { added: 0, changed: 0, withdrawn: 0 })
        }
        assert.deepStrictEqual(yield* contents, before)
        const archive = yield* FootballArchive
        assert.deepInclude(yield* archive.known("games.csv"), { fetchedAt: first, checkedAt: later })
      }),
    ),
  )

  it.effect("applies corrections to their rows and notifies readers", () =>
    inMemory(
      Effect.gen(function* () {
        yield* all
        const games = yield* Games
        const before = yield* games.league
        assert.strictEqual((yield* games.league).seasons[1], before.seasons[1])
        const corrected = text("games.csv").replace("BUF,24,Home,0,48", "BUF,26,Home,2,50")
        assert.deepInclude(yield* ingest("games", { name: "games.csv", text: corrected }, later), {
          added: 0,
          changed: 1,
        })
        const after = yield* games.league
        assert.strictEqual(after.seasons[0], before.seasons[0])
        assert.notStrictEqual(after.seasons[1], before.seasons[1])
        assert.deepStrictEqual(
          after.seasons[1]!.records.map(({ game, fetchedAt }) => [game.id, game.score?.home, fetchedAt]),
          [
            ["2024_01_KC_BUF", 26, later],
            ["2024_01_DEN_LV", 31, first],
            ["2024_02_KC_DEN", 13, first],
            ["2024_02_BUF_LV", undefined, first],
            ["2024_03_LV_KC", undefined, first],
            ["2024_03_BUF_DEN", undefined, first],
          ],
        )
      }),
    ),
  )

  it.effect("makes no final unplayed again, whatever older file comes after", () =>
    inMemory(
      Effect.gen(function* () {
        yield* all
        const unplayed = text("games.csv").replace("KC,24,BUF,24,Home,0,48", "KC,,BUF,,Home,,")
        const before = (yield* contents).rows[0]
        assert.deepInclude(yield* ingest("games", { name: "older.csv", text: unplayed }, later), { changed: 0 })
        assert.deepStrictEqual((yield* contents).rows[0], before)
      }),
    ),
  )

  it.effect("drops a rescheduled game, and retains finals missing from a file", () =>
    inMemory(
      Effect.gen(function* () {
        yield* all
        const moved = text("games.csv")
          .replace("2024_03_BUF_DEN,2024,REG,3,2024-09-23", "2024_04_BUF_DEN,2024,REG,4,2024-09-30")
          .split("\n")
          .filter((line) => !line.startsWith("2024_01_DEN_LV"))
          .join("\n")
        assert.deepInclude(yield* ingest("games", { name: "games.csv", text: moved }, later), {
          added: 1,
          changed: 0,
          withdrawn: 1,
        })
        const season = yield* Effect.flatMap(Games, (games) => games.season(2024))
        const ids = season!.records.map(({ game }) => game.id)
        assert.include(ids, "2024_04_BUF_DEN")
        assert.notInclude(ids, "2024_03_BUF_DEN")
        assert.include(ids, "2024_01_DEN_LV")
      }),
    ),
  )

  it.effect("believes no schedule from which a third of a season is missing", () =>
    inMemory(
      Effect.gen(function* () {
        const [header, ...lines] = text("games.csv").trim().split("\n")
        const unplayed = lines.at(-1)!.replace(",7,8,", ",7,7,")
        const teams = ["ARI", "ATL", "BAL", "CAR", "CHI", "CIN", "CLE", "DAL", "DET", "GB", "HOU", "IND"]
        // Each against each, a game a week.
        const many = Array.from({ length: 11 }, (_, round) => round + 1).flatMap((week) => {
          const [first, ...others] = teams
          const ring = [first!, ...others.slice(week), ...others.slice(0, week)]
          return ring.slice(0, 6).map((home, at) => {
            const away = ring[11 - at]!
            return unplayed
              .replace("2024_03_BUF_DEN", `2024_${String(week).padStart(2, "0")}_${away}_${home}`)
              .replace("REG,3,2024-09-23", `REG,${week},${addDays("2024-09-09", 7 * (week - 1))}`)
              .replace("BUF,,DEN", `${away},,${home}`)
          })
        })
        yield* ingest("games", { name: "games.csv", text: `${[header, ...many].join("\n")}\n` }, first)
        const before = yield* contents
        const cut = { name: "games.csv", text: `${[header, ...many.slice(0, 20)].join("\n")}\n` }
        const failure = yield* Effect.flip(ingest("games", cut, later))
        assert.deepInclude(failure, { _tag: "FileRefused" })
        assert.deepStrictEqual(yield* contents, before)
      }),
    ),
  )

  it.effect("believes no file that has lost a week", () =>
    inMemory(
      Effect.gen(function* () {
        yield* all
        const stored = yield* contents
        const kept = text("injuries_2024.csv")
          .split("\n")
          .filter((line) => !/^2024,REG,\w+,1,/.test(line))
        const cut = { name: "injuries.csv", text: kept.join("\n") }
        const failure = yield* Effect.flip(ingest("injuries", cut, later))
        assert.deepInclude(failure, { _tag: "FileRefused", reason: "it has lost week 1 of 2024" })
        assert.deepStrictEqual(yield* contents, stored)
      }),
    ),
  )

  it.effect("takes players off reports and reserve lists that are corrected, and leaves other weeks alone", () =>
    inMemory(
      Effect.gen(function* () {
        yield* all
        const { reported, reserved } = yield* Injuries
        const report = text("injuries_2024.csv")
          .split("\n")
          .filter((line) => !line.includes("KC,2,00-9000021"))
          .join("\n")
        yield* ingest("injuries", { name: "injuries_2024.csv", text: report }, later)
        assert.deepStrictEqual(
          (yield* reported(2024, "KC"))!.map(({ week, player }) => [week, player]),
          [
            [1, "Wes Fast"],
            [2, "Tod Wall"],
          ],
        )
        assert.deepStrictEqual(
          (yield* reserved(2024, "KC"))!.players.map(({ player }) => player),
          ["Gil Guard", "Sid Safety", "Wes Fast"],
        )
        const active = text("roster_weekly_2024.csv").replace("KC,WR,RES", "KC,WR,ACT")
        yield* ingest("rosters", { name: "roster_weekly_2024.csv", text: active }, later)
        assert.deepStrictEqual(
          (yield* reserved(2024, "KC"))!.players.map(({ player }) => player),
          ["Gil Guard", "Sid Safety"],
        )
      }),
    ),
  )

  it.effect("knows a season by its rows: a file that was not there says nothing", () =>
    inMemory(
      Effect.gen(function* () {
        const { reported, reserved, rostered } = yield* Injuries
        const { careers, seasons } = yield* Quarterbacks
        const { league, season } = yield* Games
        assert.isUndefined(yield* reported(2024, "KC"))
        assert.isUndefined(yield* reserved(2024, "KC"))
        assert.isUndefined(yield* season(2024))
        assert.deepStrictEqual([yield* rostered, yield* seasons], [[], []])
        for (const ask of [Effect.asVoid(careers), Effect.asVoid(league)]) {
          assert.strictEqual((yield* Effect.flip(ask)).code, "upstream_unavailable")
        }
        yield* all
        assert.deepStrictEqual(yield* reported(2024, "DEN"), [])
        assert.isUndefined(yield* reported(2023, "KC"))
        const archive = yield* FootballArchive
        yield* archive.confirm("injuries", "/injuries/injuries_2023.csv", [2023], later)
        assert.isUndefined(yield* reported(2023, "KC"))
        assert.deepStrictEqual([yield* rostered, yield* seasons], [[2024], [2015, 2024]])
        yield* archive.confirm("rosters", "/rosters/roster_2023.csv", [2023], later)
        yield* archive.confirm("quarterbacks", "/stats_player/stats_player_week_2007.csv", [2007], later)
        assert.deepStrictEqual([yield* rostered, yield* seasons], [[2024], [2015, 2024]])
        // Each season of the schedule knows when it was looked at, whatever came of others since.
        yield* archive.confirm("games", "games.csv", [2015], later)
        assert.deepStrictEqual(
          [...(yield* league).checkedAt],
          [
            [2015, later],
            [2024, first],
          ],
        )
        // A week without a roster has that of the last one before it.
        assert.deepInclude(yield* reserved(2024, "KC", 1), { week: 1, players: [] })
        assert.deepInclude(yield* reserved(2024, "KC", 9), { week: 2 })
        assert.deepStrictEqual(yield* (yield* Top100).seasons, [2016, 2024])
        assert.isUndefined(yield* (yield* Top100).list(2015))
      }),
    ),
  )

  it.effect("adds up careers anew when a line is corrected", () =>
    inMemory(
      Effect.gen(function* () {
        yield* all
        const quarterbacks = yield* Quarterbacks
        const before = yield* quarterbacks.careers
        assert.strictEqual(yield* quarterbacks.careers, before)
        const pat = before.find(({ player }) => player === "Pat Example")
        assert.deepStrictEqual(pat, {
          playerId: "00-9000001",
          player: "Pat Example",
          position: "QB",
          code: "KC",
          firstSeason: 2024,
          lastSeason: 2024,
          lastWeek: 2,
          attempts: 63,
        })
        const corrected = text("player_weeks_2024.csv").replace("DEN,22,28,", "DEN,22,29,")
        yield* ingest("quarterbacks", { name: "x.csv", text: corrected }, later)
        assert.strictEqual((yield* quarterbacks.careers).find(({ player }) => player === "Pat Example")?.attempts, 64)
        const weeks = yield* quarterbacks.weeks("00-9000001", { last: 1 })
        assert.deepStrictEqual(
          weeks.map(({ season, week, attempts, fetchedAt }) => [season, week, attempts, fetchedAt]),
          [[2024, 2, 29, later]],
        )
        assert.deepStrictEqual(yield* quarterbacks.weeks("00-9000001", { season: 2023 }), [])
      }),
    ),
  )
})

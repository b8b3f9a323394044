import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as jobs from "../../../../../adapters/lanes/baseball/jobs.ts"
import * as mlb from "../../../../../adapters/lanes/baseball/mlb/layer.ts"
import * as archive from "../../../../../adapters/lanes/baseball/store/PitchingArchive.ts"
import * as hasher from "../../../../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../../../../adapters/runtime/node/secrets.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { Feeds } from "../../../../../core/feeds/Feeds.ts"
import { Baseball } from "../../../../../core/lanes/baseball/Baseball.ts"
import { PitchingArchive, PitchingLines } from "../../../../../core/lanes/baseball/ports.ts"
import { addDays } from "../../../../../core/time.ts"
import { clockAt } from "../../../../support/clock.ts"
import { awayTeam, game, homeTeam, mlbRoutes, now } from "../../../../support/mlb.ts"
import { nine, pitched, usual, wireCounts, wirePlayers } from "../../../../support/pitching.ts"
import { patient } from "../../../../support/policy.ts"
import { realData } from "../../../../support/realData.ts"
import { json, type Route, replay } from "../../../../support/replay.ts"

interface Changes {
  readonly counts?: Readonly<Record<string, unknown>>
  readonly pitchers?: ReadonlyArray<number>
  readonly team?: number
  readonly players?: unknown
}

const boxScore = ({ counts = {}, pitchers = [7001, 7009], team = 111, players }: Changes = {}) => ({
  teams: {
    home: { team: { id: team }, teamStats: { pitching: { ...wireCounts, ...counts } }, pitchers, players },
    away: { team: { id: 222 }, teamStats: { pitching: wireCounts }, pitchers: [7002] },
  },
})

/** A finished game of the 8th of July. */
const over = (gamePk: number, changes: Readonly<Record<string, unknown>> = {}) => {
  const { teams, ...rest } = game({ gamePk, officialDate: "2026-07-08", gameDate: "2026-07-08T23:10:00Z" })
  return {
    date: "2026-07-08",
    game: {
      ...rest,
      status: { abstractGameState: "Final", detailedState: "Final" },
      teams: { home: { ...teams.home, score: 5 }, away: { ...teams.away, score: 3 } },
      ...changes,
    },
  }
}

const path = (gamePk: number) => `/api/v1/game/${gamePk}/boxscore`

/** Runs the job once over some games, and returns what it says and what is stored then. */
const stored = (games: ReadonlyArray<ReturnType<typeof over>>, routes: ReadonlyArray<Route>) =>
  Effect.gen(function* () {
    const upstream = yield* replay([...routes, ...mlbRoutes(() => games)])
    const job = yield* jobs.baseballPitchingJob({ mlb: upstream.url, userAgent: "tests" }, patient)
    const said = yield* Effect.either(job.run)
    const first = upstream.requests.length
    const again = yield* Effect.either(job.run)
    const archived = yield* PitchingArchive
    const [lines, careers] = yield* Effect.all([archived.games, archived.careers])
    const until = yield* Effect.flatMap(PitchingLines, (port) => port.until(2026, "2026-07-09"))
    const before = yield* Effect.flatMap(PitchingLines, (port) => port.until(2026, "2026-07-08"))
    const repeated = upstream.requests.slice(first).filter(({ path: asked }) => asked.includes("boxscore"))
    return { said, again, lines, careers, until, before, repeated: repeated.length }
  }).pipe(
    Effect.provide(
      Layer.mergeAll(archive.layerLines, FetchHttpClient.layer, Feeds.layerNone).pipe(
        Layer.provideMerge(archive.layer),
        Layer.provide([hasher.layer, secrets.layer, sqlite.layer(":memory:")]),
      ),
    ),
    Effect.withClock(clockAt(now)),
  )

/** Live fair odds of an evening's game in the afternoon, with its box score, once the season's games are stored. */
const oddsWith = (home: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const players = {
      home: { team: { id: homeTeam.id }, players: wirePlayers(home) },
      away: { team: { id: awayTeam.id }, players: wirePlayers(nine(8101)) },
    }
    const upstream = yield* replay([
      { path: path(500_001), reply: json({ teams: players }) },
      ...mlbRoutes(() => [{ game: game() }]),
    ])
    const { append } = yield* PitchingArchive
    // By the standings 30 teams have played 90 games each.
    for (let at = 0; at < 1_350; at++) {
      const one = pitched(String(at), addDays("2026-04-01", at % 90))
      const lineUps = { home: { ...one.home, lineUp: nine(8001) }, away: { ...one.away, lineUp: nine(8105) } }
      yield* append({ ...one, ...lineUps }, [], now)
    }
    const live = mlb.layer({ mlb: upstream.url, userAgent: "tests" }, patient)
    return yield* Effect.flatMap(Baseball, ({ fairOdds }) => fairOdds({ game_pk: 500_001 })).pipe(
      Effect.provide(Baseball.layer.pipe(Layer.provide(Layer.merge(live, archive.layerLines)))),
    )
  }).pipe(
    Effect.provide(
      Layer.mergeAll(FetchHttpClient.layer, Feeds.layerNone, archive.layer).pipe(
        Layer.provide([hasher.layer, secrets.layer, sqlite.layer(":memory:")]),
      ),
    ),
    Effect.withClock(clockAt(now)),
  )

describe("live fair odds", () => {
  it.scopedLive("have the posted line-ups of a box score, and cite it with the batters' seasons", () =>
    Effect.gen(function* () {
      const { results, citations, record } = yield* oddsWith(nine(8001))
      const { line_up, drivers, quality_flags } = results.prediction
      assert.deepStrictEqual([line_up!.used, quality_flags, record !== undefined], [true, [], true])
      assert.isTrue(drivers!.some(({ feature }) => feature === "line-ups"))
      const cited = citations.map(({ locator }) => new URL(locator).pathname)
      assert.strictEqual(cited.filter((one) => one === "/api/v1/people").length, 2)
      assert.include(cited, path(500_001))
    }),
  )

  for (const [name, home, reason] of [
    ["of eight", nine(8001).slice(1), /8 of 9 batters/],
    ["with a player twice", [...nine(8001).slice(1), "8002"], /Batter 8002 is in it twice/],
  ] as const) {
    it.scopedLive(`do without a line-up ${name}, are flagged and not recorded`, () =>
      Effect.gen(function* () {
        const { results, record } = yield* oddsWith(home)
        const { line_up, quality_flags } = results.prediction
        assert.deepStrictEqual([line_up!.used, quality_flags, record], [false, ["line_up_refused"], undefined])
        assert.match(line_up!.reason!, reason)
      }),
    )
  }
})

const summary = (found: { readonly said: { readonly _tag: string } }): string => JSON.stringify(found.said)

describe("box scores", () => {
  it.scopedLive("are read once, and give the lines of both teams and the starters' earlier seasons", () =>
    Effect.gen(function* () {
      const found = yield* stored([over(1)], [{ path: path(1), reply: json(boxScore()) }])
      assert.match(summary(found), /1 games asked for, 0 refused, 0 not read/)
      assert.deepStrictEqual(found.lines, [
        {
          ...{ id: "1", season: 2026, day: "2026-07-08" },
          home: { team: "111", starter: "7001", counts: usual },
          away: { team: "222", starter: "7002", counts: usual },
        },
      ])
      assert.deepStrictEqual(
        found.careers.map(({ pitcher, season, seasons }) => [pitcher, season, seasons.map(([year]) => year)]),
        [
          ["7001", 2026, [2024, 2025]],
          ["7002", 2026, [2024, 2025]],
        ],
      )
      // A year with a total is the total.
      assert.strictEqual(found.until.careers.of("7001", 2025)!.faced, 400)
      assert.deepStrictEqual([found.until.games.length, found.before.games.length, found.repeated], [1, 0, 0])
    }),
  )

  for (const [name, changes, listed, reason] of [
    ["a negative count", { counts: { baseOnBalls: -3 } }, {}, /walks is -3/],
    ["an absurd count", { counts: { battersFaced: 400 } }, {}, /400 batters faced/],
    ["more outcomes than batters", { counts: { strikeOuts: 37 } }, {}, /More outcomes/],
    ["another team", { team: 333 }, {}, /teams are 222 at 333/],
    ["one starter for both teams", { pitchers: [7002] }, {}, /7002 started for both/],
    ["no pitcher", { pitchers: [] }, {}, /without a pitcher/],
    ["a line-up of eight", { players: wirePlayers(nine(8001).slice(1)) }, {}, /line-up: It has 8 of 9/],
    ["a player twice", { players: wirePlayers([...nine(8001).slice(1), "8002"]) }, {}, /Batter 8002 is in it twice/],
    ["a suspended game", {}, { resumeGameDate: "2026-07-09" }, /was suspended/],
  ] as const) {
    it.scopedLive(`with ${name} are refused, and never learned from`, () =>
      Effect.gen(function* () {
        const found = yield* stored(
          [over(1, listed), over(2, { gameNumber: 2, doubleHeader: "Y" })],
          [
            { path: path(1), reply: json(boxScore(changes)) },
            { path: path(2), reply: json(boxScore()) },
          ],
        )
        assert.match(summary(found), /2 games asked for, 1 refused/)
        assert.match(summary(found), reason)
        assert.deepStrictEqual([found.lines.map(({ id }) => id), found.repeated], [["2"], 0])
      }),
    )
  }

  it.scopedLive("give the line-ups that started, whoever came in later, where they have batters", () =>
    Effect.gen(function* () {
      const players = wirePlayers(nine(8001))
      const { lines } = yield* stored([over(1)], [{ path: path(1), reply: json(boxScore({ players })) }])
      assert.deepStrictEqual([lines[0]!.home.lineUp, lines[0]!.away.lineUp], [nine(8001), undefined])
    }),
  )

  it.scopedLive("of a doubleheader have those as starters who pitched first, whoever was listed", () =>
    Effect.gen(function* () {
      const found = yield* stored(
        [over(1, { doubleHeader: "Y" }), over(2, { gameNumber: 2, doubleHeader: "Y" })],
        [
          { path: path(1), reply: json(boxScore({ pitchers: [7003, 7001] })) },
          { path: path(2), reply: json(boxScore({ pitchers: [7001] })) },
          { path: "/api/v1/people/7003/stats", reply: json({ stats: [] }) },
        ],
      )
      assert.deepStrictEqual(
        found.lines.map(({ id, home }) => [id, home.starter]),
        [
          ["1", "7003"],
          ["2", "7001"],
        ],
      )
    }),
  )

  it.scopedLive("that cannot be read fail the job, not the other games, and are asked for again", () =>
    Effect.gen(function* () {
      const found = yield* stored(
        [over(1), over(2, { gameNumber: 2, doubleHeader: "Y" })],
        [
          { path: path(1), reply: json({ teams: {} }) },
          { path: path(2), reply: json(boxScore()) },
        ],
      )
      assert.deepStrictEqual([found.said._tag, found.again._tag], ["Left", "Left"])
      assert.deepStrictEqual([found.lines.map(({ id }) => id), found.repeated], [["2"], 1])
    }),
  )

  it.skipIf(realData === undefined)("have the recorded form", () => {
    const file = join(realData!, "baseball/statsapi/darkside_2024_2026/boxscore.json")
    const recorded = JSON.parse(readFileSync(file, "utf8"))
    const { away, home } = recorded.teams
    return Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const side = (id: number, name: string) => ({
            team: { id, name },
            leagueRecord: { wins: 1, losses: 1 },
            score: 1,
          })
          const listed = over(1, {
            teams: { home: side(home.team.id, "Home"), away: side(away.team.id, "Away") },
          })
          const anybody = { path: /^\/api\/v1\/people\/\d+\/stats$/, reply: json({ stats: [] }) }
          const { lines } = yield* stored([listed], [{ path: path(1), reply: json(recorded) }, anybody])
          assert.strictEqual(lines[0]!.home.starter, String(home.pitchers[0]))
          assert.strictEqual(lines[0]!.home.counts.faced, 32)
          assert.strictEqual(lines[0]!.home.counts.homers, 2)
          // Kiermaier, who was replaced, started in the ninth place.
          const started = [666182, 687462, 457759, 543807, 662139, 672386, 676914, 676391, 595281]
          assert.deepStrictEqual(lines[0]!.home.lineUp, started.map(String))
          assert.lengthOf(new Set(lines[0]!.away.lineUp), 9)
        }),
      ),
    )
  })
})

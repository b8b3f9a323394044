import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { endpoints } from "../../../../core/lanes/football/endpoints.ts"
import type { Football } from "../../../../core/lanes/football/Football.ts"
import { formatSeasons } from "../../../../core/lanes/football/summary.ts"
import { fits, now, over, refusal } from "../../../support/footballLane.ts"
import { fixture, ingest } from "../../../support/footballStore.ts"

describe("football games", () => {
  it.effect("are those of the season, with nulls before the final and no market without a line", () =>
    over((football) =>
      Effect.gen(function* () {
        const { results, next } = yield* football.games({})
        fits(endpoints.games, results)
        assert.isUndefined(next)
        assert.deepStrictEqual(
          results.games.map(({ game_id, result, total, market, quality_flags }) => [
            game_id,
            result,
            total,
            market?.spread_line,
            quality_flags,
          ]),
          [
            ["2024_01_KC_BUF", 0, 48, 1.5, []],
            ["2024_01_DEN_LV", 21, 41, -1, ["line_sign_conflict"]],
            ["2024_02_KC_DEN", -17, 43, -5, []],
            ["2024_02_BUF_LV", null, null, -3, []],
            ["2024_03_LV_KC", null, null, 7, []],
            ["2024_03_BUF_DEN", null, null, undefined, []],
          ],
        )
        const [, , , , , last] = results.games
        assert.notProperty(last, "market")
        assert.notProperty(last, "kickoff_local")
        assert.deepStrictEqual(last!.qbs, {})
      }),
    ),
  )

  const filters: ReadonlyArray<
    readonly [string, Parameters<(typeof Football.Service)["games"]>[0], ReadonlyArray<string>]
  > = [
    ["a week", { week: 2 }, ["2024_02_KC_DEN", "2024_02_BUF_LV"]],
    ["a team, home and away", { team: "KC" }, ["2024_01_KC_BUF", "2024_02_KC_DEN", "2024_03_LV_KC"]],
    ["a team that moved, by the code of the season", { season: 2015, team: "LV" }, ["2015_03_OAK_CLE"]],
    ["a week that a season did not have", { season: 2015, week: 22 }, []],
  ]
  for (const [what, params, ids] of filters) {
    it.effect(`can be asked for by ${what}`, () =>
      over((football) =>
        Effect.map(football.games(params), ({ results }) => {
          assert.deepStrictEqual(
            results.games.map(({ game_id }) => game_id),
            ids,
          )
          assert.strictEqual(results.count, ids.length)
        }),
      ),
    )
  }

  it.effect("come in pages that make up the whole, whatever their size", () =>
    over((football) =>
      Effect.gen(function* () {
        const whole: ReadonlyArray<unknown> = (yield* football.games({})).results.games
        for (let limit = 1; limit <= 7; limit++) {
          const rows: Array<unknown> = []
          let cursor: string | undefined
          do {
            const page: Effect.Effect.Success<ReturnType<typeof football.games>> = yield* football.games({
              limit,
              ...(cursor === undefined ? {} : { cursor }),
            })
            rows.push(...page.results.games)
            cursor = page.next
          } while (cursor !== undefined)
          assert.deepStrictEqual(rows, whole)
        }
      }),
    ),
  )

  it.effect("of a season that nobody fetched are unavailable", () =>
    over((football) =>
      Effect.map(Effect.flip(football.games({ season: 2016 })), (failure) =>
        assert.deepStrictEqual(refusal(failure), ["upstream_unavailable"]),
      ),
    ),
  )
})

describe("quarterbacks", () => {
  it.effect("have their last weeks, added up, with means over the weeks that have the figure", () =>
    over((football) =>
      Effect.gen(function* () {
        const { results } = yield* football.qb({ player: "00-9000001", last: 20 })
        fits(endpoints.qb, results)
        if ("ambiguous" in results) return assert.fail("There is one of that id.")
        assert.deepStrictEqual(results.aggregates, {
          weeks: 2,
          completions: 47,
          attempts: 63,
          passing_yards: 511,
          passing_tds: 5,
          interceptions: 1,
          sacks_suffered: 2,
          epa_per_week: 11.38,
          cpoe_mean: 4.25,
        })
        assert.deepStrictEqual(
          results.weeks.map(({ week, opponent }) => [week, opponent]),
          [
            [2, "DEN"],
            [1, "BUF"],
          ],
        )
        const last = yield* football.qb({ player: "pat example", last: 1 })
        assert.deepInclude(last.results, { player: "Pat Example", team: "KC" })
        if (!("ambiguous" in last.results)) assert.strictEqual(last.results.aggregates.weeks, 1)
        const none = yield* football.qb({ player: "Otto", season: 2024, last: 20 })
        fits(endpoints.qb, none.results)
        assert.deepInclude(none.results, { weeks: [], team: "OAK" })
      }),
    ),
  )

  it.effect("whose name another's contains are found by the whole of it, and others are listed and not charged", () =>
    over((football) =>
      Effect.gen(function* () {
        assert.deepInclude((yield* football.qb({ player: "Gus Desert", last: 20 })).results, { player: "Gus Desert" })
        const { results, billable, confidence, citations } = yield* football.qb({ player: "désert", last: 20 })
        fits(endpoints.qb, results)
        assert.deepStrictEqual(confidence, { score: 0.5, label: "reasoned", factors: ["2 players match"] })
        assert.strictEqual(citations[0]!.locator, "/v1/nfl/qb?player=d%C3%A9sert")
        assert.strictEqual(billable, false)
        assert.deepStrictEqual(results, {
          ambiguous: true,
          query: "désert",
          candidates: (
            [
              ["00-9000004", "Gus Desert", 27],
              ["00-9000005", "Gus Desertson", 2],
            ] as const
          ).map(([player_id, player, attempts]) => ({
            player_id,
            player,
            team: "LV",
            position: "QB",
            first_season: 2024,
            last_season: 2024,
            attempts,
          })),
        })
        // Otto last threw in 2015.
        const wide = yield* football.qb({ player: "o", last: 20 })
        if ("ambiguous" in wide.results) assert.strictEqual(wide.results.candidates.at(-1)!.player, "Cliff Brown")
      }),
    ),
  )

  const unknown = ["Nobody", "00-0000000", "%", "'; DROP TABLE", ".", " "]
  for (const player of unknown) {
    it.effect(`are not found: ${JSON.stringify(player)}`, () =>
      over((football) =>
        Effect.map(Effect.flip(football.qb({ player, last: 20 })), (failure) =>
          assert.deepStrictEqual(refusal(failure), ["not_found", "player"]),
        ),
      ),
    )
  }
})

describe("the lines of a quarterback", () => {
  const seasons = [2007, 2016, 2023]
  for (const season of seasons) {
    for (const player of ["Otto", "Pat Example", "Desert", "Nobody"]) {
      it.effect(`are unavailable of a season that nobody asked for: ${player}, ${season}`, () =>
        over((football) =>
          Effect.map(Effect.flip(football.qb({ player, season, last: 20 })), (failure) => {
            assert.deepStrictEqual(refusal(failure), ["upstream_unavailable"])
            assert.include(failure.detail, String(season))
          }),
        ),
      )
    }
  }

  const [then, next, later] = [now, Date.UTC(2025, 10, 20), Date.UTC(2026, 10, 20)]
  const asked: ReadonlyArray<readonly [string, number, number, number, RegExp]> = [
    ["Pat Example", 2, then, 1, /^2 recorded weeks$/],
    ["Pat Example", 20, then, 0.9, /seasons 2002–2014, 2016–2023 not loaded: earlier weeks may be missing$/],
    ["Otto", 1, then, 0.5, /seasons 2016–2023 not loaded: more recent weeks may be missing$/],
    ["Pat Example", 2, next, 0.5, /season 2025 not loaded: more recent weeks may be missing$/],
    ["Pat Example", 2, later, 0.5, /seasons 2025–2026 not loaded: more recent weeks may be missing$/],
  ]
  for (const [player, last, at, score, factors] of asked) {
    it.effect(`say which seasons are loaded: ${player}, ${last}, ${new Date(at).toISOString()}`, () =>
      over((football) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(at)
          const { confidence, reasoning } = yield* football.qb({ player, last })
          assert.strictEqual(confidence.score, score)
          assert.match(confidence.factors.join("; "), factors)
          assert.include(
            reasoning,
            `Loaded seasons: 2015, 2024; the current season is ${new Date(at).getUTCFullYear()}.`,
          )
        }),
      ),
    )
  }

  const ranges: ReadonlyArray<readonly [ReadonlyArray<number>, string]> = [
    [[], ""],
    [[2015], "2015"],
    [[2015, 2016], "2015–2016"],
    [[2002, 2015, 2016, 2017, 2024], "2002, 2015–2017, 2024"],
  ]
  for (const [some, text] of ranges) it(`formats seasons: ${text}`, () => assert.strictEqual(formatSeasons(some), text))
})

describe("injury reports", () => {
  it.effect("are unavailable where there are no rosters, also of a season before there were reports", () =>
    over((football) =>
      Effect.gen(function* () {
        for (const season of [2002, 2005, 2008]) {
          const failure = yield* Effect.flip(football.injuries({ team: "KC", season }))
          assert.deepStrictEqual(refusal(failure), ["upstream_unavailable"])
          assert.include(failure.detail, `rosters of ${season}`)
        }
        // Nobody has rosters or reports of seasons before.
        const { results, confidence } = yield* football.injuries({ team: "KC", season: 1999 })
        assert.deepStrictEqual(results.reserve_list, { count: 0, players: [] })
        assert.strictEqual(confidence.score, 0.8)
      }),
    ),
  )

  it.effect("are of the latest week, the reserve list of the latest roster", () =>
    over((football) =>
      Effect.gen(function* () {
        const { results } = yield* football.injuries({ team: "KC" })
        fits(endpoints.injuries, results)
        assert.deepInclude(results, {
          team: "KC",
          season: 2024,
          week: 2,
          current_season: 2024,
          is_current_season: true,
        })
        assert.deepStrictEqual(results.report.by_status, { Questionable: 1, none: 1 })
        assert.deepStrictEqual(
          results.reserve_list.players.map(({ player, status }) => [player, status]),
          [
            ["Gil Guard", "RES"],
            ["Sid Safety", "SUS"],
            ["Wes Fast", "RES"],
          ],
        )
        assert.strictEqual(results.reserve_list.as_of_week, 2)
      }),
    ),
  )

  it.effect("that are absent are empty and say so; nothing is filled in", () =>
    over((football) =>
      Effect.gen(function* () {
        for (const [params, week, score] of [
          [{ team: "DEN" }, null, 0.8],
          [{ team: "KC", week: 3 }, 3, 0.9],
        ] as const) {
          const { results, reasoning, confidence } = yield* football.injuries(params)
          fits(endpoints.injuries, results)
          assert.strictEqual(results.week, week)
          assert.deepStrictEqual(results.report, {
            count: 0,
            by_status: {},
            players: [],
            quality_flags: ["report_absent"],
          })
          assert.match(reasoning[0]!, /no injury report/)
          assert.strictEqual(confidence.score, score)
        }
        // The roster of a week is that week's.
        const before = yield* football.injuries({ team: "KC", week: 1 })
        assert.deepStrictEqual(before.results.reserve_list, { as_of_week: 1, count: 0, players: [] })
      }),
    ),
  )

  it.effect("of a season without rows are unavailable, but not before it has begun", () =>
    over((football) =>
      Effect.gen(function* () {
        const { code } = yield* Effect.flip(football.injuries({ team: "KC", season: 2023 }))
        assert.strictEqual(code, "upstream_unavailable")
        yield* TestClock.setTime(Date.UTC(2025, 2, 16))
        assert.strictEqual((yield* Effect.flip(football.injuries({ team: "KC" }))).code, "upstream_unavailable")
        const rosters = readFileSync(fixture("roster_weekly_2024.csv"), "utf8").replaceAll("2024", "2025")
        yield* ingest("rosters", { name: "r.csv", text: rosters }, now)
        const { results } = yield* football.injuries({ team: "KC" })
        assert.deepInclude(results, { season: 2025, week: null, is_current_season: true })
        yield* TestClock.setTime(Date.UTC(2025, 8, 5))
        assert.strictEqual((yield* Effect.flip(football.injuries({ team: "KC" }))).code, "upstream_unavailable")
        yield* ingest("injuries", { name: "i.csv", text: readFileSync(fixture("injuries_2026.csv"), "utf8") }, now)
        assert.strictEqual((yield* Effect.flip(football.injuries({ team: "KC" }))).code, "upstream_unavailable")
      }),
    ),
  )
})

describe("the Top 100", () => {
  it.effect("is the latest list, in pages, by the year in which it came out", () =>
    over((football) =>
      Effect.gen(function* () {
        const { results, next } = yield* football.top100({ limit: 1 })
        fits(endpoints.top100, results)
        assert.deepInclude(results, { season: 2024, count: 1 })
        const rest = yield* football.top100({ cursor: next! })
        assert.deepStrictEqual(
          rest.results.players.map(({ rank, team }) => [rank, team]),
          [[2, "BUF"]],
        )
        assert.isUndefined(rest.next)
        const old = yield* football.top100({ season: 2016 })
        assert.deepStrictEqual(
          old.results.players.map(({ team }) => team),
          ["OAK", "NO", "CLE"],
        )
        assert.deepStrictEqual(refusal(yield* Effect.flip(football.top100({ season: 2017 }))), ["not_found", "season"])
      }),
    ),
  )
})

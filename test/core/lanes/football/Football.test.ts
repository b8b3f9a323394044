import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as footballArchive from "../../../../adapters/sql/FootballArchive.ts"
import * as footballGames from "../../../../adapters/sql/FootballGames.ts"
import * as footballQuarterbacks from "../../../../adapters/sql/FootballQuarterbacks.ts"
import * as footballReports from "../../../../adapters/sql/FootballReports.ts"
import type { Failure } from "../../../../core/endpoint/Failure.ts"
import type { FootballArchive } from "../../../../core/lanes/football/archive.ts"
import { endpoints } from "../../../../core/lanes/football/endpoints.ts"
import { Football } from "../../../../core/lanes/football/Football.ts"
import { type Prediction, Predictions } from "../../../../core/record/Predictions.ts"
import { fixture, ingest, samples, storeOf } from "../../../support/footballStore.ts"

/** Tuesday before the third week of 2024. */
const now = Date.UTC(2024, 8, 17, 12)
const hour = 3_600_000

const lane = (kept: Array<Prediction> = []) =>
  Layer.merge(Football.layer, footballArchive.layer).pipe(
    Layer.provide([
      footballGames.layer,
      footballQuarterbacks.layer,
      footballReports.layerInjuries,
      footballReports.layerTop100,
      Predictions.layerMemory(kept),
    ]),
    Layer.provide(storeOf(samples, now)),
  )

const over = <A, E>(
  ask: (football: Football["Type"]) => Effect.Effect<A, E, FootballArchive>,
  { at = now, kept = [] }: { readonly at?: number; readonly kept?: Array<Prediction> } = {},
) => Effect.zipRight(TestClock.setTime(at), Effect.provide(Effect.flatMap(Football, ask), lane(kept)))

const refusal = ({ code, hints = [] }: Failure) => [code, ...hints.map(({ field }) => field)]

const gamesText = readFileSync(fixture("games.csv"), "utf8")
const store = (text: string, at = now) => ingest("games", { name: "games.csv", text }, at)

const fits = <E extends { readonly results: Schema.Schema.AnyNoContext }>({ results }: E, value: unknown) =>
  assert.isTrue(Schema.is(results, { onExcessProperty: "error" })(value), JSON.stringify(value))

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

  const filters: ReadonlyArray<readonly [string, Parameters<Football["Type"]["games"]>[0], ReadonlyArray<string>]> = [
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

  it.effect("of a season that has not begun are refused, of one that nobody fetched unavailable", () =>
    over((football) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(refusal(yield* Effect.flip(football.games({ season: 2025 }))), [
          "invalid_parameter",
          "season",
        ])
        assert.deepStrictEqual(refusal(yield* Effect.flip(football.games({ season: 2016 }))), ["upstream_unavailable"])
      }),
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
          epa_per_week: 11.375,
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
        const { results, billable } = yield* football.qb({ player: "désert", last: 20 })
        fits(endpoints.qb, results)
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

describe("injury reports", () => {
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
        for (const [params, week] of [
          [{ team: "DEN" }, null],
          [{ team: "KC", week: 3 }, 3],
          [{ team: "LV", season: 2005 }, null],
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
          assert.strictEqual(confidence.score, 0.9)
        }
        // The roster of a week is that week's.
        const before = yield* football.injuries({ team: "KC", week: 1 })
        assert.deepStrictEqual(before.results.reserve_list, { as_of_week: 1, count: 0, players: [] })
        assert.strictEqual((yield* football.injuries({ team: "LV", season: 2005 })).results.team, "OAK")
      }),
    ),
  )

  it.effect("of a season that nobody asked the source about are unavailable, but not before it has begun", () =>
    over((football) =>
      Effect.gen(function* () {
        const { code } = yield* Effect.flip(football.injuries({ team: "KC", season: 2023 }))
        assert.strictEqual(code, "upstream_unavailable")
        const late = yield* Effect.flip(football.injuries({ team: "KC", season: 2025 }))
        assert.deepStrictEqual(refusal(late), ["invalid_parameter", "season"])
        yield* TestClock.setTime(Date.UTC(2025, 2, 16))
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
        assert.deepStrictEqual(refusal(yield* Effect.flip(football.top100({ season: 2025 }))), [
          "invalid_parameter",
          "season",
        ])
      }),
    ),
  )
})

describe("the fair line", () => {
  it.effect("of a team is that of its next game, beside the market's, and adds up", () =>
    over((football) =>
      Effect.gen(function* () {
        const { results, confidence } = yield* football.fairLine({ team: "LV" })
        fits(endpoints.fairLine, results)
        const { fair_line, market, edge, drivers } = results.prediction
        assert.strictEqual(results.game.game_id, "2024_03_LV_KC")
        assert.deepStrictEqual(market, { spread_line: 7, total_line: 46.5 })
        assert.strictEqual(fair_line.spread, -fair_line.home_margin)
        assert.closeTo(fair_line.win_prob_home + fair_line.win_prob_away, 1, 1e-12)
        assert.closeTo(
          drivers.reduce((sum, { points }) => sum + points, 0),
          fair_line.home_margin,
          1e-9,
        )
        assert.strictEqual(edge?.spread_points, fair_line.home_margin - 7)
        assert.strictEqual(edge?.side, fair_line.home_margin > 7 ? "home" : "away")
        assert.strictEqual(edge?.ou, fair_line.total > 46.5 ? "over" : "under")
        assert.deepStrictEqual(results.form_games_used, { home: 2, away: 1 })
        assert.strictEqual(results.prediction.as_of, new Date(now).toISOString())
        assert.strictEqual(confidence.label, "reasoned")
        // The game that was called off is missing for two weeks.
        assert.include(confidence.factors.join(), "1 final of the last two weeks not in yet")
      }),
    ),
  )

  it.effect("without a posted line has neither market nor edge", () =>
    over((football) =>
      Effect.gen(function* () {
        const { results } = yield* football.fairLine({ team: "BUF", opponent: "DEN" })
        fits(endpoints.fairLine, results)
        assert.strictEqual(results.game.game_id, "2024_03_BUF_DEN")
        assert.notProperty(results.prediction, "market")
        assert.notProperty(results.prediction, "edge")
      }),
    ),
  )

  const edges = [
    ["no line at all", {}, undefined],
    ["a spread alone", { spread: 2 }, { spread_points: 1, side: "home" }],
    ["the model's own numbers", { spread: 3, total: 40 }, { spread_points: 0, total_points: 0 }],
    ["higher numbers", { spread: 4, total: 41 }, { spread_points: -1, side: "away", total_points: -1, ou: "under" }],
  ] as const
  for (const [what, lines, expected] of edges) {
    it.effect(`names a side only where there is one: ${what}`, () =>
      Effect.map(
        Effect.promise(() => import("../../../../core/lanes/football/fairLineCall.ts")),
        ({ edgeOf }) => assert.deepStrictEqual(edgeOf({ homeMargin: 3, total: 40 }, lines), expected as never),
      ),
    )
  }

  const played = [
    ["a tie", "2024_01_KC_BUF", []],
    ["a line that contradicts its moneylines", "2024_01_DEN_LV", ["line_sign_conflict"]],
    ["a neutral site", "2024_02_KC_DEN", []],
    ["a game that was called off", "2024_02_BUF_LV", []],
    ["a team that moved since", "2015_03_OAK_CLE", []],
  ] as const
  for (const [what, game_id, flags] of played) {
    it.effect(`of a game that has kicked off is as it stood then, and not recorded: ${what}`, () => {
      const kept: Array<Prediction> = []
      return over(
        (football) =>
          Effect.gen(function* () {
            const { results, extras } = yield* football.fairLine({ game_id })
            fits(endpoints.fairLine, results)
            assert.deepInclude(results, { retrospective: true, recorded_to_track_record: false })
            assert.deepStrictEqual(results.prediction.quality_flags, flags)
            const counterfactual = yield* extras!.counterfactual!
            assert.strictEqual(counterfactual.from, game_id === "2024_02_KC_DEN" ? "neutral" : "home")
            assert.notStrictEqual((counterfactual.delta as { home_margin: number }).home_margin, 0)
            assert.deepStrictEqual(kept, [])
          }),
        { kept },
      )
    })
  }

  it.effect("goes on the record until kickoff, by the clock and not by the score", () => {
    const kept: Array<Prediction> = []
    return over(
      (football) =>
        Effect.gen(function* () {
          const kickoff = Date.UTC(2024, 8, 22, 17)
          yield* store(gamesText, kickoff - hour)
          const ask = football.fairLine({ game_id: "2024_03_LV_KC" })
          yield* TestClock.setTime(kickoff - 1)
          const before = yield* ask
          assert.deepInclude(before.results, { retrospective: false, recorded_to_track_record: true })
          yield* TestClock.setTime(kickoff)
          const after = yield* ask
          assert.deepInclude(after.results, { retrospective: true, recorded_to_track_record: false })
          assert.deepStrictEqual(after.results.prediction.fair_line, before.results.prediction.fair_line)
          assert.strictEqual(after.results.prediction.as_of, new Date(kickoff).toISOString())
          assert.deepStrictEqual(
            kept.map(({ subject, at, closesAt, output, market }) => [
              subject,
              at,
              closesAt,
              output["home_margin"],
              market,
            ]),
            [
              [
                "2024_03_LV_KC",
                kickoff - 1,
                kickoff,
                before.results.prediction.fair_line.home_margin,
                { spread: 7, total: 46.5, homeMoneyline: -320, awayMoneyline: 260 },
              ],
            ],
          )
        }),
      { kept },
    )
  })

  it.effect("is recorded anew when a starter changes after the line, and not when only the line does", () => {
    const kept: Array<Prediction> = []
    return over(
      (football) =>
        Effect.gen(function* () {
          const ask = football.fairLine({ team: "LV" })
          yield* ask
          yield* ask
          yield* store(gamesText.replace(",260,-320,7,46.5,", ",280,-350,7.5,46.5,"))
          const moved = yield* ask
          assert.strictEqual(moved.results.prediction.market?.spread_line, 7.5)
          assert.strictEqual(kept.length, 1)
          yield* store(
            gamesText.replace(
              "00-9000004,00-9000001,Gus Desert,Pat Example,Coach Black,Coach Red",
              "00-9000009,00-9000001,Backup Man,Pat Example,Coach Black,Coach Red",
            ),
          )
          const changed = yield* ask
          assert.strictEqual(changed.results.game.qbs.away, "Backup Man")
          assert.strictEqual(kept.length, 2)
          assert.notStrictEqual(kept[0]!.inputsHash, kept[1]!.inputsHash)
          assert.strictEqual(changed.results.prediction.inputs_hash, kept[1]!.inputsHash)
        }),
      { kept },
    )
  })

  it.effect("of a game to come is refused on a schedule that nobody has looked at for long; old games are not", () =>
    over((football) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now + 37 * hour)
        const failure = yield* Effect.flip(football.fairLine({ team: "LV" }))
        assert.strictEqual(failure.code, "data_freshness_stale")
        assert.isAbove(failure.retryAfterMs!, 0)
        assert.isTrue((yield* football.fairLine({ game_id: "2024_01_KC_BUF" })).results.retrospective)
      }),
    ),
  )

  const absent: ReadonlyArray<readonly [Parameters<Football["Type"]["fairLine"]>[0], string]> = [
    [{ game_id: "2024_01_KC_DEN" }, "game_id"],
    [{ game_id: "1998_01_KC_DEN" }, "game_id"],
    [{ team: "SEA" }, "team"],
    [{ team: "KC", opponent: "SEA" }, "opponent"],
  ]
  for (const [params, field] of absent) {
    it.effect(`is not found: ${JSON.stringify(params)}`, () =>
      over((football) =>
        Effect.map(Effect.flip(football.fairLine(params)), (failure) =>
          assert.deepStrictEqual(refusal(failure), ["not_found", field]),
        ),
      ),
    )
  }
})

describe("the track record", () => {
  it.effect("shows the backtest as it was computed, and counts what was recorded", () =>
    over((football) =>
      Effect.gen(function* () {
        const empty = (yield* football.performance({})).results
        fits(endpoints.performance, empty)
        assert.strictEqual(empty.backtest_holdout.games, 570)
        assert.deepInclude(empty.live, { predictions_scored: 0, games_pending: 0, status: "no_predictions" })
        yield* football.fairLine({ team: "LV" })
        const { live } = (yield* football.performance({})).results
        assert.deepInclude(live, { predictions_scored: 0, games_pending: 1, status: "awaiting_results" })
      }),
    ),
  )
})

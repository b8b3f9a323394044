import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { FootballArchive } from "../../../../core/lanes/football/data/archive.ts"
import { endpoints } from "../../../../core/lanes/football/endpoints.ts"
import type { Football } from "../../../../core/lanes/football/Football.ts"
import { toEdge, toPostedProbabilities } from "../../../../core/lanes/football/fairLineCall.ts"
import { listLineFlags } from "../../../../core/lanes/football/summary.ts"
import type { Capture } from "../../../../core/record/captures/Captures.ts"
import { fits, now, over, refusal } from "../../../support/footballLane.ts"
import { fixture, ingest } from "../../../support/footballStore.ts"

type Results = Endpoint.Results<typeof endpoints.fairLine>

const hour = 3_600_000
const gamesText = readFileSync(fixture("games.csv"), "utf8")
const store = (text: string, at = now) => ingest("games", { name: "games.csv", text }, at)

describe("the fair line", () => {
  it.effect("of a team is that of its next game, beside the market's, and adds up", () =>
    over((football) =>
      Effect.gen(function* () {
        const { results, confidence, extras } = yield* football.fairLine({ team: "LV" })
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
        const { at_posted: posted } = results.prediction
        assert.closeTo(posted!.home_cover_prob! + posted!.spread_push_prob! + posted!.away_cover_prob!, 1, 2e-6)
        assert.isAbove(posted!.spread_push_prob!, 0.01)
        assert.deepStrictEqual([posted!.total_push_prob, posted!.over_prob! < 0.9], [0, true])
        assert.deepStrictEqual(results.form_games_used, { home: 2, away: 1 })
        assert.strictEqual(results.prediction.as_of, new Date(now).toISOString())
        assert.strictEqual(confidence.label, "reasoned")
        // The game that was called off is missing for two weeks.
        assert.include(confidence.factors.join(), "1 result of the last 14 days missing: ×0.90")
        const members = yield* extras!.alternatives!
        assert.closeTo(
          members.reduce((sum, { score }) => sum + score, 0),
          1,
          1e-12,
        )
        // As the model publishes it.
        const { games, spread } = (yield* football.performance({})).results.backtest_holdout
        assert.isAbove(spread.mae_model, spread.mae_market)
        const held = (yield* football.performance({})).results.against_the_spread[0]!
        const decided = held.by_edge.reduce((sum, { wins, losses }) => sum + wins + losses, 0)
        assert.deepStrictEqual([held.from, held.to, held.development, decided > 500], [2024, 2025, false, true])
        // The model adds nothing to the close, and says so.
        assert.isBelow(held.worth_of_a_point.low!, 0)
        assert.strictEqual(
          confidence.factors.at(-1),
          `holdout spread MAE ${spread.mae_model.toFixed(2)}, closing line ${spread.mae_market.toFixed(2)} (${games} games): ×${(spread.mae_market / spread.mae_model).toFixed(2)}`,
        )
      }),
    ),
  )

  it("covers, pushes and loses by the laws at the posted numbers", () => {
    const laws = {
      margin_distribution: { from: -1, pmf: [0.1, 0.2, 0.3, 0.4] },
      total_distribution: { from: 40, pmf: [0.5, 0.25, 0.25] },
    }
    assert.deepStrictEqual(toPostedProbabilities(laws, { spread: 1, total: 40.5 }), {
      ...{ home_cover_prob: 0.4, away_cover_prob: 0.1 + 0.2, spread_push_prob: 0.3 },
      ...{ over_prob: 0.5, under_prob: 0.5, total_push_prob: 0 },
    })
    assert.deepStrictEqual(Object.keys(toPostedProbabilities(laws, { total: 41 })!), [
      "over_prob",
      "under_prob",
      "total_push_prob",
    ])
    assert.isUndefined(toPostedProbabilities(laws, {}))
  })

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
    it(`names a side only where there is one: ${what}`, () =>
      assert.deepStrictEqual(toEdge({ homeMargin: 3, total: 40 }, lines), expected as never))
  }

  it("flags a spread where the moneylines favour nobody, or the other team", () => {
    const even = { homeMoneyline: -110, awayMoneyline: -110 }
    assert.deepStrictEqual(
      [
        { spread: -1, ...even },
        { spread: 0, ...even },
        { spread: 3, homeMoneyline: -150, awayMoneyline: 130 },
        even,
      ].map((lines) => listLineFlags(lines).length),
      [1, 0, 0, 0],
    )
  })

  const played = [
    ["a tie", "2024_01_KC_BUF", []],
    ["a line that contradicts its moneylines", "2024_01_DEN_LV", ["line_sign_conflict"]],
    ["a neutral site", "2024_02_KC_DEN", []],
    ["a game that was called off", "2024_02_BUF_LV", []],
    ["a team that moved since", "2015_03_OAK_CLE", []],
  ] as const
  for (const [what, game_id, flags] of played) {
    it.effect(`of a game that has kicked off is as it stood then, and not recorded: ${what}`, () => {
      const kept: Array<Capture> = []
      return over(
        (football) =>
          Effect.gen(function* () {
            const { results, extras } = yield* football.fairLine({ game_id })
            fits(endpoints.fairLine, results)
            assert.deepInclude(results, { retrospective: true, recorded_to_track_record: false })
            assert.deepStrictEqual(results.prediction.quality_flags, flags)
            const counterfactual = yield* extras!.counterfactual!
            assert.strictEqual(counterfactual.from, game_id === "2024_02_KC_DEN" ? 1 : 0)
            assert.notStrictEqual(counterfactual.delta["home_margin"], 0)
            assert.deepStrictEqual(kept, [])
          }),
        kept,
      )
    })
  }

  it.effect("goes on the record until kickoff, by the clock and not by the score", () => {
    const kept: Array<Capture> = []
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
            kept.map(({ subject, at, sealedUntil, output, market }) => [
              subject,
              at,
              sealedUntil,
              (output as Results["prediction"]["fair_line"]).home_margin,
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
      kept,
    )
  })

  it.effect("is recorded anew when the line moves or a starter changes, and not when neither does", () => {
    const kept: Array<Capture> = []
    return over(
      (football) =>
        Effect.gen(function* () {
          const ask = football.fairLine({ team: "LV" })
          yield* ask
          yield* ask
          yield* store(gamesText.replace(",260,-320,7,46.5,", ",280,-350,7.5,46.5,"))
          const moved = yield* ask
          assert.strictEqual(moved.results.prediction.market?.spread_line, 7.5)
          yield* ask
          assert.deepStrictEqual(
            kept.map(({ market }) => market?.["spread"]),
            [7, 7.5],
          )
          assert.strictEqual(kept[0]!.inputsHash, kept[1]!.inputsHash)
          yield* store(
            gamesText.replace(
              "00-9000004,00-9000001,Gus Desert,Pat Example,Coach Black,Coach Red",
              "00-9000009,00-9000001,Backup Man,Pat Example,Coach Black,Coach Red",
            ),
          )
          const changed = yield* ask
          assert.strictEqual(changed.results.game.qbs.away, "Backup Man")
          assert.strictEqual(kept.length, 3)
          assert.notStrictEqual(kept[1]!.inputsHash, kept[2]!.inputsHash)
          assert.strictEqual(changed.results.prediction.inputs_hash, kept[2]!.inputsHash)
        }),
      kept,
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

  it.effect("is as old as its own season: a file of another one does not make a schedule fresh", () =>
    over((football) =>
      Effect.gen(function* () {
        const [header, ...rows] = gamesText.split("\n")
        const old = [header, ...rows.filter((row) => row.startsWith("2015")), ""].join("\n")
        yield* ingest("games", { name: "games_2015.csv", text: old }, now + 36 * hour)
        yield* TestClock.setTime(now + 37 * hour)
        assert.strictEqual((yield* Effect.flip(football.fairLine({ team: "LV" }))).code, "data_freshness_stale")
        yield* store(gamesText, now + 36 * hour)
        assert.isFalse((yield* football.fairLine({ team: "LV" })).results.retrospective)
      }),
    ),
  )

  const [inSeason, inSummer] = [Date.UTC(2025, 10, 20), Date.UTC(2025, 6, 1)]
  const uncarried: ReadonlyArray<
    readonly [string, number, Parameters<(typeof Football.Service)["fairLine"]>[0], string]
  > = [
    ["a team in a season without a schedule", inSeason, { team: "KC" }, "upstream_unavailable"],
    ["a game of that season", inSeason, { game_id: "2025_11_KC_DEN" }, "upstream_unavailable"],
    ["a game of an old season that nobody asked for", now, { game_id: "2016_01_KC_DEN" }, "upstream_unavailable"],
    ["a game of the season to come", now, { game_id: "2025_01_KC_DEN" }, "not_found"],
    ["a team in summer, by a schedule of last year", inSummer, { team: "KC" }, "data_freshness_stale"],
  ]
  for (const [what, at, params, code] of uncarried) {
    it.effect(`is ${code}: ${what}`, () =>
      over((football) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(at)
          assert.strictEqual((yield* Effect.flip(football.fairLine(params))).code, code)
        }),
      ),
    )
  }

  it.effect("is not found in summer when the source was asked and has no schedule of the next season yet", () =>
    over((football) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(inSummer)
        yield* Effect.flatMap(FootballArchive, ({ confirm }) => confirm("games", "games.csv", "all", inSummer))
        assert.deepStrictEqual(refusal(yield* Effect.flip(football.fairLine({ team: "KC" }))), ["not_found", "team"])
      }),
    ),
  )

  const absent: ReadonlyArray<readonly [Parameters<(typeof Football.Service)["fairLine"]>[0], string]> = [
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

  const kickoff = Date.UTC(2024, 8, 22, 17)
  const day = 24 * hour
  const row = "2024_03_LV_KC,2024,REG,3,2024-09-22,13:00"
  const without = gamesText
    .split("\n")
    .filter((line) => !line.startsWith(row))
    .join("\n")
  const fates: ReadonlyArray<readonly [string, string, number, readonly [pending: number, gone: number]]> = [
    ["still on the schedule", gamesText, kickoff - hour, [1, 0]],
    [
      "played, and not scored yet",
      gamesText.replace("LV,,KC,,Home,,,6", "LV,10,KC,20,Home,10,30,6"),
      kickoff + hour,
      [1, 0],
    ],
    ["late by a week", gamesText, kickoff + 7 * day, [1, 0]],
    ["called off", gamesText, kickoff + 14 * day, [0, 1]],
    ["taken off the schedule", without, now + hour, [0, 1]],
    ["moved to another week", gamesText.replace(row, "2024_04_LV_KC,2024,REG,4,2024-09-29,13:00"), now + hour, [0, 1]],
    ["moved to before it was predicted", gamesText.replace(row, row.replace("09-22", "09-16")), now + hour, [0, 1]],
  ]
  for (const [what, text, at, [pending, gone]] of fates) {
    it.effect(`awaits what can still be scored: ${what}`, () =>
      over((football) =>
        Effect.gen(function* () {
          yield* football.fairLine({ game_id: "2024_03_LV_KC" })
          yield* store(text, at)
          yield* TestClock.setTime(at)
          const { results } = yield* football.performance({})
          fits(endpoints.performance, results)
          assert.deepInclude(results.live, { games_pending: pending, games_void: gone, predictions_scored: 0 })
          assert.strictEqual(results.live.status, pending > 0 ? "awaiting_results" : "no_predictions")
        }),
      ),
    )
  }

  it.effect("still awaits a game on which nobody has asked the source since", () =>
    over((football) =>
      Effect.gen(function* () {
        yield* football.fairLine({ game_id: "2024_03_LV_KC" })
        yield* TestClock.setTime(kickoff + 30 * day)
        assert.deepInclude((yield* football.performance({})).results.live, { games_pending: 1, games_void: 0 })
      }),
    ),
  )
})

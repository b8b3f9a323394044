import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { skillDataOf } from "../../../../bench/open/lanes/baseball/data.ts"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { decimals } from "../../../../core/endpoint/Field.ts"
import { round, rounded } from "../../../../core/endpoint/Rounding.ts"
import { fail } from "../../../../core/Failure.ts"
import { Baseball } from "../../../../core/lanes/baseball/Baseball.ts"
import { endpoints } from "../../../../core/lanes/baseball/endpoints.ts"
import { trained } from "../../../../core/lanes/baseball/Model.ts"
import type { ListedGame, PitchedGames } from "../../../../core/lanes/baseball/ports.ts"
import { addDays } from "../../../../core/time.ts"
import { firstPitch, lane, lastSeason, lines, listed, type Seen, type World } from "../../../support/baseball.ts"
import { nine, pitched, pitchedGames, usual } from "../../../support/pitching.ts"

const morning = Date.UTC(2026, 6, 9, 14)

/** Four hours before the first pitch. */
const afternoon = firstPitch - 4 * 3_600_000

const ask = (world: World = {}, seen?: Seen, now = morning) =>
  Effect.zipRight(
    TestClock.setTime(now),
    Effect.flatMap(Baseball, ({ fairOdds }) => fairOdds({ game_pk: listed.gamePk })).pipe(
      Effect.provide(lane(world, seen)),
    ),
  )

const without = (side: "home" | "away"): ListedGame => ({ ...listed, [side]: { ...listed[side], starter: undefined } })

const isResults = Schema.is(endpoints.fairOdds.results, { onExcessProperty: "error" })

/** The published formula, written down again by whoever reads an answer. */
const recomputed = (answer: unknown): number => {
  const { prediction } = JSON.parse(JSON.stringify(answer))
  const { inputs, coefficients, skills } = prediction
  const logit = (p: number) => Math.log(p / (1 - p))
  const era = (side: "home" | "away") => inputs[`${side}_starter_era`] ?? coefficients.league_era
  const runs =
    inputs.home_edge +
    coefficients.pythagorean * (logit(inputs.home_pyth) - logit(inputs.away_pyth)) +
    coefficients.starter_era * (era("away") - era("home"))
  const { skill } = coefficients
  const home = inputs.home_edge === 0 ? 0 : 1
  const z =
    home * skill.constant +
    skill.runs * runs +
    skill.starter_kbb * skills.kbb.starter +
    skill.bullpen_kbb * skills.kbb.bullpen +
    skill.bats_kbb * skills.kbb.bats +
    skill.bullpen_lw * skills.lw.bullpen +
    skill.bats_lw * skills.lw.bats
  const { line_up } = coefficients
  const posted = line_up && z + line_up.line_up * prediction.line_up.difference
  return 1 / (1 + Math.exp(-(posted ?? z)))
}

/** The two teams' games with the line-ups of others than today's. */
const withLineUps: PitchedGames = {
  ...pitchedGames(90),
  games: pitchedGames(90).games.map((game) => ({
    ...game,
    home: { ...game.home, lineUp: nine(8010) },
    away: { ...game.away, lineUp: nine(8110) },
  })),
}

/** Both line-ups are posted, and the home team's batters are the better ones of today. */
const posted: World = {
  lineUps: { home: nine(8001), away: nine(8101) },
  batters: (batter, season) =>
    season < 2026 ? { ...usual, faced: 400, hits: Number(batter) < 8010 ? 140 : 100 } : undefined,
  pitched: withLineUps,
}

const worlds: Readonly<Record<string, World>> = {
  "a game like any other": {},
  "no home starter": { games: [without("home")] },
  "no away starter": { games: [without("away")] },
  "a neutral site": { games: [{ ...listed, neutral: true }] },
  "a season that has not begun": { lines: new Map() },
  "teams that nobody knows": { lines: new Map(), last: new Map(), games: [{ ...listed, type: "E" }] },
  "starters who have never pitched": { pitchers: {} },
  "posted line-ups": posted,
}

describe("fair odds", () => {
  for (const [name, world] of Object.entries(worlds)) {
    it.effect(`can be computed again from the answer alone: ${name}`, () =>
      Effect.gen(function* () {
        const { results, reasoning, citations } = yield* ask(world, undefined, afternoon)
        assert.isTrue(isResults(results), JSON.stringify(results))
        const { win_prob_home, win_prob_away } = results.prediction
        // From inputs that are rounded as they are served.
        assert.approximately(recomputed(results), win_prob_home, 1e-5)
        assert.approximately(win_prob_home + win_prob_away, 1, 1e-12)
        const sum = results.prediction.drivers!.reduce((all, { log_odds }) => all + log_odds, 0)
        assert.approximately(1 / (1 + Math.exp(-sum)), win_prob_home, 2e-6)
        assert.strictEqual(rounded(endpoints.fairOdds, results), results)
        const { inputs, raw } = results.prediction
        for (const side of ["home", "away"] as const) {
          const { starter_innings = 0, starter_earned_runs = 0 } = raw![side]
          const own =
            starter_innings === 0 ? undefined : round((9 * starter_earned_runs) / starter_innings, decimals.points)
          assert.strictEqual(inputs[`${side}_starter_era_raw`], own)
        }
        for (const { step } of citations) assert.isTrue(step >= 1 && step <= reasoning.length)
      }),
    )
  }

  it.effect("regress the inputs from the raw values that the full answer holds", () =>
    Effect.gen(function* () {
      const { inputs, raw } = (yield* ask()).results.prediction
      assert.deepStrictEqual(raw, {
        before: "2026-07-09",
        home: {
          runs: 460,
          runs_allowed: 400,
          last_season_pyth: raw!.home.last_season_pyth!,
          starter_innings: 110,
          starter_earned_runs: 35,
          starter_carried_innings: 40,
          starter_carried_earned_runs: 16,
        },
        away: raw!.away,
      })
      // Parameters as they are published: exponent 1.83, 65 games at half of last season's distance from .5.
      const share = (s: number, a: number) => (s + 1) ** 1.83 / ((s + 1) ** 1.83 + (a + 1) ** 1.83)
      assert.approximately(raw!.home.last_season_pyth!, share(700, 720), 0.51e-6)
      assert.approximately(
        inputs.home_pyth,
        (90 * share(460, 400) + 65 * (0.5 + 0.5 * (share(700, 720) - 0.5))) / 155,
        0.51e-6,
      )
      assert.deepStrictEqual([inputs.home_games, inputs.away_games], [90, 90])
      // 140 innings at .74 above the league, whose mean is that of its teams with 300 games of last season's.
      const league = (0.92 * (400 + 410) + 300 * ((0.92 * (720 + 680)) / 324)) / (180 + 300)
      assert.approximately(
        inputs.home_starter_era!,
        (9 * (35 + 16) + 140 * (league + 0.74)) / (110 + 40 + 140),
        0.51e-4,
      )
    }),
  )

  it.effect("use line-ups once both are posted, name them in the drivers and record their difference", () =>
    Effect.gen(function* () {
      const seen: Seen = { asked: [] }
      const [before, after] = [yield* ask(posted), yield* ask(posted, seen, afternoon)]
      assert.deepStrictEqual(before.results.prediction.line_up, {
        used: false,
        reason: "Line-ups are posted hours before the first pitch",
      })
      const { prediction } = after.results
      assert.isTrue(prediction.line_up!.used)
      const driver = prediction.drivers!.find(({ feature }) => feature === "line-ups")!
      const { line_up } = prediction.coefficients!
      assert.approximately(driver.log_odds, line_up!.line_up * prediction.line_up!.difference!, 1e-4)
      assert.isAbove(prediction.win_prob_home - before.results.prediction.win_prob_home, 0.02)
      const asked = [...nine(8001), ...nine(8010)].sort().join(",")
      assert.includeMembers(seen.asked, ["line-ups/500001", `batters/2026/${asked}`])
      assert.match(after.reasoning.join(" "), /Posted line-ups, .* runs per 1,000 plate appearances/)
      // The recorded inputs are enough to compute it again.
      const { output, inputs } = after.record!
      const again = Baseball.recomputations[endpoints.fairOdds.id]!
      const stored = JSON.parse(inputs((bytes) => bytes).text)
      const recomputing = again({ game_pk: listed.gamePk }, stored, "prediction", after.record!.modelVersion)
      assert.deepStrictEqual(yield* recomputing as Effect.Effect<unknown>, output())
    }),
  )

  it.effect("serve the difference of line-ups that the bench scores", () =>
    Effect.gen(function* () {
      const season = (year: number, player: string, hits: number) => ({
        ...{ season: year, player, counts: { ...usual, faced: 400, hits } },
      })
      const players = [...nine(8001), ...nine(8010), ...nine(8101)]
      const careers = [2023, 2024, 2025].flatMap((year) =>
        players.map((player, at) => season(year, player, 70 + ((7 * at + year) % 60))),
      )
      /** Nine of the team's eighteen, in another order each day. */
      const lineUp = (first: number, at: number) =>
        Array.from({ length: 9 }, (_, place) => String(first + ((5 * place + at) % 18)))
      const logs = Array.from({ length: 20 }, (_, at) => {
        const day = addDays("2026-06-20", at)
        const side = (team: string, first: number) => ({ team, runs: 1, lineUp: lineUp(first, at) })
        const id = `${day.replaceAll("-", "")}/111/0`
        return { ...{ id, season: 2026, day, park: "AAA01" }, home: side("111", 8001), away: side("222", 8101) }
      })
      const scored = skillDataOf({ pitching: [], careers, batters: careers, starters: [] }, logs, 2025)
      const served = yield* ask(
        {
          lineUps: { home: logs.at(-1)!.home.lineUp, away: logs.at(-1)!.away.lineUp },
          batters: (batter, year) => careers.find((row) => row.player === batter && row.season === year)?.counts,
          pitched: {
            ...pitchedGames(0),
            games: [
              ...pitchedGames(70).games,
              ...logs.slice(0, -1).map(({ id, day, home, away }) => {
                const game = pitched(id, day)
                return {
                  ...game,
                  home: { ...game.home, lineUp: home.lineUp },
                  away: { ...game.away, lineUp: away.lineUp },
                }
              }),
            ],
            careers: { of: () => undefined, league: (year) => scored.league.get(year) },
          },
        },
        undefined,
        afternoon,
      )
      const { difference } = served.results.prediction.line_up!
      assert.isAbove(Math.abs(difference!), 1e-3)
      assert.approximately(difference!, scored.lineUps.get(logs.at(-1)!.id)!, 1e-6)
    }),
  )

  const otherwise: ReadonlyArray<readonly [string, World, RegExp, string | undefined]> = [
    ["of one team alone", { lineUps: { home: nine(8001) } }, /No line-up is posted by River Otters/, undefined],
    ["of eight", { lineUps: { home: nine(8001).slice(1), away: nine(8101) } }, /8 of 9 batters/, "line_up_refused"],
    [
      ...(["with a player twice", { lineUps: { home: [...nine(8001).slice(1), "8002"], away: nine(8101) } }] as const),
      ...([/Harbour Gulls: Batter 8002 is in it twice/, "line_up_refused"] as const),
    ],
    ["out of order", { lineUps: { refusal: "No order", home: [], away: nine(11) } }, /^No order$/, "line_up_refused"],
    [
      "of another game",
      { lineUps: { ...posted.lineUps, teams: { home: 111, away: 333 } } },
      /The box score is of teams 333 at 111/,
      "line_up_refused",
    ],
    ["of a source that fails", { lineUps: fail("upstream_unavailable") }, /./, "line_up_unavailable"],
    ["of unknown seasons", { ...posted, batters: fail("upstream_unavailable") }, /./, "line_up_unavailable"],
  ]
  it.effect.each(otherwise)("leave line-ups out %s, say why, and flag what is wrong", ([, world, reason, flag]) =>
    Effect.gen(function* () {
      const usual = yield* ask()
      const { results, unrecorded, record } = yield* ask(world, undefined, afternoon)
      const { win_prob_home, line_up, quality_flags } = results.prediction
      assert.strictEqual(win_prob_home, usual.results.prediction.win_prob_home)
      assert.isFalse(line_up!.used)
      assert.match(line_up!.reason!, reason)
      assert.deepStrictEqual(quality_flags, flag === undefined ? [] : [flag])
      assert.deepStrictEqual([unrecorded === undefined, record !== undefined], [flag === undefined, flag === undefined])
    }),
  )

  it.effect("ask for games before the day of the game, and never for its own", () =>
    Effect.gen(function* () {
      for (const [now, before] of [
        [morning, "2026-07-09"],
        // Three days ahead: what is over by now is all that can be asked for.
        [morning - 3 * 86_400_000, "2026-07-07"],
        // A year later still those of before its first pitch.
        [morning + 365 * 86_400_000, "2026-07-09"],
      ] as const) {
        const seen: Seen = { asked: [] }
        yield* ask({}, seen, now)
        assert.deepStrictEqual(
          seen.asked.sort(),
          [
            "500001",
            `pitcher/7001/2026/${before}`,
            `pitcher/7002/2026/${before}`,
            `pitching/2026/${before}`,
            `teams/2026/${before}`,
            "teams/2025/whole",
            // They are posted on the day of the game.
            ...(now > morning ? ["line-ups/500001"] : []),
          ].sort(),
        )
      }
    }),
  )

  it.effect("say where a starter is unknown, and leave his average out", () =>
    Effect.gen(function* () {
      const { results, reasoning } = yield* ask({ games: [without("home")] })
      const { inputs, quality_flags } = results.prediction
      assert.notProperty(inputs, "home_starter_era")
      assert.property(inputs, "away_starter_era")
      assert.notProperty(results.game.home, "probable_pitcher")
      assert.deepStrictEqual(quality_flags, ["home_starter_unknown"])
      assert.include(reasoning.join(" "), "No starter announced for Harbour Gulls: league-mean ERA")
    }),
  )

  it.effect("have no home edge on neutral ground", () =>
    Effect.gen(function* () {
      const { prediction } = (yield* ask({ games: [{ ...listed, neutral: true }] })).results
      assert.strictEqual(prediction.inputs.home_edge, 0)
      assert.deepStrictEqual(prediction.quality_flags, ["neutral_site"])
      assert.isAbove((yield* ask()).results.prediction.inputs.home_edge, 0)
    }),
  )

  for (const [name, world] of Object.entries({ "with skills": {}, "with line-ups": posted })) {
    it.effect(`have no part of the home field on neutral ground, ${name}`, () =>
      Effect.gen(function* () {
        const homeField = (results: Endpoint.Results<typeof endpoints.fairOdds>) =>
          results.prediction.drivers!.find(({ feature }) => feature === "home field")!.log_odds
        const neutral = yield* ask({ ...world, games: [{ ...listed, neutral: true }] })
        const { extras, results } = yield* ask(world)
        assert.strictEqual(homeField(neutral.results), 0)
        assert.isAbove(homeField(results), 0)
        const { result } = yield* extras!.counterfactual!
        const { win_prob_home } = result as { readonly win_prob_home: number }
        assert.approximately(win_prob_home, neutral.results.prediction.win_prob_home, 1e-6)
      }),
    )
  }
})

describe("the ledger of fair odds", () => {
  it.effect("counts what was captured beside a venue's price, of a game that has not begun", () =>
    Effect.gen(function* () {
      const { results, record } = yield* ask()
      // Until it is bought, and where no venue lists the game.
      assert.strictEqual(results.ledger.snapshots_recorded, 0)
      assert.strictEqual(record!.recorded!(2).ledger.snapshots_recorded, 2)
      const winProbHome = rounded(endpoints.fairOdds, results).prediction.win_prob_home
      assert.deepStrictEqual(record!.output(), { win_prob_home: winProbHome })
      assert.deepInclude(record, {
        lane: "baseball",
        endpoint: "mlb_fair_odds",
        subject: { _tag: "Game", id: "500001" },
        modelVersion: results.prediction.model_version,
        at: morning,
        params: { game_pk: 500_001 },
        closeTime: firstPitch,
      })
    }),
  )

  it.effect("takes nothing of a game that has begun, is over or is not played", () =>
    Effect.gen(function* () {
      const before = (yield* ask()).results.prediction
      for (const [game, now] of [
        [listed, firstPitch],
        [{ ...listed, phase: "live", state: "In Progress" }, firstPitch - 1],
        [
          {
            ...listed,
            phase: "over",
            state: "Final",
            home: { ...listed.home, wins: 51 },
            away: { ...listed.away, losses: 46 },
          },
          firstPitch + 1e7,
        ],
        [{ ...listed, phase: "off", state: "Postponed" }, morning],
      ] as const) {
        const { results, reasoning, record } = yield* ask({ games: [game], fetchedAt: now }, { asked: [] }, now)
        assert.deepStrictEqual([record, results.ledger.snapshots_recorded], [undefined, 0], game.state)
        assert.deepStrictEqual(results.prediction.inputs, before.inputs)
        assert.isAtMost(Date.parse(results.prediction.as_of!), firstPitch)
        if (game.phase !== "off") assert.match(reasoning.at(-1)!, /^Game started/)
      }
    }),
  )
})

describe("what fair odds refuse", () => {
  const cases: ReadonlyArray<readonly [name: string, world: World, code: string]> = [
    ["an id that no game has", { games: [] }, "not_found"],
    ["a listing that cannot be read", { games: [], unreadable: 1 }, "upstream_unavailable"],
    [
      "standings that hold games of a later day",
      { lines: new Map([...lines, [111, { games: 92, scored: 1, allowed: 1 }]]) },
      "upstream_unavailable",
    ],
    [
      "standings that hold the game itself",
      {
        games: [{ ...listed, phase: "over", state: "Final" }],
        lines: new Map([...lines, [222, { games: 90, scored: 1, allowed: 1 }]]),
      },
      "upstream_unavailable",
    ],
  ]
  for (const [name, world, code] of cases) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(ask(world))
        assert.strictEqual(failure.code, code)
        if (code === "not_found")
          assert.deepStrictEqual(
            failure.hints?.map(({ field }) => field),
            ["game_pk"],
          )
      }),
    )
  }
})

describe("what stands beside fair odds", () => {
  const scoreOf = (world: World, now = morning) =>
    Effect.map(ask(world, undefined, now), ({ confidence }) => confidence.score)

  it.effect("is a confidence that falls with everything that is missing", () =>
    Effect.gen(function* () {
      // As the model publishes it: the market's close is ahead.
      const { brier_model, brier_market, games } = trained.backtest.overall
      const { score, factors } = (yield* ask({}, undefined, firstPitch)).confidence
      assert.isBelow(brier_market, brier_model)
      assert.strictEqual(score, Math.round((90 * brier_market) / brier_model) / 100)
      assert.strictEqual(
        factors.at(-1),
        `backtest Brier ${brier_model.toFixed(4)}, market close ${brier_market.toFixed(4)} (${games} games): ×${(brier_market / brier_model).toFixed(2)}`,
      )
      const base = yield* scoreOf({})
      for (const world of [
        { games: [without("home")] },
        { lines: new Map([...lines, [111, { games: 10, scored: 50, allowed: 40 }]]) },
        { stale: true },
        { games: [{ ...listed, type: "S" }] },
        { lines: new Map(), last: new Map([...lastSeason].slice(1)) },
      ]) {
        assert.isBelow(yield* scoreOf(world), base, JSON.stringify(world))
      }
      assert.isBelow(yield* scoreOf({}, morning - 5 * 86_400_000), base)
    }),
  )

  it.effect("is the same model with one thing changed, and follow-up calls that exist", () =>
    Effect.gen(function* () {
      const { extras, results } = yield* ask()
      const { input, from, to, result, delta } = yield* extras!.counterfactual!
      const { win_prob_home, inputs } = results.prediction
      assert.deepStrictEqual([input, from, to], ["home_edge", inputs.home_edge, 0])
      const other = (result as { readonly win_prob_home: number }).win_prob_home
      assert.isBelow(other, win_prob_home)
      assert.approximately((delta as { readonly win_prob_home: number }).win_prob_home, other - win_prob_home, 2e-6)
      const changed = { prediction: { ...results.prediction, inputs: { ...inputs, home_edge: 0 } } }
      assert.approximately(recomputed(changed), other, 1e-5)
      const [alone] = yield* extras!.alternatives!
      assert.strictEqual(alone?.id, "teams-alone")
      assert.deepStrictEqual(
        extras!.suggestions?.map(({ endpoint }) => endpoint),
        ["mlb_games", "mlb_performance"],
      )
    }),
  )
})

// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what the wire brought
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { notShown, type Row, row } from "./app.ts"
import { countsRows, nextGame, settled, settlement, under } from "./calls.ts"
import { has } from "./fields.ts"

/** The fields of the answers of baseball, crypto and markets. */
export const moreResources: ReadonlyArray<Row> = [
  row(
    "Slate (from `/v1/mlb/games`): `results.date`, `count`, `games[]` with `gamePk` integer, `game_date_utc` timestamp (UTC, `Z`), `state` string, `double_header` string, `game_number` integer, `venue` string, `home` and `away` objects (`team_id` integer, `name`, `record` string like W-L, `probable_pitcher` string, `probable_pitcher_id` integer).",
    async ({ results }) => {
      const found = await results("/v1/mlb/games")
      assert.strictEqual(found.count, found.games.length)
      const sides = (names: string) => `${under("games[].home", names)} ${under("games[].away", names)}`
      has(found, {
        date: "date",
        integer: `games[].gamePk games[].game_number ${sides("team_id")}`,
        instant: "games[].game_date_utc",
        string: `${under("games[]", "state double_header venue")} ${sides("name record")}`,
        "string?": sides("probable_pitcher"),
        "integer?": sides("probable_pitcher_id"),
      })
      for (const { game_date_utc, home } of found.games) {
        assert.match(game_date_utc, /Z$/)
        assert.match(home.record, /^\d+-\d+$/)
      }
    },
  ),
  row(
    "Fair odds (from `/v1/mlb/fair-odds`): `results.game` (`gamePk`, `state`, `venue`, `home`/`away` with `name`, `record`, `probable_pitcher`), `prediction` (`model_version`, `win_prob_home`, `win_prob_away`, `inputs` {`home_pyth`, `away_pyth`, `home_games`, `away_games`, `home_starter_era`, `away_starter_era`, `home_edge`}), `ledger` (`snapshots_recorded` integer: whether this call was captured beside the venue price for public scoring).",
    async (app) => {
      const found = await app.results(`/v1/mlb/fair-odds?game_pk=${await nextGame(app)}`)
      has(found, {
        integer: "game.gamePk prediction.inputs.home_games prediction.inputs.away_games ledger.snapshots_recorded",
        string: `${under("game", "state venue home.name home.record away.name away.record")} prediction.model_version`,
        probability: `${under("prediction", "win_prob_home win_prob_away")} ${under("prediction.inputs", "home_pyth away_pyth")}`,
        number: "prediction.inputs.home_edge",
      })
      const {
        game,
        prediction: { inputs },
      } = found
      for (const side of ["home", "away"]) {
        // A starter who is not announced has no name and no earned runs.
        assert.strictEqual(`${side}_starter_era` in inputs, "probable_pitcher" in game[side])
      }
      const [announced] = (await app.results("/v1/mlb/games")).games
      const { prediction } = await app.results(`/v1/mlb/fair-odds?game_pk=${announced.gamePk}`)
      has(prediction, { number: "inputs.home_starter_era inputs.away_starter_era" })
    },
  ),
  row(
    "Baseball track record (from `/v1/mlb/performance`, no envelope): `model_version`, `backtest.overall` (`games`, `accuracy`, `brier_model`, `brier_market`, `accuracy_market`, `bets`, `wins`, `losses`, `hit_rate`, `units`, `roi`), `attribution` (string; data-source attribution included by licence).",
    async ({ open }) => {
      const found = await open("/v1/mlb/performance")
      has(found, {
        string: "model_version attribution",
        integer: under("backtest.overall", "games bets wins losses"),
        number: under("backtest.overall", "accuracy brier_model brier_market accuracy_market hit_rate units roi"),
      })
      assert.include(found.attribution, "Retrosheet")
    },
  ),
  row(
    "Spot (from `/v1/crypto/spot`): `results.asset`, `spot` number, `realized_vol` (`sigma_1h` one-hour log-return sigma from the last 120 one-minute closes; `expected_move_1h_usd`; `annualized_est`; `window` string), `tape` (`source` string, `last_candle_age_s` number seconds, `stale` boolean, true when the last candle is old).",
    async ({ results }) =>
      has(await results("/v1/crypto/spot"), {
        string: "asset realized_vol.window tape.source",
        number:
          "spot realized_vol.sigma_1h realized_vol.expected_move_1h_usd realized_vol.annualized_est tape.last_candle_age_s",
        boolean: "tape.stale",
      }),
  ),
  row(
    "Signal (from `/v1/crypto/signal`): `results.asset`, `spot`, `horizon_minutes` integer, `sigma_ln`, `expected_move_1sd_usd` (same volatility in two units), `annualized_vol_est`, `p_above[]` of `{strike: number, p_above: number}` (probability spot is above the strike at the horizon), `market_note` string.",
    async ({ results }) => {
      const found = await results("/v1/crypto/signal")
      has(found, {
        string: "asset market_note",
        integer: "horizon_minutes",
        number: "spot sigma_ln expected_move_1sd_usd annualized_vol_est p_above[].strike",
        probability: "p_above[].p_above",
      })
      assert.approximately(found.expected_move_1sd_usd, found.spot * found.sigma_ln, 0.5)
      const chances = found.p_above.map(({ p_above }: any) => p_above)
      assert.deepStrictEqual(
        chances,
        chances.toSorted((a: number, b: number) => b - a),
      )
    },
  ),
  row(
    "Edge row (`/v1/markets/edge`): `results.count`, `actionable_count`, `min_edge_threshold` (number, 0.05), `edges[]` with `venue`, `market`, `title`, `instrument`, `model_prob`, `market_prob`, `edge` (model probability minus market probability), `side` (`yes` seen), `actionable` boolean, `yes_ask`, `close_time` (ISO 8601 with offset), `model_version`.",
    async ({ results }) => {
      const found = await results("/v1/markets/edge")
      has(found, {
        integer: "count actionable_count",
        string: under("edges[]", "venue market title instrument side model_version"),
        probability: under("edges[]", "model_prob market_prob yes_ask"),
        number: "edges[].edge",
        boolean: "edges[].actionable",
        instant: "edges[].close_time",
      })
      assert.strictEqual(found.min_edge_threshold, 0.05)
      assert.isTrue(found.edges.some(({ side }: any) => side === "yes"))
      for (const { edge, model_prob, market_prob } of found.edges) {
        assert.approximately(edge, model_prob - market_prob, 2e-6)
      }
    },
  ),
  row(
    "Settled row (`/v1/markets/settled`, plain JSON): top level `domain`, `count`, `rows[]`, `next_before` (ISO 8601 close time), `methodology` (string).",
    async ({ open }) => {
      const found = await open(settled)
      has(found, { string: "domain methodology", integer: "count", array: "rows", instant: "next_before" })
      assert.strictEqual(found.count, found.rows.length)
    },
  ),
  row(
    "Row: `venue`, `series`, `market_ticker`, `title`, `instrument`, `strike_type` (for example `between`), `floor_strike`, `cap_strike` (numbers), `yes_bid`, `yes_ask`, `no_ask`, `market_prob`, `model_prob` (numbers 0..1), `model_version`, `close_time`, `captured_at` (ISO 8601 with offset), `result` (`yes` or `no`).",
    async ({ open }) => {
      for (const domain of ["weather", "crypto"]) {
        const { rows } = await open(`/v1/markets/settled?limit=500&domain=${domain}`)
        has(rows, {
          string:
            "[].venue [].series [].market_ticker [].title [].instrument [].strike_type [].model_version [].result",
          "number?": "[].floor_strike",
          probability: "[].market_prob [].model_prob",
          "probability?": "[].yes_bid [].yes_ask [].no_ask",
          instant: "[].close_time [].captured_at",
        })
        for (const { result } of rows) assert.include(["yes", "no"], result)
        const between = rows.filter(({ strike_type }: any) => strike_type === "between")
        if (domain === "weather") has(between, { number: "[].floor_strike [].cap_strike" })
      }
    },
  ),
  row(
    "The row chosen per market is the last capture before close; the venue's own result is the outcome.",
    async ({ open }) => {
      const { rows, methodology } = await open(settled)
      assert.match(methodology, /^One row per market: the last capture before/)
      assert.lengthOf(new Set(rows.map(({ market_ticker }: any) => market_ticker)), rows.length)
      for (const { captured_at, close_time } of rows) assert.isBelow(Date.parse(captured_at), Date.parse(close_time))
    },
  ),
  row(
    "Scoreboard (`/v1/markets/performance`, plain JSON): `as_of` timestamp; `overall` and `contested` (`markets_scored`, `brier_model`, `brier_market`, `model_beats_market` boolean); `domains` map with keys `weather`, `nfl`, `mlb`, `crypto` (each `markets_scored`, plus `brier_model` and `brier_market` when scored count is above 0); `hypothetical` (`trades`, `wins`, `losses`, `pnl_after_fees`, `roi_after_fees`; flat 1 USD ledger at captured asks with venue fees applied, no orders placed); `live` (`open_tracked`, `awaiting_settlement`).",
    async ({ open }) => {
      const found = await open("/v1/markets/performance")
      const scores = (at: string) => under(at, "brier_model brier_market")
      has(found, {
        instant: "as_of",
        integer: `overall.markets_scored contested.markets_scored ${under("hypothetical", "trades wins losses")} live.open_tracked live.awaiting_settlement`,
        number: `${scores("overall")} ${scores("contested")} hypothetical.pnl_after_fees hypothetical.roi_after_fees`,
        boolean: "overall.model_beats_market contested.model_beats_market",
      })
      assert.sameMembers(Object.keys(found.domains), ["weather", "nfl", "mlb", "crypto"])
      for (const domain of Object.values<any>(found.domains)) {
        has(domain, {
          integer: "markets_scored",
          ...(domain.markets_scored > 0 && { number: "brier_model brier_market" }),
        })
      }
      const { trades, wins, losses } = found.hypothetical
      assert.strictEqual(wins + losses, trades)
    },
  ),
  row("`contested` restricts to strikes the venue priced between 5% and 95%.", countsRows),
  row("Lower Brier is better.", async ({ open }) => {
    const { overall } = await open("/v1/markets/performance")
    assert.strictEqual(overall.model_beats_market, overall.brier_model < overall.brier_market)
  }),
  row(
    "Agent: a per-agent key has its own monthly cap, budget cap and audit trail.",
    async ({ customer, results: _, get, run }) => {
      const key = await customer("fund", 100_000)
      assert.strictEqual((await get(settlement, key)).status, 200)
      const agent = await run(
        Effect.flatMap(Agents, (agents) =>
          Effect.gen(function* () {
            const { id } = yield* agents.create("fund", "buyer", {
              monthlyCap: MicroUsd(9_000),
              budgetCap: MicroUsd(20_000),
            })
            return yield* agents.get(id)
          }),
        ),
      )
      assert.deepStrictEqual([agent.agent.monthlyCap, agent.agent.budgetCap], [9_000, 20_000])
      assert.deepStrictEqual(await run(Effect.flatMap(Agents, (agents) => agents.audit(agent.agent.id, 10))), [])
    },
  ),
  ...notShown(
    "Element fields of `alerts[]` and the full vocabulary of `risk_flags`: not shown.",
    "The range of degree keys in `pmf` and `ge`: not shown beyond a window around the projected high.",
    "Fields beyond that: not shown.",
  ),
]

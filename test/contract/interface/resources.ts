// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what the wire brought
import { assert } from "@effect/vitest"
import { type Row, row, season } from "./app.ts"
import {
  candidates,
  fairLine,
  forecast,
  history,
  injuries,
  quarterback,
  settlement,
  signal,
  slate,
  summary,
  under,
} from "./calls.ts"
import { has } from "./fields.ts"

/** The fields of the answers of weather and football. */
export const resources: ReadonlyArray<Row> = [
  row(
    "Station (from `/v1/weather/stations`): `id` (string), `name`, `city`, `state`, `tz` (IANA time zone), `cli_product` (string, official report product name), `settles` (object: `venue_high_series` string or null, `venue_low_series` string or null, `polymarket`-style third field `polymarket` string or null), `coordinates` (`lat`, `lon` numbers).",
    async ({ results }) =>
      has(await results("/v1/weather/stations"), {
        string: `${under("stations[]", summary)}`,
        "string|null": under("stations[].settles", "venue_high_series venue_low_series polymarket"),
        number: under("stations[].coordinates", "lat lon"),
      }),
  ),
  row(
    "Response wrapper: `results.stations` (array, 9 stations) and `results.count` (integer).",
    async ({ results }) => {
      const { stations, count } = await results("/v1/weather/stations")
      assert.deepStrictEqual([stations.length, count], [9, 9])
    },
  ),
  row(
    "The series mapping is reference only; the venue's daily temperature series settle on a different source than this service carries.",
    async ({ results }) => {
      const { settlement_basis } = await results(`${signal}&verbose=true`)
      assert.notStrictEqual(settlement_basis.model_source, settlement_basis.venue_source)
      assert.isFalse(settlement_basis.same)
    },
  ),
  row(
    "Station summary (inside settlement responses): `id`, `name`, `city`, `state`, `tz`, `cli_product`.",
    async ({ results }) => {
      for (const path of [settlement, history]) {
        const { station } = await results(path)
        assert.deepStrictEqual(Object.keys(station), summary.split(" "))
        has(station, { string: summary })
      }
    },
  ),
  row(
    "Settlement day (from `/v1/weather/settlement`): `results.station` (station summary) and `results.settlement` with:",
    async ({ results }) => has(await results(settlement), { object: "station settlement" }),
  ),
  row(
    "The sample carries `_citations` with two steps (archive, then the report itself) and `_confidence` with label `settlement`.",
    async ({ ask }) => {
      const { _citations, _confidence } = (await ask(settlement)).json
      assert.deepStrictEqual(
        _citations.map(({ step, source }: any) => [step, source]),
        [
          [1, "climate report archive"],
          [2, "mock daily climate report"],
        ],
      )
      assert.strictEqual(_confidence.label, "settlement")
    },
  ),
  row("The report may be corrected the same day.", async ({ ask }) =>
    assert.match((await ask(settlement)).json._reasoning.join(" "), /final report, revision \d/),
  ),
  row(
    "History (from `/v1/weather/settlement/history`): `results.station`, `start`, `end` (dates), `count` (integer), `days` (array of rows in the single-day settlement shape, one per climate day), `coverage` (`first`, `last`: date or null; how far back the store goes for that station).",
    async ({ results }) => {
      const { days, count, ...rest } = await results(history)
      assert.deepStrictEqual([count, days.length], [3, 3])
      has(rest, { object: "station", date: "start end", "date|null": "coverage.first coverage.last" })
      assert.deepStrictEqual(
        days.map(({ day }: any) => day),
        ["2025-01-01", "2025-01-02", "2025-01-03"],
      )
      const { settlement: single } = await results(`${settlement}&day=2025-01-02`)
      assert.deepStrictEqual(days[1], single)
    },
  ),
  row(
    "Forecast (from `/v1/weather/forecast`): `results.location` (`lat`, `lon` numbers, `name` string, `grid` {`office` string, `x` integer, `y` integer}, `timezone` string), `generated_at` (local timestamp without offset), `granularity` (string; `12h` for 12-hour periods), `periods` (array), `alerts` (array), `risk_flags` (array of strings, for example a high-wind flag).",
    async ({ results }) =>
      has(await results(forecast), {
        number: "location.lat location.lon",
        string: "location.name location.grid.office location.timezone granularity risk_flags[]",
        integer: "location.grid.x location.grid.y",
        local: "generated_at",
        array: "periods alerts risk_flags",
      }),
  ),
  row(
    "Period: `name` string, `start`, `end` (local timestamps), `is_day` boolean, `temp_f` integer, `precip_pct` integer, `wind_mph_max` integer, `wind_dir` string, `summary` string.",
    async ({ results }) => {
      const { granularity, periods } = await results(forecast)
      assert.strictEqual(granularity, "12h")
      has(periods, {
        string: "[].name [].wind_dir [].summary",
        local: "[].start [].end",
        boolean: "[].is_day",
        integer: "[].temp_f [].precip_pct [].wind_mph_max",
      })
    },
  ),
  row(
    "Temperature distribution (from `/v1/weather/signal`): `results.target_day` (date), `projection` (`high_f` number, `low_f` number, `peak_time_utc` ISO 8601 timestamp with offset, `hours_covered` integer), `uncertainty` (`sigma_f` number, widens with `lead_days`; `lead_days` number; `calibration` string), `probabilities` (`pmf` and `ge`: each a map from integer-degree key string to probability number), `market_note` (string).",
    async ({ results }) => {
      const found = await results(signal)
      has(found, {
        date: "target_day",
        number: "projection.high_f projection.low_f uncertainty.sigma_f uncertainty.lead_days",
        instant: "projection.peak_time_utc",
        integer: "projection.hours_covered",
        string: "uncertainty.calibration market_note",
        probability: "probabilities.pmf{} probabilities.ge{}",
      })
      const { pmf, ge } = found.probabilities
      assert.deepStrictEqual(Object.keys(pmf), Object.keys(ge))
      for (const key of Object.keys(pmf)) assert.match(key, /^-?\d+$/)
    },
  ),
  row("`_confidence` label `reasoned`.", async ({ ask }) =>
    assert.strictEqual((await ask(signal)).json._confidence.label, "reasoned"),
  ),
  row(
    "Game (from `/v1/nfl/games`): `results.count` integer, `results.games[]` with `game_id` (string, format `<season>_<week 2 digits>_<away>_<home>`, the league-data id), `season` integer, `week` integer, `game_type` string (`REG` seen), `gameday` date, `kickoff_local` string HH:MM, `home_team`, `away_team` (team codes), `home_score`, `away_score`, `result`, `total` (numbers; null until final), `market` (`spread_line` number, `total_line` number, `home_moneyline` integer, `away_moneyline` integer), `rest` (`home`, `away` integers, days), `roof` string, `surface` string, `qbs` (`home`, `away` strings), `stadium` string.",
    async ({ results }) => {
      const { count, games } = await results(slate)
      assert.strictEqual(count, games.length)
      has(games, {
        string: "[].game_id [].game_type [].home_team [].away_team [].roof [].surface [].stadium",
        "string?": "[].kickoff_local [].qbs.home [].qbs.away",
        integer: "[].season [].week [].rest.home [].rest.away",
        "integer?": "[].market.home_moneyline [].market.away_moneyline",
        date: "[].gameday",
        "number|null": "[].home_score [].away_score [].result [].total",
        "number?": "[].market.spread_line [].market.total_line",
      })
      for (const { game_id, season: of, week, away_team, home_team, kickoff_local = "00:00", game_type } of games) {
        assert.strictEqual(game_id, `${of}_${String(week).padStart(2, "0")}_${away_team}_${home_team}`)
        assert.match(kickoff_local, /^\d\d:\d\d$/)
        assert.strictEqual(game_type, "REG")
      }
    },
  ),
  row(
    "Quarterback lines (from `/v1/nfl/qb`): `results.player` string, `player_id` string (GSIS id), `team`, `aggregates` (sums over returned weeks: `weeks`, `completions`, `attempts`, `passing_yards`, `passing_tds`, `interceptions`, `sacks_suffered` integers; `epa_per_week`, `cpoe_mean` numbers), `weeks[]` (`season`, `week`, `player_id`, `player_name`, `team`, `opponent`, `completions`, `attempts`, `passing_yards`, `passing_tds`, `interceptions`, `sacks_suffered`, `passing_epa`, `cpoe`, `rushing_yards`, `rushing_tds`).",
    async ({ results }) => {
      const counts = "completions attempts passing_yards passing_tds interceptions sacks_suffered"
      const found = await results(quarterback)
      has(found, {
        string: `player player_id team ${under("weeks[]", "player_id player_name team opponent")}`,
        integer: `${under("aggregates", `weeks ${counts}`)} ${under("weeks[]", `season week ${counts} rushing_yards rushing_tds`)}`,
        number: under("aggregates", "epa_per_week cpoe_mean"),
        "number?": under("weeks[]", "passing_epa cpoe"),
      })
      assert.match(found.player_id, /^\d\d-\d{7}$/)
      assert.strictEqual(found.aggregates.weeks, found.weeks.length)
      for (const name of counts.split(" ")) {
        assert.strictEqual(
          found.aggregates[name],
          found.weeks.reduce((sum: number, week: any) => sum + week[name], 0),
          name,
        )
      }
    },
  ),
  row(
    "An ambiguous name returns candidates instead of a single player; the candidate element shape: not shown.",
    candidates,
  ),
  row(
    "Injuries (from `/v1/nfl/injuries`): `results.team`, `season` integer, `week` integer or null, `current_season` integer, `is_current_season` boolean, `report` (`count` integer, `by_status` object, `players` array; official in-season practice and game-status rows), `reserve_list` (`as_of_week` integer, `count` integer, `players[]` with `player`, `gsis_id`, `position`, `status`, `designation`; year-round IR, PUP, suspension list).",
    async ({ results }) => {
      const found = await results(injuries)
      has(found, {
        string: `team ${under("reserve_list.players[]", "player gsis_id position status designation")}`,
        integer: "season current_season report.count reserve_list.as_of_week reserve_list.count",
        "integer|null": "week",
        boolean: "is_current_season",
        object: "report.by_status",
        array: "report.players reserve_list.players",
      })
      assert.deepStrictEqual([found.season, found.is_current_season], [season, true])
      assert.strictEqual(found.report.count, found.report.players.length)
      assert.strictEqual(found.reserve_list.count, found.reserve_list.players.length)
    },
  ),
  row("Answers are built only from rows of the requested season.", async ({ results }) => {
    const [current, before] = [await results(injuries), await results(`${injuries}&season=${season - 1}`)]
    assert.deepStrictEqual([before.season, before.is_current_season], [season - 1, false])
    assert.notDeepEqual(before.report, current.report)
    for (const { week } of current.report.players) assert.isAtMost(week, current.week)
  }),
  row(
    "Top 100 (from `/v1/nfl/top100`): `results.season`, `count`, `players[]` with `rank` integer, `player_name`, `team`, `position`.",
    async ({ results }) => {
      const { season: of, count, players } = await results("/v1/nfl/top100")
      assert.deepStrictEqual([of, count, players.length], [season, 100, 100])
      has(players, { integer: "[].rank", string: "[].player_name [].team [].position" })
    },
  ),
  row(
    "Fair line (from `/v1/nfl/fair-line`): `results.game` (game summary: `game_id`, `season`, `week`, `gameday`, `home_team`, `away_team`, `roof`, `surface`, `qbs`, `stadium`), `prediction` (`model_version` string; `fair_line` {`home_margin`, `spread` (from the home side), `total`, `win_prob_home`, `win_prob_away`, `sigma_margin`: numbers}; `market` {`spread_line`, `total_line`}; `edge` {`spread_points` number, `side` string `home` or away side, `total_points` number, `ou` string `over`/`under`}; `drivers[]` of `{feature: string, points: number}`, the features that moved the number most), `form_games_used` (`home`, `away` integers), `retrospective` boolean, `recorded_to_track_record` boolean.",
    async ({ results }) => {
      const found = await results(fairLine)
      has(found, {
        string: `${under("game", "game_id home_team away_team roof surface qbs.home qbs.away stadium")} prediction.model_version prediction.edge.side prediction.edge.ou prediction.drivers[].feature`,
        integer: "game.season game.week form_games_used.home form_games_used.away",
        date: "game.gameday",
        number: `${under("prediction.fair_line", "home_margin spread total sigma_margin")} prediction.market.spread_line prediction.market.total_line prediction.edge.spread_points prediction.edge.total_points prediction.drivers[].points`,
        probability: under("prediction.fair_line", "win_prob_home win_prob_away"),
        boolean: "retrospective recorded_to_track_record",
      })
      const { fair_line, edge } = found.prediction
      assert.strictEqual(fair_line.spread, -fair_line.home_margin)
      assert.include(["home", "away"], edge.side)
      assert.include(["over", "under"], edge.ou)
    },
  ),
  row(
    "Football track record (from `/v1/nfl/performance`, no envelope): `model_version`, `trained_at` (date), `backtest_holdout` (`games` integer 570; `spread` {`mae_model`, `mae_market`, `su_accuracy_model`, `su_accuracy_market`, `ats_breakeven`}; `total` {`mae_model`, `mae_market`}; `moneyline` {`games_priced`, `brier_model_wp`, `brier_market_devig`}), `live` (`predictions_scored` integer, `games_pending` integer, `status` string).",
    async ({ open }) => {
      const found = await open("/v1/nfl/performance")
      has(found, {
        string: "model_version live.status",
        date: "trained_at",
        integer:
          "backtest_holdout.games backtest_holdout.moneyline.games_priced live.predictions_scored live.games_pending",
        number: `${under("backtest_holdout.spread", "mae_model mae_market su_accuracy_model su_accuracy_market ats_breakeven")} ${under("backtest_holdout", "total.mae_model total.mae_market moneyline.brier_model_wp moneyline.brier_market_devig")}`,
      })
      assert.strictEqual(found.backtest_holdout.games, 570)
    },
  ),
]

import { assert, describe, it } from "@effect/vitest"
import * as Select from "../../../core/endpoint/Select.ts"
import { catalogue } from "../../../core/lanes/all.ts"

const homeWin = "venue market market_prob side pooled_prob pool_weight expected_gain quoted_at"

describe("the slim shape", () => {
  const reaches = (mask: Select.Mask | undefined, [name, ...rest]: ReadonlyArray<string>): boolean =>
    mask === "all" || name === undefined ? mask !== undefined : reaches(mask?.fields.get(name) ?? mask?.each, rest)

  const split = (id: string) => {
    const { paths, slim } = Select.compile(catalogue.byId.get(id)!.endpoint.results)
    const inside = paths.filter((path) => reaches(slim, path.split(".")))
    return { slim: inside, verbose: paths.filter((path) => !inside.includes(path)) }
  }

  const under = (prefix: string, names: string) => names.split(" ").map((name) => `${prefix}.${name}`)

  it("nfl_games: the fields of the specification, in its order", () => {
    const { slim, verbose } = split("nfl_games")
    assert.deepStrictEqual(slim, [
      "count",
      "games",
      ...under("games", "game_id season week game_type gameday kickoff_local home_team away_team"),
      ...under("games", "home_score away_score result total market"),
      ...under("games.market", "spread_line total_line home_moneyline away_moneyline"),
      ...under("games", "rest rest.home rest.away roof surface qbs qbs.home qbs.away stadium neutral"),
    ])
    assert.deepStrictEqual(verbose, under("games", "source fetched_at quality_flags"))
  })

  it("nfl_qb: one player or candidates", () => {
    const { slim, verbose } = split("nfl_qb")
    const sums = "completions attempts passing_yards passing_tds interceptions sacks_suffered"
    assert.sameMembers(
      [...slim],
      [
        ...["player", "player_id", "team", "aggregates", "weeks", "ambiguous", "query", "candidates"],
        ...under("aggregates", `weeks ${sums} epa_per_week cpoe_mean`),
        ...under("weeks", `season week player_id player_name team opponent ${sums}`),
        ...under("weeks", "passing_epa cpoe rushing_yards rushing_tds"),
        ...under("candidates", "player_id player team position first_season last_season attempts"),
      ],
    )
    assert.deepStrictEqual(verbose, ["quality_flags", "source", "fetched_at"])
  })

  it("nfl_injuries", () => {
    const { slim, verbose } = split("nfl_injuries")
    assert.sameMembers(
      [...slim],
      [
        ...["team", "season", "week", "current_season", "is_current_season", "report", "reserve_list"],
        ...under("report", "count by_status players"),
        ...under("report.players", "player gsis_id position week report_status practice_status injury"),
        ...under("reserve_list", "as_of_week count players"),
        ...under("reserve_list.players", "player gsis_id position status designation"),
      ],
    )
    assert.sameMembers([...verbose], ["report.quality_flags", "source", "fetched_at"])
  })

  it("nfl_fair_line", () => {
    const { slim, verbose } = split("nfl_fair_line")
    assert.sameMembers(
      [...slim],
      [
        ...["game", "prediction", "form_games_used", "retrospective", "recorded_to_track_record"],
        ...under(
          "game",
          "game_id season week gameday home_team away_team roof surface qbs qbs.home qbs.away stadium neutral",
        ),
        ...under(
          "prediction",
          "model_version fair_line market market.spread_line market.total_line edge at_posted drivers",
        ),
        ...under("prediction.fair_line", "home_margin spread total win_prob_home win_prob_away sigma_margin"),
        ...under("prediction.edge", "spread_points side total_points ou"),
        ...under("prediction.at_posted", "home_cover_prob away_cover_prob spread_push_prob"),
        ...under("prediction.at_posted", "over_prob under_prob total_push_prob"),
        ...under("prediction.drivers", "feature points"),
        ...under("form_games_used", "home away"),
        ...["home_win", ...under("home_win", homeWin)],
      ],
    )
    assert.sameMembers(
      [...verbose],
      [
        ...under("prediction", "fair_line.median_margin fair_line.sigma_total as_of inputs_hash quality_flags"),
        ...["margin_distribution", "total_distribution"].flatMap((name) =>
          under("prediction", `${name} ${name}.from ${name}.pmf`),
        ),
      ],
    )
  })

  it("mlb_games", () => {
    const { slim, verbose } = split("mlb_games")
    const side = "team_id name record probable_pitcher probable_pitcher_id"
    assert.sameMembers(
      [...slim],
      [
        ...["date", "count", "games"],
        ...under("games", "gamePk game_date_utc state double_header game_number venue home away"),
        ...under("games.home", side),
        ...under("games.away", side),
      ],
    )
    assert.sameMembers([...verbose], under("games", "official_date source fetched_at"))
  })

  it("mlb_fair_odds", () => {
    const { slim } = split("mlb_fair_odds")
    assert.sameMembers(
      [...slim],
      [
        ...["game", "prediction", "ledger", "ledger.snapshots_recorded"],
        ...["home_win", ...under("home_win", homeWin)],
        ...under("game", "gamePk state venue home away"),
        ...under("game.home", "name record probable_pitcher"),
        ...under("game.away", "name record probable_pitcher"),
        ...under("prediction", "model_version win_prob_home win_prob_away inputs"),
        ...under("prediction.inputs", "home_pyth away_pyth home_games away_games"),
        ...under("prediction.inputs", "home_starter_era away_starter_era home_edge"),
        // In addition to the specification's: the two above are shrunk.
        ...under("prediction.inputs", "home_starter_era_raw away_starter_era_raw"),
      ],
    )
  })

  it("crypto_signal: the raw 120-close figures are verbose", () => {
    const { slim, verbose } = split("crypto_signal")
    assert.deepStrictEqual(slim, [
      ...["asset", "spot", "horizon_minutes", "sigma_ln", "expected_move_1sd_usd", "annualized_vol_est"],
      ...["p_above", "p_above.strike", "p_above.p_above", "market_note"],
    ])
    assert.includeMembers([...verbose], ["realized_vol.sigma_1h", "settlement_basis.same", "quality_flags"])
    assert.deepStrictEqual(split("crypto_spot").verbose, [])
  })

  it("markets_edge", () => {
    const { slim, verbose } = split("markets_edge")
    assert.deepStrictEqual(slim, [
      ...["count", "actionable_count", "min_edge_threshold", "source_disagreement"],
      ...under("source_disagreement", "domain compared disagreed"),
      ...["edges"],
      ...under("edges", "venue market title instrument subject signal_url"),
      ...under("edges", "model_prob market_prob edge side fee_per_contract edge_after_fee"),
      ...under("edges", "pooled_prob pool_weight expected_gain actionable"),
      ...under("edges", "ask_size spread volume open_interest yes_ask close_time model_version"),
      // Where `same` is false.
      ...["edges.settlement_basis", ...under("edges.settlement_basis", "model_source venue_source same agreement")],
    ])
    assert.deepStrictEqual(verbose, under("edges", "yes_bid no_ask quoted_at quality_flags"))
  })

  it("markets_settled: next_cursor is in the slim shape", () => {
    const { slim, verbose } = split("markets_settled")
    assert.deepStrictEqual(slim, [
      ...["domain", "count", "rows"],
      ...under("rows", "domain venue series market_ticker title instrument strike_type floor_strike cap_strike"),
      ...under("rows", "yes_bid yes_ask no_ask market_prob model_prob pooled_prob pool_weight"),
      ...under("rows", "model_version close_time captured_at result"),
      ...["next_before", "next_cursor", "methodology"],
    ])
    assert.includeMembers([...verbose], ["excluded.void", "excluded.no_quote", "rows.settlement_basis.same"])
  })

  it("markets_performance", () => {
    const { slim, verbose } = split("markets_performance")
    const briers = "markets_scored brier_model brier_market brier_pool"
    const trades = "trades wins losses pnl_after_fees roi_after_fees"
    assert.sameMembers(
      [...slim],
      [
        ...["as_of", "overall", "contested", "domains", "hypothetical", "live"],
        ...under("overall", `${briers} model_beats_market`),
        ...under("contested", `${briers} model_beats_market`),
        ...under("domains", "weather nfl mlb crypto"),
        ...["weather", "nfl", "mlb", "crypto"].flatMap((domain) => under(`domains.${domain}`, briers)),
        ...under("hypothetical", trades),
        ...["hypothetical.pool", ...under("hypothetical.pool", trades)],
        ...under("live", "open_tracked awaiting_settlement"),
      ],
    )
    assert.includeMembers(
      [...verbose],
      [
        ...["overall.pool_difference.low", "overall.pool.brier", "hypothetical.pool.curve"],
        ...["overall.brier_difference.low", "contested.brier_difference.high", "excluded.void"],
        ...["hypothetical.unknown_fee", "by_settlement.model_source.brier_model"],
      ],
    )
  })
})

import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Field from "../../endpoint/Field.ts"
import type * as Lane from "../../endpoint/Lane.ts"
import * as Param from "../../endpoint/Param.ts"

const side = {
  name: Field.text(),
  record: Field.text("W-L."),
  probable_pitcher: Field.optional(Field.text("Omitted while unknown.")),
}

const game = {
  gamePk: Field.integer("The league's game id."),
  state: Field.text("Detailed state as the league words it, an open vocabulary; `Scheduled` before the game."),
  venue: Field.text(),
}

const SlateSide = Schema.Struct({
  team_id: Field.integer(),
  ...side,
  probable_pitcher_id: Field.optional(Field.integer("Omitted while unknown.")),
}).annotations({ identifier: "MlbSlateSide" })

export const SlateGame = Schema.Struct({
  ...game,
  game_date_utc: Field.instant("First pitch, UTC."),
  double_header: Field.text("`N`, `Y` or `S` (split)."),
  game_number: Field.integer("1 or 2 on a day with two games."),
  home: SlateSide,
  away: SlateSide,
  official_date: Field.verbose(Field.day("The day that the league books the game on.")),
  source: Field.verbose(Field.text("The upstream.")),
  fetched_at: Field.verbose(Field.instant("When the upstream was asked.")),
}).annotations({ identifier: "MlbGame" })

/** The slate of one UTC day. */
export const games = Endpoint.make({
  id: "mlb_games",
  rows: "games",
  path: "/v1/mlb/games",
  kind: "Data",
  priceMicros: 1_000,
  auth: "key",
  summary: "Baseball slate of a day with probable starters",
  example: { date: "2026-07-04" },
  params: Schema.Struct({
    date: Param.optional(Param.day("UTC day of the first pitch; default today.")),
    ...Param.paging,
  }),
  results: Schema.Struct({
    date: Field.day(),
    count: Field.integer("Rows on this page."),
    games: Schema.Array(SlateGame),
  }).annotations({ identifier: "MlbGames" }),
})

const OddsSide = Schema.Struct(side).annotations({ identifier: "MlbOddsSide" })

const coefficients = {
  pythagorean: Field.number("Log-odds per unit of logit home_pyth − logit away_pyth."),
  starter_era: Field.number("Log-odds per earned run of away_starter_era − home_starter_era."),
}

const RawSide = Schema.Struct({
  runs: Field.integer("Scored this season."),
  runs_allowed: Field.integer("Allowed this season."),
  last_season_pyth: Field.optional(Field.probability("Omitted for a team that did not play it.")),
  starter_innings: Field.optional(Field.number("This season; thirds are thirds.")),
  starter_earned_runs: Field.optional(Field.number("This season.")),
  starter_carried_innings: Field.optional(Field.number("Of earlier seasons, each decayed by its age.")),
  starter_carried_earned_runs: Field.optional(Field.number("Of earlier seasons, each decayed by its age.")),
}).annotations({ identifier: "MlbRawSide" })

/** The model's win probability with every input that it used. */
export const fairOdds = Endpoint.make({
  id: "mlb_fair_odds",
  path: "/v1/mlb/fair-odds",
  kind: "Signal",
  priceMicros: 10_000,
  auth: "key",
  summary: "Model win probability of a baseball game with all inputs exposed",
  example: { game_pk: 777001 },
  params: Schema.Struct({
    game_pk: Param.integer(1, 999_999_999, "`gamePk` as listed by `/v1/mlb/games`."),
  }),
  results: Schema.Struct({
    game: Schema.Struct({ ...game, home: OddsSide, away: OddsSide }).annotations({ identifier: "MlbOddsGame" }),
    prediction: Schema.Struct({
      model_version: Field.text(),
      win_prob_home: Field.probability(),
      win_prob_away: Field.probability(),
      inputs: Schema.Struct({
        home_pyth: Field.probability("Pythagorean expectation, regressed, as the model used it."),
        away_pyth: Field.probability("Pythagorean expectation, regressed, as the model used it."),
        home_games: Field.integer("Games of this season behind home_pyth."),
        away_games: Field.integer("Games of this season behind away_pyth."),
        home_starter_era: Field.optional(Field.number("Omitted without a known starter: the league mean is used.")),
        away_starter_era: Field.optional(Field.number("Omitted without a known starter: the league mean is used.")),
        home_edge: Field.number("Log-odds; 0 on neutral ground."),
      }),
      as_of: Field.verbose(Field.instant("The inputs are those of this time; never after the first pitch.")),
      coefficients: Field.verbose(
        Schema.Struct({
          ...coefficients,
          league_era: Field.number("Stands for a starter who is not known."),
        }).annotations({
          description:
            "logit win_prob_home = home_edge + pythagorean · (logit home_pyth − logit away_pyth) + starter_era · (away_starter_era − home_starter_era)",
        }),
      ),
      raw: Field.verbose(
        Schema.Struct({
          before: Field.day("Games before this day are counted."),
          home: RawSide,
          away: RawSide,
        }).annotations({ description: "What the inputs were regressed from." }),
      ),
      quality_flags: Field.verbose(Schema.Array(Schema.String)),
    }),
    ledger: Schema.Struct({
      snapshots_recorded: Field.integer("Captures of this call beside the venue's price, for public scoring."),
    }),
  }).annotations({ identifier: "MlbFairOdds" }),
})

/** The public track record. */
export const performance = Endpoint.make({
  id: "mlb_performance",
  path: "/v1/mlb/performance",
  kind: "Proof",
  priceMicros: 0,
  auth: "none",
  summary: "Track record of the baseball fair odds, misses included",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({
    model_version: Field.text(),
    backtest: Schema.Struct({
      overall: Schema.Struct({
        games: Field.integer(),
        accuracy: Field.probability("Winners named by the model."),
        brier_model: Field.number(),
        brier_market: Field.number(),
        accuracy_market: Field.probability("Winners named by the market."),
        bets: Field.integer("Flat bets of one unit at the posted price."),
        wins: Field.integer(),
        losses: Field.integer(),
        hit_rate: Field.probability(),
        units: Field.number("Net result."),
        roi: Field.number("Net result per unit staked."),
        standard_errors: Field.verbose(
          Schema.Struct({
            accuracy: Field.number(),
            brier_model: Field.number(),
            brier_market: Field.number(),
            brier_difference: Field.number("Of brier_model − brier_market on the same games."),
            roi: Field.number(),
          }).annotations({ description: "One standard error each, as of independent games." }),
        ),
      }).annotations({
        description:
          "Seasons 2019–2021, coefficients of the seasons before each. No constant was tuned on them; one, the share of earned runs, is a count whose only check are game logs of 2020 and 2021.",
      }),
    }),
    trained_at: Field.verbose(Field.day("The newest game that coefficients were fitted on.")),
    coefficients: Field.verbose(
      Schema.Struct({ home_edge: Field.number(), ...coefficients }).annotations({
        description: "Of the games of today; home_edge in log-odds.",
      }),
    ),
    attribution: Field.text("Required by the licence of the data."),
    inputs: Field.verbose(
      Schema.Array(
        Schema.Struct({ name: Field.text(), sha256: Field.text() }).annotations({ identifier: "MlbBacktestInput" }),
      ).annotations({ description: "The data that every figure was computed from." }),
    ),
  }).annotations({ identifier: "MlbPerformance" }),
})

export const endpoints = { games, fairOdds, performance }

/** One method per endpoint of the lane. */
export interface BaseballMethods extends Lane.Methods<typeof endpoints> {}

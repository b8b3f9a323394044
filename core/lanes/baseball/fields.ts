import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import { homeWinField, makeBacktestInputs } from "../fields.ts"

const sideFields = {
  name: Field.text(),
  record: Field.text("W-L."),
  probable_pitcher: Field.optional(Field.text("Omitted while unknown.")),
}

const gameFields = {
  gamePk: Field.integer("The league's game id."),
  state: Field.text("The league's detailed state, an open vocabulary; `Scheduled` before the game."),
  venue: Field.text(),
}

const SlateSide = Schema.Struct({
  team_id: Field.integer(),
  ...sideFields,
  probable_pitcher_id: Field.optional(Field.integer("Omitted while unknown.")),
}).annotations({ identifier: "MlbSlateSide" })

const SlateGame = Schema.Struct({
  ...gameFields,
  game_date_utc: Field.instant("First pitch, UTC."),
  double_header: Field.text("`N`, `Y` or `S` (split)."),
  game_number: Field.integer("1 or 2 on a day with two games."),
  home: SlateSide,
  away: SlateSide,
  official_date: Field.verbose(Field.day("The league's date of the game.")),
  source: Field.verbose(Field.text("The upstream.")),
  fetched_at: Field.verbose(Field.instant("When it was fetched from the upstream.")),
}).annotations({ identifier: "MlbGame" })

export const Games = Schema.Struct({
  date: Field.day(),
  count: Field.integer("Rows on this page."),
  games: Schema.Array(SlateGame),
}).annotations({ identifier: "MlbGames" })
export type Games = typeof Games.Encoded

const OddsSide = Schema.Struct(sideFields).annotations({ identifier: "MlbOddsSide" })

const runFields = {
  pythagorean: Field.quantity("ratio", "Log-odds per unit of logit home_pyth − logit away_pyth."),
  starter_era: Field.quantity("ratio", "Log-odds per earned run of away_starter_era − home_starter_era."),
}

const skillDifferences = (unit: string) =>
  Schema.Struct({
    starter: Field.quantity("ratio", `${unit}, the visitors' minus the home team's.`),
    bullpen: Field.quantity("ratio", `${unit}, the visitors' minus the home team's.`),
    bats: Field.quantity("ratio", `${unit}, the home team's minus the visitors'.`),
  })

export const RunCoefficients = Schema.Struct({ home_edge: Field.quantity("ratio"), ...runFields }).annotations({
  description: "Current coefficients of the log-odds from runs; home_edge is in log-odds.",
})

export const SkillCoefficients = Schema.Struct({
  constant: Field.quantity("ratio", "Log-odds of the home side; counts as 0 at a neutral site."),
  runs: Field.quantity("ratio", "Share of the log-odds from runs."),
  starter_kbb: Field.quantity("ratio"),
  bullpen_kbb: Field.quantity("ratio"),
  bats_kbb: Field.quantity("ratio"),
  bullpen_lw: Field.quantity("ratio"),
  bats_lw: Field.quantity("ratio"),
}).annotations({
  description:
    "logit win_prob_home = constant + runs · (the log-odds from runs) + starter_kbb · skills.kbb.starter + …; absent without skills.",
})

export const LineUpCoefficients = Schema.Struct({
  line_up: Field.quantity("ratio", "Log-odds per unit of line_up.difference."),
}).annotations({
  description:
    "logit win_prob_home = the log-odds with skills + line_up · line_up.difference; absent without line-ups.",
})

const LineUp = Schema.Struct({
  used: Field.boolean("True if it is part of win_prob_home."),
  difference: Field.optional(
    Field.quantity(
      "ratio",
      "Value of the home team's posted line-up minus the visitors', each relative to its team's last 15 games: runs by linear weights per plate appearance.",
    ),
  ),
  reason: Field.optional(Field.text("Why it is not used.")),
}).annotations({ identifier: "MlbLineUp", description: "The line-ups that teams post hours before the first pitch." })

const RawSide = Schema.Struct({
  runs: Field.integer("Scored this season."),
  runs_allowed: Field.integer("Allowed this season."),
  last_season_pyth: Field.optional(Field.probability("Omitted for a team without a last season.")),
  starter_innings: Field.optional(Field.quantity("innings", "This season; thirds are thirds.")),
  starter_earned_runs: Field.optional(Field.quantity("points", "This season.")),
  starter_carried_innings: Field.optional(Field.quantity("innings", "Earlier seasons, each decayed by its age.")),
  starter_carried_earned_runs: Field.optional(Field.quantity("points", "Earlier seasons, each decayed by its age.")),
}).annotations({ identifier: "MlbRawSide" })

const shrunkEra = Field.quantity(
  "era",
  "Earned runs per nine innings, shrunk to its prior, as the model uses it. Omitted while the starter is unknown; the model then uses the league mean.",
)
const rawEra = Field.quantity("points", "The starter's actual ERA this season; omitted before his first inning.")

export const FairOdds = Schema.Struct({
  game: Schema.Struct({ ...gameFields, home: OddsSide, away: OddsSide }).annotations({ identifier: "MlbOddsGame" }),
  prediction: Schema.Struct({
    model_version: Field.text(),
    win_prob_home: Field.probability(),
    win_prob_away: Field.probability(),
    inputs: Schema.Struct({
      home_pyth: Field.probability("Pythagorean expectation, shrunk to its prior, as used by the model."),
      away_pyth: Field.probability("Pythagorean expectation, shrunk to its prior, as used by the model."),
      home_games: Field.integer("Games of this season behind home_pyth."),
      away_games: Field.integer("Games of this season behind away_pyth."),
      home_starter_era: Field.optional(shrunkEra),
      away_starter_era: Field.optional(shrunkEra),
      home_starter_era_raw: Field.optional(rawEra),
      away_starter_era_raw: Field.optional(rawEra),
      home_edge: Field.quantity("ratio", "Log-odds; 0 at a neutral site."),
    }),
    drivers: Field.verbose(
      Schema.Array(
        Schema.Struct({
          feature: Field.text("In words."),
          log_odds: Field.quantity("ratio", "Positive: towards the home team."),
        }).annotations({ identifier: "MlbDriver" }),
      ).annotations({ description: "The parts of logit win_prob_home, which sum to it, largest first." }),
    ),
    line_up: Field.verbose(LineUp),
    as_of: Field.verbose(Field.instant("Time of the inputs; never after the first pitch.")),
    coefficients: Field.verbose(
      Schema.Struct({
        ...runFields,
        league_era: Field.quantity("era", "Used for an unknown starter."),
        skill: Field.optional(SkillCoefficients),
        line_up: Field.optional(LineUpCoefficients),
      }).annotations({
        description:
          "The log-odds from runs = home_edge + pythagorean · (logit home_pyth − logit away_pyth) + starter_era · (away_starter_era − home_starter_era)",
      }),
    ),
    skills: Field.verbose(
      Schema.Struct({
        kbb: skillDifferences("Strikeouts minus walks per batter faced"),
        lw: skillDifferences("Runs by linear weights per batter faced"),
      }).annotations({ description: "Differences of skills; absent without them (`no_skills`)." }),
    ),
    raw: Field.verbose(
      Schema.Struct({ before: Field.day("Games before this day count."), home: RawSide, away: RawSide }).annotations({
        description: "The data behind the inputs, before shrinkage.",
      }),
    ),
    quality_flags: Field.verbose(Schema.Array(Schema.String)),
  }),
  home_win: homeWinField,
  ledger: Schema.Struct({
    snapshots_recorded: Field.integer("Captures of this call with a venue's price, for public scoring."),
  }),
}).annotations({ identifier: "MlbFairOdds" })
export type FairOdds = typeof FairOdds.Encoded

export const Performance = Schema.Struct({
  model_version: Field.text(),
  backtest: Schema.Struct({
    overall: Schema.Struct({
      games: Field.integer(),
      accuracy: Field.probability("Share of games whose winner had the higher model probability."),
      brier_model: Field.quantity("ratio"),
      brier_market: Field.quantity("ratio"),
      accuracy_market: Field.probability("The same for the market's probability."),
      bets: Field.integer("Flat bets of one unit at the posted price."),
      wins: Field.integer(),
      losses: Field.integer(),
      hit_rate: Field.probability(),
      units: Field.quantity("points", "Net result."),
      roi: Field.quantity("ratio", "Net result per unit staked."),
      standard_errors: Field.verbose(
        Schema.Struct({
          accuracy: Field.quantity("ratio"),
          brier_model: Field.quantity("ratio"),
          brier_market: Field.quantity("ratio"),
          brier_difference: Field.quantity("ratio", "Of brier_model − brier_market on the same games."),
          roi: Field.quantity("ratio"),
        }).annotations({ description: "One standard error each, assuming independent games." }),
      ),
    }).annotations({
      description:
        "Seasons 2019–2021, each with coefficients fitted on earlier seasons. No constant was tuned on them, but one, the share of earned runs, can be checked only against the game logs of 2020 and 2021.",
    }),
  }),
  calibration: Field.verbose(
    Schema.Array(
      Schema.Struct({
        from: Field.integer("First season."),
        to: Field.integer("Last season."),
        calibration_error: Field.quantity("ratio", "Σ |mean probability − frequency| · count / all over the bins."),
        bins: Schema.Array(
          Schema.Struct({
            count: Field.integer(),
            mean_probability: Field.probability(),
            frequency: Field.probability("Share of home wins."),
          }).annotations({ identifier: "MlbReliabilityBin" }),
        ),
      }).annotations({ identifier: "MlbCalibration" }),
    ).annotations({
      description: "How often the home team won, by tenth of its probability. Empty tenths are left out.",
    }),
  ),
  trained_at: Field.verbose(Field.day("Day of the newest game in the fit.")),
  coefficients: Field.verbose(RunCoefficients),
  attribution: Field.text("Required by the licence of the data."),
  inputs: makeBacktestInputs("MlbBacktestInput"),
}).annotations({ identifier: "MlbPerformance" })
export type Performance = typeof Performance.Encoded

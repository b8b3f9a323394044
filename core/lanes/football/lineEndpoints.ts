import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import type { Hint } from "../../Failure.ts"
import { change } from "../answers.ts"
import { backtestInputs, freeProof, signalPrice } from "../fields.ts"
import { franchise, type Team } from "./data/teams.ts"
import { codes, identity, lines, qualityFlags, site, team } from "./fields.ts"

interface Look {
  readonly game_id?: string
  readonly team?: Team
  readonly opponent?: Team
}

/** Checks that a game is given by its id or by a team, and that the other parameters fit that game. */
const oneGame = ({ game_id, team, opponent }: Look, bad: ReadonlySet<string>): ReadonlyArray<Hint> => {
  const hints: Array<Hint> = []
  const unread = bad.has("game_id") || bad.has("team")
  if (game_id === undefined && team === undefined && !unread) {
    hints.push(
      { field: "game_id", action: "add", suggestion: "Add game_id, as returned by /v1/nfl/games, or team." },
      { field: "team", action: "add", suggestion: "Add team (its next unplayed game is used) or game_id." },
    )
  }
  if (opponent !== undefined && team === undefined && !bad.has("team")) {
    hints.push({
      field: "opponent",
      action: "remove",
      suggestion: "opponent needs team. Send both, or neither.",
    })
  }
  if (opponent !== undefined && opponent === team) {
    hints.push(change("opponent", "opponent must differ from team."))
  }
  if (game_id !== undefined) {
    const playing = game_id.split("_").slice(2).map(franchise)
    for (const [field, code] of Object.entries({ team, opponent })) {
      if (code !== undefined && !playing.includes(code)) {
        hints.push(change(field, `${code} does not play in ${game_id}. Use one of its teams.`))
      }
    }
  }
  return hints
}

/** Whole numbers and their probabilities. */
const distribution = (description: string) =>
  Schema.Struct({
    from: Field.integer("The number that the first probability belongs to."),
    pmf: Schema.Array(Field.probability(undefined, "mass")).annotations({
      description: "Probabilities of that number and of those after it, to a billionth.",
    }),
  }).annotations({ description })

/** The model's line, with the market's. */
export const fairLine = Endpoint.declare({
  path: "/v1/nfl/fair-line",
  ...signalPrice,
  summary: "Model spread, total and win probability of a game, compared with the posted line",
  use: "Who is favoured, by how many points, against the bookmaker. Ids: `nfl_games`; a team alone is enough.",
  example: { team: "KC" },
  params: Schema.Struct({
    game_id: Param.optional(
      Param.upperCase(
        /^\d{4}_\d{2}_[A-Z]{2,3}_[A-Z]{2,3}$/,
        "a game id <season>_<week 2 digits>_<away>_<home>, such as 2025_11_KC_DEN",
        "League-data game id as returned by `/v1/nfl/games`. This or `team` is required.",
      ),
    ),
    team: Param.optional(team("Team code: its next unplayed game. This or `game_id` is required.")),
    opponent: Param.optional(team("Team code: the next unplayed game of `team` against this opponent.")),
  }),
  check: oneGame,
  results: Schema.Struct({
    game: Schema.Struct({ ...identity, gameday: Field.day(), ...codes, ...site }).annotations({
      identifier: "NflGameSummary",
    }),
    prediction: Schema.Struct({
      model_version: Field.text(),
      fair_line: Schema.Struct({
        home_margin: Field.quantity("points", "Expected points of home minus away."),
        spread: Field.quantity("points", "Bookmaker's sign, from the home side: −home_margin."),
        total: Field.quantity("points"),
        win_prob_home: Field.probability(),
        win_prob_away: Field.probability(),
        sigma_margin: Field.quantity("points", "Standard deviation of the margin, points."),
        median_margin: Field.verbose(Field.quantity("points", "Median of the discrete distribution of the margin.")),
        sigma_total: Field.verbose(Field.quantity("points", "Standard deviation of the total, points.")),
      }),
      margin_distribution: Field.verbose(
        distribution("Of home minus away: of a margin above 3.5 the elements from 4 on add up to the probability."),
      ),
      total_distribution: Field.verbose(distribution("Of the points of both.")),
      market: Field.optional(
        Schema.Struct(lines).annotations({ description: "The posted line; omitted when there is none." }),
      ),
      edge: Field.optional(
        Schema.Struct({
          spread_points: Field.optional(Field.quantity("points", "home_margin − spread_line.")),
          side: Field.optional(Schema.Literal("home", "away").annotations({ description: "Omitted at 0." })),
          total_points: Field.optional(Field.quantity("points", "Fair total − total_line.")),
          ou: Field.optional(Schema.Literal("over", "under").annotations({ description: "Omitted at 0." })),
        }).annotations({ description: "Model minus posted line; omitted when there is none." }),
      ),
      drivers: Schema.Array(
        Schema.Struct({
          feature: Field.text(),
          points: Field.quantity("points", "Positive: towards the home team."),
        }).annotations({
          identifier: "NflDriver",
        }),
      ).annotations({ description: "The features that moved home_margin most, largest first." }),
      as_of: Field.verbose(Field.instant("Time of the model's state; never after kickoff.")),
      inputs_hash: Field.verbose(
        Field.text("SHA-256 of the inputs, stored under it for recorded lines; equal inputs are stored once."),
      ),
      quality_flags: qualityFlags(
        "`line_sign_conflict`: spread and moneylines do not favour the same team. `team_stats_incomplete`, `results_incomplete`: an input of the model lacks weeks before the game; the line is not recorded.",
      ),
    }),
    form_games_used: Schema.Struct({ home: Field.integer(), away: Field.integer() }).annotations({
      description: "Games of this season in the model's state.",
    }),
    retrospective: Field.boolean("The game has kicked off; the model's state is from before kickoff."),
    recorded_to_track_record: Field.boolean(),
  }).annotations({ identifier: "NflFairLine" }),
})

/** The public track record. */
export const performance = Endpoint.declare({
  path: "/v1/nfl/performance",
  ...freeProof,
  summary: "Track record of the football fair line, misses included",
  use: "How accurate `nfl_fair_line` has been.",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({
    model_version: Field.text(),
    trained_at: Field.day(),
    backtest_holdout: Schema.Struct({
      games: Field.integer(),
      spread: Schema.Struct({
        mae_model: Field.quantity("points", "Points."),
        mae_market: Field.quantity("points", "Points."),
        su_accuracy_model: Field.probability("Winners named; ties are left out."),
        su_accuracy_market: Field.probability("Winners named; ties are left out."),
        ats_breakeven: Field.probability("Share of decided bets to win at −110."),
      }),
      total: Schema.Struct({
        mae_model: Field.quantity("points", "Points."),
        mae_market: Field.quantity("points", "Points."),
      }),
      moneyline: Schema.Struct({
        games_priced: Field.integer("Games with both moneylines."),
        brier_model_wp: Field.quantity("ratio"),
        brier_market_devig: Field.quantity("ratio", "Of the moneylines with the margin removed in proportion."),
      }),
      last_starters: Schema.Struct({
        spread: Schema.Struct({
          mae_model: Field.quantity("points", "Points."),
          su_accuracy_model: Field.probability("Winners named; ties are left out."),
        }),
        total: Schema.Struct({ mae_model: Field.quantity("points", "Points.") }),
        moneyline: Schema.Struct({ brier_model_wp: Field.quantity("ratio") }),
      }).annotations({
        description:
          "The same games with each team's last starter in place of the actual one, as for lines before starters are announced.",
      }),
      ties_excluded: Field.verbose(Field.integer("Ties, left out of accuracy and Brier scores.")),
    }).annotations({
      description:
        "Seasons on which no constant of the model was chosen. Each line uses the gamedays before its game and no weather of the game. The quarterbacks are the actual starters, who are known a few days ahead at best.",
    }),
    live: Schema.Struct({
      predictions_scored: Field.integer(),
      games_pending: Field.integer("Predicted games not scored yet."),
      games_void: Field.verbose(
        Field.integer("Predicted games that will not be scored: called off, or moved to another week under a new id."),
      ),
      status: Field.text("`no_predictions`, `awaiting_results` or `scoring`."),
      scores: Field.verbose(
        Schema.Record({ key: Schema.String, value: Field.quantity("ratio") }).annotations({
          description: "Means over the scored predictions, of model and market.",
        }),
      ),
    }),
    inputs: backtestInputs("NflBacktestInput"),
    attribution: Field.verbose(Field.text("Required by the licence of the data.")),
  }).annotations({ identifier: "NflPerformance" }),
})

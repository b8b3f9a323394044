import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import { homeWinField, makeBacktestInputs } from "../fields.ts"
import { aliases, teamNames, teams } from "./data/teams.ts"

export const teamParam = (description: string) => Param.oneOfWithAliases(teams, aliases, description, teamNames)

/** A season from `first` on. Which one is the last depends on the clock, so each endpoint's `check` rejects later ones. */
export const seasonParam = (first: number, description: string) =>
  Param.optional(Param.integerFrom(first, `${description} From ${first} to the current one.`))

export const currentSeasonWords = ", the current season"

export const weekParam = Param.optional(Param.integer(1, 22, "Week of the season: regular season and playoffs."))

const qualityFlags = (description: string) =>
  Field.verbose(Schema.Array(Schema.String).annotations({ description: `Open vocabulary. ${description}` }))

const provenanceFields = {
  source: Field.verbose(Field.text("The upstream data set.")),
  fetched_at: Field.verbose(Field.instant("When the data set was fetched.")),
}

const identityFields = {
  game_id: Field.text("League-data id: season, week with two digits, away team, home team."),
  season: Field.integer(),
  week: Field.integer(),
}

const siteFields = {
  roof: Field.optional(
    Field.text("`outdoors`, `dome`, `closed` or `open`; omitted if it is not certain, as at a neutral site."),
  ),
  surface: Field.optional(Field.text()),
  qbs: Schema.Struct({ home: Field.optional(Field.text()), away: Field.optional(Field.text()) }).annotations({
    description: "Starting quarterbacks; before the game the expected ones. Omitted while unknown.",
  }),
  stadium: Field.optional(Field.text("Omitted if it is not certain, as at a neutral site.")),
  neutral: Field.verboseUnless(Field.boolean("`true` at a neutral site; omitted otherwise."), (neutral) => neutral),
}

const lineFields = {
  spread_line: Field.optional(Field.number("Points; positive: the home team is favoured.")),
  total_line: Field.optional(Field.number("Total points of both teams.")),
}

const codeFields = {
  home_team: Field.text("Code of the team in this season."),
  away_team: Field.text("Code of the team in this season."),
}

const Game = Schema.Struct({
  ...identityFields,
  game_type: Field.text("`REG`, or the playoff round: `WC`, `DIV`, `CON`, `SB`."),
  gameday: Field.day(),
  kickoff_local: Field.optional(Field.text("HH:MM, US Eastern, as in the schedule.")),
  ...codeFields,
  home_score: Schema.NullOr(Field.integer("Null until final.")),
  away_score: Schema.NullOr(Field.integer("Null until final.")),
  result: Schema.NullOr(Field.integer("Home minus away; null until final.")),
  total: Schema.NullOr(Field.integer("Home plus away; null until final.")),
  market: Field.optional(
    Schema.Struct({
      ...lineFields,
      home_moneyline: Field.optional(Field.integer("American odds.")),
      away_moneyline: Field.optional(Field.integer("American odds.")),
    }).annotations({ description: "Consensus lines; omitted if none is posted." }),
  ),
  rest: Schema.Struct({ home: Field.integer(), away: Field.integer() }).annotations({
    description: "Days since the team's last game.",
  }),
  ...siteFields,
  ...provenanceFields,
  quality_flags: qualityFlags("`line_sign_conflict`: spread and moneylines do not favour the same team."),
}).annotations({ identifier: "NflGame" })

export const GameList = Schema.Struct({
  count: Field.integer("Rows on this page."),
  games: Schema.Array(Game),
}).annotations({ identifier: "NflGames" })
export type GameList = typeof GameList.Encoded

const passingFields = {
  completions: Field.integer(),
  attempts: Field.integer(),
  passing_yards: Field.integer(),
  passing_tds: Field.integer(),
  interceptions: Field.integer(),
  sacks_suffered: Field.integer(),
}

const QuarterbackWeek = Schema.Struct({
  season: Field.integer(),
  week: Field.integer(),
  player_id: Field.text("GSIS id."),
  player_name: Field.text(),
  team: Field.text("Code of the team in this season."),
  opponent: Field.text("Code of the team in this season."),
  ...passingFields,
  passing_epa: Field.optional(Field.quantity("points", "Expected points added.")),
  cpoe: Field.optional(
    Field.quantity("points", "Completion percentage over expectation; omitted if it was not measured."),
  ),
  rushing_yards: Field.integer(),
  rushing_tds: Field.integer(),
}).annotations({ identifier: "NflQuarterbackWeek" })

const Quarterback = Schema.Struct({
  player: Field.text(),
  player_id: Field.text("GSIS id."),
  team: Field.text("The team of the most recent week."),
  aggregates: Schema.Struct({
    weeks: Field.integer(),
    ...passingFields,
    epa_per_week: Field.optional(Field.quantity("points", "Mean `passing_epa` of the weeks that have it.")),
    cpoe_mean: Field.optional(Field.quantity("points", "Unweighted mean `cpoe` of the weeks that have it.")),
  }).annotations({ description: "Sums over the returned weeks." }),
  weeks: Schema.Array(QuarterbackWeek),
  quality_flags: qualityFlags("`stat_lines_incomplete`: the source lacks weeks since the oldest returned one."),
  ...provenanceFields,
}).annotations({ identifier: "NflQuarterback" })

const AmbiguousQuarterback = Schema.Struct({
  ambiguous: Schema.Literal(true),
  query: Field.text("The requested name."),
  candidates: Schema.Array(
    Schema.Struct({
      player_id: Field.text("GSIS id; accepted as `player`."),
      player: Field.text(),
      team: Field.text(),
      position: Field.text(),
      first_season: Field.integer(),
      last_season: Field.integer(),
      attempts: Field.integer("Career pass attempts in the loaded seasons."),
    }).annotations({ identifier: "NflQuarterbackCandidate" }),
  ).annotations({ description: "At most 10, most recent first. This answer is not charged." }),
}).annotations({ identifier: "NflQuarterbackCandidates" })

export const QuarterbackLines = Schema.Union(Quarterback, AmbiguousQuarterback).annotations({
  identifier: "NflQuarterbackLines",
})
export type QuarterbackLines = typeof QuarterbackLines.Encoded

const playerFields = {
  player: Field.text(),
  gsis_id: Field.optional(Field.text()),
  position: Field.optional(Field.text()),
}

const InjuredPlayer = Schema.Struct({
  ...playerFields,
  week: Field.integer(),
  report_status: Field.optional(Field.text("Game status, such as `Out` or `Questionable`; omitted when blank.")),
  practice_status: Field.optional(Field.text()),
  injury: Field.optional(Field.text()),
}).annotations({ identifier: "NflInjuredPlayer" })

const ReservePlayer = Schema.Struct({
  ...playerFields,
  status: Field.text("Roster status code."),
  designation: Field.optional(Field.text("Meaning of the code: injured reserve, PUP, suspension and others.")),
}).annotations({ identifier: "NflReservePlayer" })

export const InjuryReport = Schema.Struct({
  team: Field.text(),
  season: Field.integer("The season of every row."),
  week: Schema.NullOr(Field.integer("Default the latest week with rows; null when there is none.")),
  current_season: Field.integer(),
  is_current_season: Field.boolean(),
  report: Schema.Struct({
    count: Field.integer(),
    by_status: Schema.Record({ key: Schema.String, value: Field.integer() }).annotations({
      description: "Players per `report_status`; a blank status counts under `none`.",
    }),
    players: Schema.Array(InjuredPlayer),
    quality_flags: qualityFlags(
      "`report_absent`: the season or week has no report. `reports_incomplete`, `rosters_incomplete`: the source lacks weeks of the season. `report_from_rosters`: the official report is late; players are those inactive on the newest roster. `source_disagreement`: a player reported out is not inactive on that week's roster.",
    ),
  }).annotations({ description: "Official practice and game-status rows, in season only." }),
  reserve_list: Schema.Struct({
    as_of_week: Field.optional(Field.integer("Week of the roster; omitted when the season has none.")),
    count: Field.integer(),
    players: Schema.Array(ReservePlayer),
  }).annotations({ description: "All year round." }),
  ...provenanceFields,
}).annotations({ identifier: "NflInjuries" })
export type InjuryReport = typeof InjuryReport.Encoded

export const Top100List = Schema.Struct({
  season: Field.integer("Year of publication."),
  count: Field.integer("Rows on this page."),
  players: Schema.Array(
    Schema.Struct({
      rank: Field.integer(),
      player_name: Field.text(),
      team: Field.text(),
      position: Field.text(),
    }).annotations({ identifier: "NflTop100Player" }),
  ),
  ...provenanceFields,
}).annotations({ identifier: "NflTop100" })
export type Top100List = typeof Top100List.Encoded

const distributionField = (description: string) =>
  Schema.Struct({
    from: Field.integer("The number that the first probability belongs to."),
    pmf: Schema.Array(Field.probability(undefined, "mass")).annotations({
      description: "Probabilities of that number and of those after it, to a billionth.",
    }),
  }).annotations({ description })

export const ServedLine = Schema.Struct({
  game: Schema.Struct({ ...identityFields, gameday: Field.day(), ...codeFields, ...siteFields }).annotations({
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
      distributionField("Of the margin, home minus away: P(margin above 3.5) is the sum of the elements from 4 on."),
    ),
    total_distribution: Field.verbose(distributionField("Of the total points of both teams.")),
    market: Field.optional(
      Schema.Struct(lineFields).annotations({ description: "The posted line; omitted when there is none." }),
    ),
    edge: Field.optional(
      Schema.Struct({
        spread_points: Field.optional(Field.quantity("points", "home_margin − spread_line.")),
        side: Field.optional(Schema.Literal("home", "away").annotations({ description: "Omitted at 0." })),
        total_points: Field.optional(Field.quantity("points", "Fair total − total_line.")),
        ou: Field.optional(Schema.Literal("over", "under").annotations({ description: "Omitted at 0." })),
      }).annotations({ description: "Model minus posted line; omitted when there is none." }),
    ),
    at_posted: Field.optional(
      Schema.Struct({
        home_cover_prob: Field.optional(Field.probability("P(margin above spread_line).")),
        away_cover_prob: Field.optional(Field.probability("P(margin below it).")),
        spread_push_prob: Field.optional(Field.probability("P(margin equal to it); 0 at half points.")),
        over_prob: Field.optional(Field.probability("P(points above total_line).")),
        under_prob: Field.optional(Field.probability("P(points below it).")),
        total_push_prob: Field.optional(Field.probability("P(points equal to it); 0 at half points.")),
      }).annotations({
        description:
          "The model's probabilities at the posted line. `worth_of_a_point` of `nfl_performance` says what a point of edge has been worth.",
      }),
    ),
    drivers: Schema.Array(
      Schema.Struct({
        feature: Field.text(),
        points: Field.quantity("points", "Positive: towards the home team."),
      }).annotations({ identifier: "NflDriver" }),
    ).annotations({ description: "The parts of home_margin, largest first." }),
    as_of: Field.verbose(Field.instant("Time of the model's state; never after kickoff.")),
    inputs_hash: Field.verbose(
      Field.text("SHA-256 of the inputs, stored under it for recorded lines; equal inputs are stored once."),
    ),
    quality_flags: qualityFlags(
      "`line_sign_conflict`: spread and moneylines do not favour the same team. `team_stats_incomplete`, `results_incomplete`: an input of the model lacks weeks before the game; the line is not recorded.",
    ),
  }),
  home_win: homeWinField,
  form_games_used: Schema.Struct({ home: Field.integer(), away: Field.integer() }).annotations({
    description: "Games of this season in the model's state.",
  }),
  retrospective: Field.boolean("The game has kicked off; the model's state is from before kickoff."),
  recorded_to_track_record: Field.boolean(),
}).annotations({ identifier: "NflFairLine" })
export type ServedLine = typeof ServedLine.Encoded

/** The ends of an interval, which needs ten weeks. */
const intervalEnds = { low: Field.optional(Field.quantity("ratio")), high: Field.optional(Field.quantity("ratio")) }

export const Performance = Schema.Struct({
  model_version: Field.text(),
  trained_at: Field.day(),
  backtest_holdout: Schema.Struct({
    games: Field.integer(),
    spread: Schema.Struct({
      mae_model: Field.quantity("points", "Points."),
      mae_market: Field.quantity("points", "Points."),
      su_accuracy_model: Field.probability("Share of winners predicted; ties are left out."),
      su_accuracy_market: Field.probability("Share of winners predicted; ties are left out."),
      ats_breakeven: Field.probability("Share of decided bets that must win to break even at −110."),
    }),
    total: Schema.Struct({
      mae_model: Field.quantity("points", "Points."),
      mae_market: Field.quantity("points", "Points."),
    }),
    moneyline: Schema.Struct({
      games_priced: Field.integer("Games with both moneylines."),
      brier_model_wp: Field.quantity("ratio"),
      brier_market_devig: Field.quantity("ratio", "Of the moneylines, the bookmaker's margin removed in proportion."),
    }),
    last_starters: Schema.Struct({
      spread: Schema.Struct({
        mae_model: Field.quantity("points", "Points."),
        su_accuracy_model: Field.probability("Share of winners predicted; ties are left out."),
      }),
      total: Schema.Struct({ mae_model: Field.quantity("points", "Points.") }),
      moneyline: Schema.Struct({ brier_model_wp: Field.quantity("ratio") }),
    }).annotations({
      description:
        "The same games with each team's last starter instead of the actual one, as in lines before starters are announced.",
    }),
    ties_excluded: Field.verbose(Field.integer("Ties, left out of accuracy and Brier scores.")),
  }).annotations({
    description:
      "Seasons on which no constant of the model was chosen. Each line uses only the gamedays before its game, and not the game's weather. The quarterbacks are the actual starters, who are known a few days ahead at best.",
  }),
  against_the_spread: Schema.Array(
    Schema.Struct({
      from: Field.integer("First season."),
      to: Field.integer("Last season."),
      development: Field.boolean("True if constants of the model were chosen on these seasons."),
      worth_of_a_point: Schema.Struct({ estimate: Field.quantity("ratio"), ...intervalEnds }).annotations({
        description:
          "How many points the result lay beyond the closing line for each point that the model did: 1 if the model were right, 0 if it adds nothing to the closing line.",
      }),
      by_edge: Schema.Array(
        Schema.Struct({
          from_points: Field.quantity("points"),
          to_points: Field.optional(Field.quantity("points", "Exclusive; omitted for the widest.")),
          wins: Field.integer(),
          losses: Field.integer(),
          pushes: Field.integer(),
          share_won: Field.probability("Share of decided bets that won; compare `ats_breakeven`."),
          ...intervalEnds,
        }).annotations({ identifier: "NflEdgeRecord" }),
      ).annotations({ description: "Bets on the model's side at the closing line, by the points between the two." }),
    }).annotations({ identifier: "NflAgainstTheSpread" }),
  ).annotations({ description: "The record against the closing spread, with 95 % intervals over weeks." }),
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
  inputs: makeBacktestInputs("NflBacktestInput"),
  attribution: Field.verbose(Field.text("Required by the licence of the data.")),
}).annotations({ identifier: "NflPerformance" })
export type Performance = typeof Performance.Encoded

import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Field from "../../endpoint/Field.ts"
import type * as Lane from "../../endpoint/Lane.ts"
import * as Param from "../../endpoint/Param.ts"
import type { Hint } from "../../Failure.ts"
import { easternYear, gamesSeason, notAfter, rosterSeason } from "./data/calendar.ts"
import { aliases, franchise, type Team, teams } from "./data/teams.ts"

const team = (description: string) => Param.alias(teams, aliases, description)

/** The last season depends on the clock: each endpoint's `check` refuses one after it. */
const season = (first: number, description: string) =>
  Param.optional(Param.integer(first, 2100, `${description} ${first} to current; a later one is answered 400.`))

const current = ", the current season"

const week = Param.optional(Param.integer(1, 22, "Week of the season: regular season and playoffs."))

const qualityFlags = (description: string) =>
  Field.verbose(Schema.Array(Schema.String).annotations({ description: `Open vocabulary. ${description}` }))

const provenance = {
  source: Field.verbose(Field.text("The upstream data set.")),
  fetched_at: Field.verbose(Field.instant("When the data set was fetched.")),
}

const identity = {
  game_id: Field.text("League-data id: season, week with two digits, away team, home team."),
  season: Field.integer(),
  week: Field.integer(),
}

const site = {
  roof: Field.optional(Field.text("`outdoors`, `dome`, `closed` or `open`.")),
  surface: Field.optional(Field.text()),
  qbs: Schema.Struct({ home: Field.optional(Field.text()), away: Field.optional(Field.text()) }).annotations({
    description: "Starting quarterbacks, expected ones before the game; omitted while unknown.",
  }),
  stadium: Field.optional(Field.text()),
}

const lines = {
  spread_line: Field.optional(Field.number("Points; positive: the home team is favoured.")),
  total_line: Field.optional(Field.number("Points of both teams together.")),
}

const codes = {
  home_team: Field.text("Code of the team in this season."),
  away_team: Field.text("Code of the team in this season."),
}

export const Game = Schema.Struct({
  ...identity,
  game_type: Field.text("`REG`, or the playoff round: `WC`, `DIV`, `CON`, `SB`."),
  gameday: Field.day(),
  kickoff_local: Field.optional(Field.text("HH:MM, US Eastern as the schedule has it.")),
  ...codes,
  home_score: Schema.NullOr(Field.integer("Null until final.")),
  away_score: Schema.NullOr(Field.integer("Null until final.")),
  result: Schema.NullOr(Field.integer("Home minus away; null until final.")),
  total: Schema.NullOr(Field.integer("Home plus away; null until final.")),
  market: Field.optional(
    Schema.Struct({
      ...lines,
      home_moneyline: Field.optional(Field.integer("American odds.")),
      away_moneyline: Field.optional(Field.integer("American odds.")),
    }).annotations({ description: "Consensus lines; omitted when none is posted." }),
  ),
  rest: Schema.Struct({ home: Field.integer(), away: Field.integer() }).annotations({
    description: "Days since the team's last game.",
  }),
  ...site,
  ...provenance,
  quality_flags: qualityFlags("`line_sign_conflict`: spread and moneylines favour different teams."),
}).annotations({ identifier: "NflGame" })

/** Schedule, results and consensus lines. */
export const games = Endpoint.make({
  id: "nfl_games",
  rows: "games",
  path: "/v1/nfl/games",
  kind: "Data",
  priceMicros: 1_000,
  auth: "key",
  summary: "Football games with results and consensus lines since 1999",
  example: { season: 2025, week: 11 },
  params: Schema.Struct({
    season: season(1999, "Default current season."),
    week,
    team: Param.optional(team("Team code: its games, home and away.")),
    ...Param.paging,
  }),
  check: notAfter(gamesSeason, current),
  results: Schema.Struct({ count: Field.integer("Rows on this page."), games: Schema.Array(Game) }).annotations({
    identifier: "NflGames",
  }),
})

const passing = {
  completions: Field.integer(),
  attempts: Field.integer(),
  passing_yards: Field.integer(),
  passing_tds: Field.integer(),
  interceptions: Field.integer(),
  sacks_suffered: Field.integer(),
}

export const QuarterbackWeek = Schema.Struct({
  season: Field.integer(),
  week: Field.integer(),
  player_id: Field.text("GSIS id."),
  player_name: Field.text(),
  team: Field.text("Code of the team in this season."),
  opponent: Field.text("Code of the team in this season."),
  ...passing,
  passing_epa: Field.optional(Field.number("Expected points added.")),
  cpoe: Field.optional(Field.number("Completion percentage over expectation; omitted where it was not measured.")),
  rushing_yards: Field.integer(),
  rushing_tds: Field.integer(),
}).annotations({ identifier: "NflQuarterbackWeek" })

export const Quarterback = Schema.Struct({
  player: Field.text(),
  player_id: Field.text("GSIS id."),
  team: Field.text("The team of the most recent week."),
  aggregates: Schema.Struct({
    weeks: Field.integer(),
    ...passing,
    epa_per_week: Field.optional(Field.number("Mean over the weeks that have it.")),
    cpoe_mean: Field.optional(Field.number("Plain mean over the weeks that have it.")),
  }).annotations({ description: "Sums over the returned weeks." }),
  weeks: Schema.Array(QuarterbackWeek),
  ...provenance,
}).annotations({ identifier: "NflQuarterback" })

export const AmbiguousQuarterback = Schema.Struct({
  ambiguous: Schema.Literal(true),
  query: Field.text("The name as it was asked."),
  candidates: Schema.Array(
    Schema.Struct({
      player_id: Field.text("GSIS id; accepted as `player`."),
      player: Field.text(),
      team: Field.text(),
      position: Field.text(),
      first_season: Field.integer(),
      last_season: Field.integer(),
      attempts: Field.integer("Passes of the career as far as it is carried."),
    }).annotations({ identifier: "NflQuarterbackCandidate" }),
  ).annotations({ description: "At most 10, most recent first. This answer is not charged." }),
}).annotations({ identifier: "NflQuarterbackCandidates" })

/** The stat lines of one quarterback, or the candidates of an ambiguous name. */
export const qb = Endpoint.make({
  id: "nfl_qb",
  path: "/v1/nfl/qb",
  kind: "Data",
  priceMicros: 2_000,
  auth: "key",
  summary: "Weekly stat lines of a quarterback with their sums",
  example: { player: "Peregrine Oakenshaw", last: 10 },
  params: Schema.Struct({
    player: Param.text(80, "Name or GSIS id. Part of a name is enough; an exact full name beats partial matches."),
    season: season(2002, "Weeks of this season alone."),
    last: Param.withDefault(Param.integer(1, 60, "The most recent weeks returned."), 20),
  }),
  check: notAfter(gamesSeason, current),
  results: Schema.Union(Quarterback, AmbiguousQuarterback).annotations({ identifier: "NflQuarterbackLines" }),
})

export const InjuredPlayer = Schema.Struct({
  player: Field.text(),
  gsis_id: Field.optional(Field.text()),
  position: Field.optional(Field.text()),
  week: Field.integer(),
  report_status: Field.optional(Field.text("Game status, such as `Out` or `Questionable`; omitted when blank.")),
  practice_status: Field.optional(Field.text()),
  injury: Field.optional(Field.text()),
}).annotations({ identifier: "NflInjuredPlayer" })

export const ReservePlayer = Schema.Struct({
  player: Field.text(),
  gsis_id: Field.optional(Field.text()),
  position: Field.optional(Field.text()),
  status: Field.text("Roster status code."),
  designation: Field.optional(Field.text("What the code stands for: injured reserve, PUP, suspension and others.")),
}).annotations({ identifier: "NflReservePlayer" })

/** The official injury report and the reserve list of one team. */
export const injuries = Endpoint.make({
  id: "nfl_injuries",
  path: "/v1/nfl/injuries",
  kind: "Data",
  priceMicros: 2_000,
  auth: "key",
  summary: "Official injury report and reserve list of a team",
  example: { team: "KC" },
  params: Schema.Struct({
    team: team("Team code."),
    season: season(1999, "Default current season; a prior one is answered only when it is asked for."),
    week,
  }),
  check: notAfter(rosterSeason, current),
  results: Schema.Struct({
    team: Field.text(),
    season: Field.integer("Every row is of this season."),
    week: Schema.NullOr(Field.integer("The latest week with rows when none is asked for; null when there is none.")),
    current_season: Field.integer(),
    is_current_season: Field.boolean(),
    report: Schema.Struct({
      count: Field.integer(),
      by_status: Schema.Record({ key: Schema.String, value: Field.integer() }).annotations({
        description: "Players per `report_status`; a blank status counts under `none`.",
      }),
      players: Schema.Array(InjuredPlayer),
      quality_flags: qualityFlags("`report_absent`: the season or week has no report."),
    }).annotations({ description: "Official practice and game-status rows, in season only." }),
    reserve_list: Schema.Struct({
      as_of_week: Field.optional(Field.integer("Week of the roster; omitted when the season has none.")),
      count: Field.integer(),
      players: Schema.Array(ReservePlayer),
    }).annotations({ description: "All year round." }),
    ...provenance,
  }).annotations({ identifier: "NflInjuries" }),
})

/** The annual list voted by the players. */
export const top100 = Endpoint.make({
  id: "nfl_top100",
  rows: "players",
  path: "/v1/nfl/top100",
  kind: "Data",
  priceMicros: 1_000,
  auth: "key",
  summary: "Annual Top 100 list as voted by the players",
  example: { limit: 10 },
  params: Schema.Struct({
    season: season(2011, "Year in which the list was published. Default the latest that is loaded."),
    ...Param.paging,
  }),
  check: notAfter(easternYear, ", the current year"),
  results: Schema.Struct({
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
    ...provenance,
  }).annotations({ identifier: "NflTop100" }),
})

interface Look {
  readonly game_id?: string
  readonly team?: Team
  readonly opponent?: Team
}

/** A game is named by its id or by a team; what is sent besides must name the same game. */
const oneGame = ({ game_id, team, opponent }: Look, bad: ReadonlySet<string>): ReadonlyArray<Hint> => {
  const hints: Array<Hint> = []
  const unread = bad.has("game_id") || bad.has("team")
  if (game_id === undefined && team === undefined && !unread) {
    hints.push(
      { field: "game_id", action: "add", suggestion: "Add game_id, as returned by /v1/nfl/games, or team." },
      { field: "team", action: "add", suggestion: "Add team, whose next unplayed game is meant, or game_id." },
    )
  }
  if (opponent !== undefined && team === undefined && !bad.has("team")) {
    hints.push({
      field: "opponent",
      action: "remove",
      suggestion: "opponent narrows the look-up of a team: send it with team, or leave it out.",
    })
  }
  if (opponent !== undefined && opponent === team) {
    hints.push({ field: "opponent", action: "change", suggestion: `${team} does not play itself: send another team.` })
  }
  if (game_id !== undefined) {
    const playing = game_id.split("_").slice(2).map(franchise)
    for (const [field, code] of Object.entries({ team, opponent })) {
      if (code !== undefined && !playing.includes(code)) {
        hints.push({ field, action: "change", suggestion: `${code} does not play in ${game_id}: send one of the two.` })
      }
    }
  }
  return hints
}

/** The model's line beside the market's. */
export const fairLine = Endpoint.make({
  id: "nfl_fair_line",
  path: "/v1/nfl/fair-line",
  kind: "Signal",
  priceMicros: 10_000,
  auth: "key",
  summary: "Model spread, total and win probability of a game beside the posted line",
  example: { team: "KC" },
  params: Schema.Struct({
    game_id: Param.optional(
      Param.pattern(
        /^\d{4}_\d{2}_[A-Z]{2,3}_[A-Z]{2,3}$/,
        "a game id <season>_<week 2 digits>_<away>_<home>, such as 2025_11_KC_DEN",
        "League-data game id as returned by `/v1/nfl/games`. This or `team` is required.",
      ),
    ),
    team: Param.optional(team("Team code: its next unplayed game. This or `game_id` is required.")),
    opponent: Param.optional(team("Team code: narrows the look-up of `team` to this opponent.")),
  }),
  check: oneGame,
  results: Schema.Struct({
    game: Schema.Struct({ ...identity, gameday: Field.day(), ...codes, ...site }).annotations({
      identifier: "NflGameSummary",
    }),
    prediction: Schema.Struct({
      model_version: Field.text(),
      fair_line: Schema.Struct({
        home_margin: Field.number("Expected points of home minus away."),
        spread: Field.number("Bookmaker's sign, from the home side: −home_margin."),
        total: Field.number(),
        win_prob_home: Field.probability(),
        win_prob_away: Field.probability(),
        sigma_margin: Field.number("Standard deviation of the margin, points."),
        median_margin: Field.verbose(Field.number("Median of the discrete distribution of the margin.")),
      }),
      market: Field.optional(
        Schema.Struct(lines).annotations({ description: "The posted line; omitted when there is none." }),
      ),
      edge: Field.optional(
        Schema.Struct({
          spread_points: Field.optional(Field.number("home_margin − spread_line.")),
          side: Field.optional(Schema.Literal("home", "away").annotations({ description: "Omitted at 0." })),
          total_points: Field.optional(Field.number("Fair total − total_line.")),
          ou: Field.optional(Schema.Literal("over", "under").annotations({ description: "Omitted at 0." })),
        }).annotations({ description: "The gap to the posted line; omitted when there is none." }),
      ),
      drivers: Schema.Array(
        Schema.Struct({ feature: Field.text(), points: Field.number("Positive: towards the home team.") }).annotations({
          identifier: "NflDriver",
        }),
      ).annotations({ description: "The features that moved home_margin most, largest first." }),
      as_of: Field.verbose(Field.instant("The model's state at this time; never after kickoff.")),
      inputs_hash: Field.verbose(
        Field.text("SHA-256 under which the inputs of recorded lines are kept; equal inputs are stored once."),
      ),
      quality_flags: qualityFlags("`line_sign_conflict`: spread and moneylines favour different teams."),
    }),
    form_games_used: Schema.Struct({ home: Field.integer(), away: Field.integer() }).annotations({
      description: "Games of this season that the model has seen.",
    }),
    retrospective: Field.boolean("The game has kicked off: the model's state is that of its kickoff."),
    recorded_to_track_record: Field.boolean(),
  }).annotations({ identifier: "NflFairLine" }),
})

/** The public track record. */
export const performance = Endpoint.make({
  id: "nfl_performance",
  path: "/v1/nfl/performance",
  kind: "Proof",
  priceMicros: 0,
  auth: "none",
  summary: "Track record of the football fair line, misses included",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({
    model_version: Field.text(),
    trained_at: Field.day(),
    backtest_holdout: Schema.Struct({
      games: Field.integer(),
      spread: Schema.Struct({
        mae_model: Field.number("Points."),
        mae_market: Field.number("Points."),
        su_accuracy_model: Field.probability("Winners named; ties are left out."),
        su_accuracy_market: Field.probability("Winners named; ties are left out."),
        ats_breakeven: Field.probability("Share of decided bets to win at −110."),
      }),
      total: Schema.Struct({ mae_model: Field.number("Points."), mae_market: Field.number("Points.") }),
      moneyline: Schema.Struct({
        games_priced: Field.integer("Games with both moneylines."),
        brier_model_wp: Field.number(),
        brier_market_devig: Field.number("Of the moneylines with the margin taken out in proportion."),
      }),
      last_starters: Schema.Struct({
        spread: Schema.Struct({
          mae_model: Field.number("Points."),
          su_accuracy_model: Field.probability("Winners named; ties are left out."),
        }),
        total: Schema.Struct({ mae_model: Field.number("Points.") }),
        moneyline: Schema.Struct({ brier_model_wp: Field.number() }),
      }).annotations({
        description:
          "The same games with every team's last starter in place of whoever started: lines of before starters are named.",
      }),
      ties_excluded: Field.verbose(Field.integer("Ties, left out of accuracy and Brier scores.")),
    }).annotations({
      description:
        "Seasons that no constant of the model was chosen on; every line from the gamedays before, without the game's weather. The quarterbacks are those who did start: known some days ahead at best.",
    }),
    live: Schema.Struct({
      predictions_scored: Field.integer(),
      games_pending: Field.integer("Predicted games that are to be scored."),
      games_void: Field.verbose(
        Field.integer(
          "Predicted games that never will be: called off, or moved to another week, where they have another id.",
        ),
      ),
      status: Field.text("`no_predictions`, `awaiting_results` or `scoring`."),
      scores: Field.verbose(
        Schema.Record({ key: Schema.String, value: Field.number() }).annotations({
          description: "Means over the scored predictions, the market's beside the model's.",
        }),
      ),
    }),
    inputs: Field.verbose(
      Schema.Array(
        Schema.Struct({ name: Field.text(), sha256: Field.text() }).annotations({ identifier: "NflBacktestInput" }),
      ).annotations({ description: "The data that every figure was computed from." }),
    ),
    attribution: Field.verbose(Field.text("Required by the licence of the data.")),
  }).annotations({ identifier: "NflPerformance" }),
})

export const endpoints = { games, qb, injuries, top100, fairLine, performance }

/** One method per endpoint of the lane. */
export interface FootballMethods extends Lane.Methods<typeof endpoints> {}

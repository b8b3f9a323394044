import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Field from "../../endpoint/Field.ts"
import type * as Lane from "../../endpoint/Lane.ts"
import * as Param from "../../endpoint/Param.ts"
import { data } from "../fields.ts"
import { easternYear, gamesSeason, inSeason, notAfter, rosterSeason } from "./data/calendar.ts"
import { codes, current, identity, lines, provenance, qualityFlags, season, site, team, week } from "./fields.ts"
import { fairLine, performance } from "./lineEndpoints.ts"

export { fairLine, performance }

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
  quality_flags: qualityFlags("`line_sign_conflict`: spread and moneylines do not favour the same team."),
}).annotations({ identifier: "NflGame" })

/** Schedule, results and consensus lines. */
export const games = Endpoint.declare({
  rows: "games",
  path: "/v1/nfl/games",
  ...data(1_000),
  summary: "Football games with results and consensus lines since 1999",
  use: "Schedule, scores, bookmakers' spread and total. Gives the `game_id` of `nfl_fair_line`.",
  example: { season: 2025, week: 11 },
  params: Schema.Struct({
    season: season(1999, "Default current season."),
    week,
    team: Param.optional(team("Team code: its games, home and away.")),
    ...Param.paging,
  }),
  check: inSeason(gamesSeason, current),
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
  passing_epa: Field.optional(Field.quantity("points", "Expected points added.")),
  cpoe: Field.optional(
    Field.quantity("points", "Completion percentage over expectation; omitted where it was not measured."),
  ),
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
    epa_per_week: Field.optional(Field.quantity("points", "Mean over the weeks that have it.")),
    cpoe_mean: Field.optional(Field.quantity("points", "Plain mean over the weeks that have it.")),
  }).annotations({ description: "Sums over the returned weeks." }),
  weeks: Schema.Array(QuarterbackWeek),
  quality_flags: qualityFlags("`stat_lines_incomplete`: the source lacks weeks since the oldest returned one."),
  ...provenance,
}).annotations({ identifier: "NflQuarterback" })

export const AmbiguousQuarterback = Schema.Struct({
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

/** The stat lines of one quarterback, or the candidates of an ambiguous name. */
export const qb = Endpoint.declare({
  path: "/v1/nfl/qb",
  ...data(2_000),
  summary: "A quarterback's weekly stats and totals",
  use: "Passing yards, touchdowns, interceptions of a player by week.",
  example: { player: "mahomes", last: 10 },
  params: Schema.Struct({
    player: Param.text(80, "Name or GSIS id. Part of a name is enough; an exact full name beats partial matches."),
    season: season(2002, "Only weeks of this season."),
    last: Param.withDefault(Param.integer(1, 60, "The most recent weeks returned."), 20),
  }),
  check: notAfter(gamesSeason, current),
  results: Schema.Union(Quarterback, AmbiguousQuarterback).annotations({ identifier: "NflQuarterbackLines" }),
})

const listedPlayer = {
  player: Field.text(),
  gsis_id: Field.optional(Field.text()),
  position: Field.optional(Field.text()),
}

export const InjuredPlayer = Schema.Struct({
  ...listedPlayer,
  week: Field.integer(),
  report_status: Field.optional(Field.text("Game status, such as `Out` or `Questionable`; omitted when blank.")),
  practice_status: Field.optional(Field.text()),
  injury: Field.optional(Field.text()),
}).annotations({ identifier: "NflInjuredPlayer" })

export const ReservePlayer = Schema.Struct({
  ...listedPlayer,
  status: Field.text("Roster status code."),
  designation: Field.optional(Field.text("Meaning of the code: injured reserve, PUP, suspension and others.")),
}).annotations({ identifier: "NflReservePlayer" })

/** The official injury report and the reserve list of one team. */
export const injuries = Endpoint.declare({
  path: "/v1/nfl/injuries",
  ...data(2_000),
  summary: "Official injury report and reserve list of a team",
  use: "Who is hurt, doubtful or out.",
  example: { team: "KC" },
  params: Schema.Struct({
    team: team("Team code."),
    season: season(1999, "Default current season, never an earlier one."),
    week,
  }),
  check: inSeason(rosterSeason, current),
  results: Schema.Struct({
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
    ...provenance,
  }).annotations({ identifier: "NflInjuries" }),
})

/** The annual list voted by the players. */
export const top100 = Endpoint.declare({
  rows: "players",
  path: "/v1/nfl/top100",
  ...data(1_000),
  summary: "Annual Top 100 list as voted by the players",
  use: "Ranking of the best players of a year.",
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

export const endpoints = { games, qb, injuries, top100, fairLine, performance }

/** One method per endpoint of the lane. */
export interface FootballMethods extends Lane.Methods<typeof endpoints> {}

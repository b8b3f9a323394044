import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import { aliases, teamNames, teams } from "./data/teams.ts"

export const team = (description: string) => Param.alias(teams, aliases, description, teamNames)

/** The last season depends on the clock: each endpoint's `check` rejects a later one. */
export const season = (first: number, description: string) =>
  Param.optional(Param.integerFrom(first, `${description} From ${first} to the current one.`))

export const current = ", the current season"

export const week = Param.optional(Param.integer(1, 22, "Week of the season: regular season and playoffs."))

export const qualityFlags = (description: string) =>
  Field.verbose(Schema.Array(Schema.String).annotations({ description: `Open vocabulary. ${description}` }))

export const provenance = {
  source: Field.verbose(Field.text("The upstream data set.")),
  fetched_at: Field.verbose(Field.instant("When the data set was fetched.")),
}

export const identity = {
  game_id: Field.text("League-data id: season, week with two digits, away team, home team."),
  season: Field.integer(),
  week: Field.integer(),
}

export const site = {
  roof: Field.optional(Field.text("`outdoors`, `dome`, `closed` or `open`; omitted on neutral ground.")),
  surface: Field.optional(Field.text()),
  qbs: Schema.Struct({ home: Field.optional(Field.text()), away: Field.optional(Field.text()) }).annotations({
    description: "Starting quarterbacks; before the game the expected ones. Omitted while unknown.",
  }),
  stadium: Field.optional(Field.text("Omitted on neutral ground.")),
  neutral: Field.optional(Field.boolean("`true` on neutral ground; omitted otherwise.")),
}

export const lines = {
  spread_line: Field.optional(Field.number("Points; positive: the home team is favoured.")),
  total_line: Field.optional(Field.number("Total points of both teams.")),
}

export const codes = {
  home_team: Field.text("Code of the team in this season."),
  away_team: Field.text("Code of the team in this season."),
}

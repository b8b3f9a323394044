import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { implausibleStandings } from "../../../../core/lanes/baseball/plausible.ts"
import type { TeamLines } from "../../../../core/lanes/baseball/ports.ts"
import { addDays } from "../../../../core/time.ts"
import { implausible, misshapen, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import type { Api } from "./api.ts"

const path = "/api/v1/standings"

const Count = Schema.Int.pipe(Schema.nonNegative())

/** Parsed as a whole: a skipped team would count as average. */
const Wire = Schema.Struct({
  records: Schema.Array(
    Schema.Struct({
      teamRecords: Schema.Array(
        Schema.Struct({
          team: Schema.Struct({ id: Schema.Int.pipe(Schema.positive()) }),
          season: Schema.String,
          gamesPlayed: Count,
          runsScored: Count,
          runsAllowed: Count,
          leagueRecord: Schema.optional(Schema.Struct({ wins: Count })),
        }),
      ),
    }),
  ),
})

/** By this day of a year every season has begun. */
const seasonRuns = "08-01"

/** American and National League. */
const leagues = "103,104"

/** Runs of every team in games dated before `before`, or in the whole season. */
export const standings = (
  api: Api,
  season: number,
  before: string | undefined,
): Effect.Effect<TeamLines, UpstreamError> =>
  Effect.gen(function* () {
    const query = {
      leagueId: leagues,
      season: String(season),
      standingsTypes: "regularSeason",
      ...(before !== undefined && { date: addDays(before, -1) }),
    }
    const { records } = yield* api.get(Wire, path, query)
    const rows = records.flatMap(({ teamRecords }) => teamRecords)
    const other = rows.find((row) => row.season !== String(season))
    if (other !== undefined) return yield* misshapen(api.upstream, `Standings of ${other.season} instead of ${season}.`)
    const lines = rows.map(({ team, gamesPlayed, runsScored, runsAllowed, leagueRecord }) => ({
      ...{ id: team.id, games: gamesPlayed, scored: runsScored, allowed: runsAllowed, wins: leagueRecord?.wins },
    }))
    const reason = implausibleStandings(lines, before === undefined || before.slice(5) >= seasonRuns)
    if (reason !== undefined) return yield* implausible(api.upstream, reason)
    return {
      lines: new Map(lines.map(({ id, games, scored, allowed }) => [id, { games, scored, allowed }])),
      ...(yield* api.cite("standings", path, query)),
    }
  })

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { implausibleStandings } from "../../../../core/lanes/baseball/plausible.ts"
import type { TeamLines } from "../../../../core/lanes/baseball/ports.ts"
import { common, whole } from "../../../../core/sources/identity.ts"
import { addDays } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { implausible, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { cite } from "./cite.ts"

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

interface Asked {
  readonly season: number
  /** The day after the last one that counts; absent: the whole season. */
  readonly before: string | undefined
}

const queryOf = ({ season, before }: Asked) => ({
  leagueId: leagues,
  season: String(season),
  standingsTypes: "regularSeason",
  ...(before !== undefined && { date: addDays(before, -1) }),
})

const teamsOf = ({ records }: typeof Wire.Type) => records.flatMap(({ teamRecords }) => teamRecords)

export const table = Upstream.question(Upstream.json(Wire), {
  path: () => path,
  query: queryOf,
  unstated: "The day: a season's games so far, by their number.",
  identity: whole({
    name: ({ season }: Asked) => `The standings of ${season}`,
    says: {
      season: (wire, { season }) => [common(teamsOf(wire).map((row) => row.season)) ?? `${season}`, `${season}`],
    },
  }),
})

/** Runs of every team in games dated before `before`, or in the whole season. */
export const standings = (
  { ask, upstream }: Upstream.Source,
  season: number,
  before: string | undefined,
): Effect.Effect<TeamLines, UpstreamError> =>
  Effect.gen(function* () {
    const asked = { season, before }
    const lines = teamsOf(yield* ask(table, asked)).map(
      ({ team, gamesPlayed, runsScored, runsAllowed, leagueRecord }) => ({
        ...{ id: team.id, games: gamesPlayed, scored: runsScored, allowed: runsAllowed, wins: leagueRecord?.wins },
      }),
    )
    const reason = implausibleStandings(lines, before === undefined || before.slice(5) >= seasonRuns)
    if (reason !== undefined) return yield* implausible(upstream, reason)
    return {
      lines: new Map(lines.map(({ id, games, scored, allowed }) => [id, { games, scored, allowed }])),
      ...(yield* cite("standings", path, queryOf(asked))),
    }
  })

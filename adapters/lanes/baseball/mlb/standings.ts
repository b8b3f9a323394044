import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type StandingLine, whyImplausibleStandings } from "../../../../core/lanes/baseball/plausible.ts"
import type { TeamLines } from "../../../../core/lanes/baseball/ports.ts"
import { makeIdentityCheck, sharedValue } from "../../../../core/sources/identity.ts"
import { addDays } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import type { UpstreamError } from "../../../runtime/upstream/upstream.ts"
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

/** American and National League. */
const leagues = "103,104"

interface Asked {
  readonly season: number
  /** Only games before this day count; absent for the whole season. */
  readonly before: string | undefined
}

const toQuery = ({ season, before }: Asked) => ({
  leagueId: leagues,
  season: String(season),
  standingsTypes: "regularSeason",
  ...(before !== undefined && { date: addDays(before, -1) }),
})

const listTeams = ({ records }: typeof Wire.Type) => records.flatMap(({ teamRecords }) => teamRecords)

const readLines = (wire: typeof Wire.Type): ReadonlyArray<StandingLine> =>
  listTeams(wire).map(({ team, gamesPlayed, runsScored, runsAllowed, leagueRecord }) => ({
    ...{ id: team.id, games: gamesPlayed, scored: runsScored, allowed: runsAllowed, wins: leagueRecord?.wins },
  }))

const checkIdentity = makeIdentityCheck({
  name: ({ season }: Asked) => `The standings of ${season}`,
  says: {
    season: (wire: typeof Wire.Type, { season }) => [
      sharedValue(listTeams(wire).map((row) => row.season)) ?? `${season}`,
      `${season}`,
    ],
  },
})

export const table = Upstream.question(Upstream.readJson(Wire), {
  path: () => path,
  query: toQuery,
  unstated: "The day: no team has more games than there were days in its season, from 15 March on.",
  identity: (wire, asked: Asked, now) =>
    Either.flatMap(checkIdentity(wire, asked, now), (found) => {
      const lines = readLines(found)
      const reason = whyImplausibleStandings(lines, asked.before)
      return reason === undefined ? Either.right(lines) : Either.left(reason)
    }),
})

/** Runs of every team in games dated before `before`, or in the whole season. */
export const standings = (
  { ask }: Upstream.Source,
  season: number,
  before: string | undefined,
): Effect.Effect<TeamLines, UpstreamError> =>
  Effect.gen(function* () {
    const asked = { season, before }
    const lines = yield* ask(table, asked)
    return {
      lines: new Map(lines.map(({ id, games, scored, allowed }) => [id, { games, scored, allowed }])),
      ...(yield* cite("standings", path, toQuery(asked))),
    }
  })

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { whyImplausibleSlate } from "../../../../core/lanes/baseball/plausible.ts"
import type { ListedGame, ListedSide, Listings, Sourced } from "../../../../core/lanes/baseball/ports.ts"
import { makeIdentityCheck, sharedValue } from "../../../../core/sources/identity.ts"
import { isDay } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import type { UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { cite } from "./cite.ts"

const path = "/api/v1/schedule"

const Count = Schema.Int.pipe(Schema.nonNegative())
const Id = Schema.Int.pipe(Schema.positive())
const Text = Schema.String.pipe(Schema.minLength(1))

const Side = Schema.Struct({
  team: Schema.Struct({ id: Id, name: Text, venue: Schema.optional(Schema.Struct({ id: Id })) }),
  leagueRecord: Schema.Struct({ wins: Count, losses: Count }),
  /** Runs so far; 0 before the game, or absent. */
  score: Schema.optional(Count),
  probablePitcher: Schema.optional(Schema.Struct({ id: Id, fullName: Schema.optional(Text) })),
})

const Row = Schema.Struct({
  gamePk: Id,
  gameType: Text,
  season: Schema.String.pipe(Schema.pattern(/^\d{4}$/)),
  gameDate: Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/)),
  /** Absent until 2019; then the date of the game's list is used. */
  officialDate: Schema.optional(Schema.String.pipe(Schema.filter(isDay))),
  status: Schema.Struct({ abstractGameState: Text, detailedState: Text }),
  teams: Schema.Struct({ home: Side, away: Side }),
  venue: Schema.Struct({ id: Schema.optional(Id), name: Text }),
  doubleHeader: Text,
  gameNumber: Id,
  /** Of a suspended game: under its first date the day on which it goes on, under that day its first date. */
  resumeGameDate: Schema.optional(Text),
  resumedFromDate: Schema.optional(Text),
})

const Wire = Schema.Struct({
  totalGames: Schema.optional(Count),
  dates: Schema.Array(
    Schema.Struct({ date: Schema.String.pipe(Schema.filter(isDay)), games: Schema.Array(Schema.Unknown) }),
  ),
})

const readPhase = ({ abstractGameState, detailedState }: (typeof Row.Type)["status"]): ListedGame["phase"] => {
  // The league marks a postponed game as final.
  if (/^(Postponed|Cancelled)/.test(detailedState)) return "off"
  return abstractGameState === "Final" ? "over" : abstractGameState === "Live" ? "live" : "scheduled"
}

const readSide = ({ team, leagueRecord, probablePitcher }: typeof Side.Type): ListedSide => ({
  teamId: team.id,
  name: team.name,
  wins: leagueRecord.wins,
  losses: leagueRecord.losses,
  ...(probablePitcher?.fullName !== undefined && {
    starter: { id: probablePitcher.id, name: probablePitcher.fullName },
  }),
})

const readScore = ({ status, teams: { home, away } }: typeof Row.Type): Pick<ListedGame, "score"> =>
  readPhase(status) === "over" && home.score !== undefined && away.score !== undefined
    ? { score: { home: home.score, away: away.score } }
    : {}

const readGame = (date: string, row: typeof Row.Type): ListedGame => {
  const homeVenue = row.teams.home.team.venue?.id
  return {
    gamePk: row.gamePk,
    season: Number(row.season),
    type: row.gameType,
    firstPitch: Date.parse(row.gameDate),
    officialDate: row.officialDate ?? date,
    state: row.status.detailedState,
    phase: readPhase(row.status),
    ...readScore(row),
    venue: row.venue.name,
    neutral: homeVenue !== undefined && row.venue.id !== undefined && homeVenue !== row.venue.id,
    doubleHeader: row.doubleHeader,
    gameNumber: row.gameNumber,
    ...((row.resumeGameDate ?? row.resumedFromDate) !== undefined && { suspended: true }),
    home: readSide(row.teams.home),
    away: readSide(row.teams.away),
  }
}

const decodeRow = Schema.decodeUnknownEither(Row)

/** A listing of a date; undefined if it is unreadable, for example without teams. */
export const readListing = (date: string, row: unknown): ListedGame | undefined =>
  Either.getOrUndefined(
    Either.filterOrLeft(
      Either.map(decodeRow(row), (read) => readGame(date, read)),
      ({ firstPitch }) => !Number.isNaN(firstPitch),
      () => undefined,
    ),
  )

/** The first unreadable field of a listing. */
const describeFault = (row: unknown): string =>
  Either.match(decodeRow(row), {
    onLeft: (error) => ParseResult.ArrayFormatter.formatErrorSync(error)[0]!,
    onRight: () => undefined,
  })?.path.join(".") ?? "gameDate"

const fields = [
  ...["totalGames", "dates", "date", "games", "gamePk", "gameType", "season", "gameDate", "officialDate", "status"],
  ...["abstractGameState", "detailedState", "teams", "home", "away", "team", "id", "name", "venue", "leagueRecord"],
  ...["wins", "losses", "probablePitcher", "fullName", "doubleHeader", "gameNumber", "score"],
  ...["resumeGameDate", "resumedFromDate"],
].join(",")

/** Days, or one game by its number. */
export type Asked = { readonly startDate: string; readonly endDate: string } | { readonly gamePks: string }

const toQuery = (asked: Asked): Readonly<Record<string, string>> => ({ sportId: "1", ...asked })
const cited = (asked: Asked) => cite("schedule", path, toQuery(asked))

const listGamePks = ({ dates }: typeof Wire.Type) =>
  dates.flatMap(({ games }) => games.map((game) => String((game as { readonly gamePk?: unknown } | null)?.gamePk)))

/** The listings of a schedule; left if it cannot be one. */
const read = ({ dates, totalGames }: typeof Wire.Type): Either.Either<Omit<Listings, keyof Sourced>, string> => {
  const rows = dates.flatMap(({ date, games }) => games.map((row) => readListing(date, row)))
  if (totalGames !== undefined && totalGames !== rows.length) {
    return Either.left(`It has ${rows.length} of ${totalGames} games`)
  }
  const games = rows.filter((row) => row !== undefined)
  if (rows.length > 0 && games.length === 0) {
    const reason = describeFault(dates.flatMap((each) => each.games)[0])
    return Either.left(`None of ${rows.length} games could be parsed: ${reason}`)
  }
  const reason = whyImplausibleSlate(games)
  return reason === undefined ? Either.right({ games, unreadable: rows.length - games.length }) : Either.left(reason)
}

const checkIdentity = makeIdentityCheck({
  name: () => "The schedule",
  says: {
    date: ({ dates }: typeof Wire.Type, asked: Asked) => {
      const { startDate: from, endDate: to } = "gamePks" in asked ? { startDate: "", endDate: "9" } : asked
      const range = `from ${from} to ${to}`
      return [dates.find(({ date }) => date < from || date > to)?.date ?? range, range]
    },
    gamePk: (wire, asked) =>
      "gamePks" in asked ? [sharedValue(listGamePks(wire)) ?? asked.gamePks, asked.gamePks] : [0, 0],
  },
})

export const listed = Upstream.question(Upstream.readJson(Wire), {
  path: () => path,
  query: (asked: Asked) => ({ ...toQuery(asked), hydrate: "probablePitcher,team", fields }),
  identity: (wire, asked: Asked, now) => Either.flatMap(checkIdentity(wire, asked, now), read),
})

export const schedule = ({ ask }: Upstream.Source, asked: Asked): Effect.Effect<Listings, UpstreamError> =>
  Effect.zipWith(ask(listed, asked), cited(asked), (found, sourced) => ({ ...found, ...sourced }))

/** The service's own 404 for an unknown id; a proxy's 404 has another body. */
const isUnknown = ({ status, body = "" }: UpstreamError): boolean =>
  status === 404 && /"message"\s*:\s*"Object not found"/.test(body)

/** The listings of one game; none for an unknown game. */
export const listings = (source: Upstream.Source, gamePk: string): Effect.Effect<Listings, UpstreamError> => {
  const asked = { gamePks: gamePk }
  return Effect.catchIf(schedule(source, asked), isUnknown, () =>
    Effect.map(cited(asked), (sourced) => ({ games: [], unreadable: 0, ...sourced })),
  )
}

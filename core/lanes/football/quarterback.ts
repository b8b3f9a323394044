import * as Schema from "effect/Schema"
import type { Confidence } from "../../endpoint/Answer.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step, when } from "../../endpoint/explain.ts"
import * as Param from "../../endpoint/Param.ts"
import { fillPath, type QueryParams } from "../../endpoint/path.ts"
import { behind, type Coverage, gapLines, isBehind, type Period } from "../../feeds/Due.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { wire } from "../../wire.ts"
import { change, notFound, suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { dataTerms } from "../fields.ts"
import { checkSeason, findGamesSeason } from "./data/calendar.ts"
import { filterPeriods, nflFeeds, toSeasonStart } from "./data/coverage.ts"
import { currentSeasonWords as currentSeason, QuarterbackLines, seasonParam as seasonFrom } from "./fields.ts"
import { type Career, Quarterbacks, type QuarterbackWeek } from "./ports.ts"
import { failNotLoaded, findNewest, formatSeasons, listMissing, listSources, toProvenance } from "./summary.ts"

type QuarterbackResult = Extract<QuarterbackLines, { readonly player: string }>
type Row = QuarterbackResult["weeks"][number]

const maxCandidates = 10

/** Simplifies a name: no accents, no punctuation, lower case. "D’Andre Swift Jr." becomes "dandre swift jr". */
const simplifyName = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[\u0300-\u036f.'’`-]/g, "")
    .toLowerCase()
    .trim()
    .replace(/\s+/g, " ")

const gsisIdPattern = /^\d{2}-\d{7}$/

const compareCareers = (a: Career, b: Career): number =>
  b.lastSeason - a.lastSeason ||
  b.lastWeek - a.lastWeek ||
  b.attempts - a.attempts ||
  (a.playerId < b.playerId ? -1 : 1)

/**
 * Finds the quarterbacks that match a text, most recent first: the one with that GSIS id, those with exactly that name or, if
 * there are none, all whose name contains it.
 */
export const findQuarterbacks = (careers: ReadonlyArray<Career>, name: string): ReadonlyArray<Career> => {
  if (gsisIdPattern.test(name.trim())) return careers.filter(({ playerId }) => playerId === name.trim())
  const wanted = simplifyName(name)
  if (wanted === "") return []
  const exact = careers.filter(({ player }) => simplifyName(player) === wanted)
  const matches = exact.length > 0 ? exact : careers.filter(({ player }) => simplifyName(player).includes(wanted))
  return [...matches].sort(compareCareers)
}

const countNames = [
  ...(["completions", "attempts", "passingYards", "passingTds", "interceptions", "sacksSuffered"] as const),
] as const
const toStats = wire<QuarterbackWeek>()(countNames)

const toRow: (week: QuarterbackWeek) => Row = wire<QuarterbackWeek>()(
  [
    ...(["season", "week", "playerId", "player", "code", "opponentCode"] as const),
    ...([...countNames, "passingEpa", "cpoe", "rushingYards", "rushingTds"] as const),
  ],
  { player: "player_name", code: "team", opponentCode: "opponent" },
)

const meanDefined = (values: ReadonlyArray<number | undefined>): number | undefined => {
  const there = values.filter((value) => value !== undefined)
  return there.length === 0 ? undefined : there.reduce((sum, value) => sum + value, 0) / there.length
}

/** Sums of the counts and unweighted means of the rates, over the weeks that have them. */
const aggregateWeeks = (weeks: ReadonlyArray<QuarterbackWeek>): QuarterbackResult["aggregates"] => {
  const sums = { completions: 0, attempts: 0, passing_yards: 0, passing_tds: 0, interceptions: 0, sacks_suffered: 0 }
  for (const week of weeks) {
    for (const [name, value] of Object.entries(toStats(week))) sums[name as keyof typeof sums] += value
  }
  return {
    weeks: weeks.length,
    ...sums,
    ...ifDefined("epa_per_week", meanDefined(weeks.map(({ passingEpa }) => passingEpa))),
    ...ifDefined("cpoe_mean", meanDefined(weeks.map(({ cpoe }) => cpoe))),
  }
}

const toCandidate = wire<Career>()(
  ["playerId", "player", "code", "position", "firstSeason", "lastSeason", "attempts"],
  { code: "team" },
)

const firstSeason = 2002

const describeNotLoaded = (seasons: ReadonlyArray<number>, weeks: string): ReadonlyArray<string> =>
  seasons.length === 0
    ? []
    : [`season${seasons.length === 1 ? "" : "s"} ${formatSeasons(seasons)} not loaded: ${weeks} weeks may be missing`]

/**
 * 1 if all seasons are loaded that may hold the requested weeks; 0.5 if a season or week since the oldest returned week is
 * missing; 0.9 if fewer weeks than requested were found and an earlier season is missing.
 */
const scoreConfidence = (
  weeks: ReadonlyArray<QuarterbackWeek>,
  last: number,
  carried: ReadonlyArray<number>,
  current: number,
  gaps: ReadonlyArray<Period>,
): Confidence => {
  const oldest = weeks.at(-1)?.season ?? current
  const since = listMissing(carried, oldest, current)
  const missingSeasons = weeks.length < last ? listMissing(carried, firstSeason, oldest - 1) : []
  const isCut = since.length > 0 || gaps.length > 0
  return recorded(
    isCut ? 0.5 : missingSeasons.length > 0 ? 0.9 : 1,
    describeWeeks(weeks),
    ...describeNotLoaded(since, "more recent"),
    ...gapLines(nflFeeds.quarterbacks, gaps),
    ...describeNotLoaded(missingSeasons, "earlier"),
  )
}

const describeWeeks = (weeks: ReadonlyArray<QuarterbackWeek>): string => plural(weeks.length, "recorded week")

const toPath = (params: QueryParams): string => fillPath("/v1/nfl/qb", params)

const toCareerLink = ({ playerId }: Career) => ({ id: playerId, endpoints: [toPath({ player: playerId })] })

const answerCandidates = (query: string, matches: ReadonlyArray<Career>): Endpoint.AnswerDraft<QuarterbackLines> => {
  const shown = matches.slice(0, maxCandidates)
  return {
    results: { ambiguous: true, query, candidates: shown.map(toCandidate) },
    explained: explain(
      step(
        `Found ${matches.length} quarterbacks for ${JSON.stringify(query)}.`,
        cite("quarterback registry", toPath({ player: query })),
      ),
      `Ambiguous name: returned ${shown.length === matches.length ? `all ${matches.length}` : `the ${shown.length} most recent`}, not charged.`,
    ),
    // The chance that a random one of the players is meant.
    confidence: {
      score: Math.round(100 / matches.length) / 100,
      label: "reasoned",
      factors: [`${matches.length} players match`],
    },
    links: shown.map(toCareerLink),
    billable: false,
    extras: {
      suggestions: shown
        .slice(0, 3)
        .map(({ playerId, player }) => suggest("nfl_qb", { player: playerId }, `Stat lines of ${player}.`)),
    },
  }
}

/** Whether no week of a season is due yet, according to the register of feeds. */
const isNotYetDue = (covered: Coverage | undefined, season: number): boolean =>
  covered !== undefined && (covered.expected?.order ?? 0) < toSeasonStart(season)

/** The stat lines of one quarterback, or the candidates of an ambiguous name, which are not charged. */
export const qb = Endpoint.make("/v1/nfl/qb", {
  ...dataTerms(2_000),
  summary: "A quarterback's weekly stats and totals",
  use: "Passing yards, touchdowns, interceptions of a player by week.",
  example: { player: "mahomes", last: 10 },
  params: Schema.Struct({
    player: Param.text(80, "Name or GSIS id. Part of a name is enough; an exact full name beats partial matches."),
    season: seasonFrom(2002, "Only weeks of this season."),
    last: Param.withDefault(Param.integer(1, 60, "The most recent weeks returned."), 20),
  }),
  check: checkSeason(findGamesSeason, currentSeason),
  results: QuarterbackLines,
  ports: { quarterbacks: Quarterbacks, feeds: Feeds },
  answer: function* ({ player: name, season, last }, { quarterbacks, feeds }, give) {
    const now = yield* Step.now
    const current = findGamesSeason(now)
    const covered = yield* feeds.coverage(nflFeeds.quarterbacks)
    if (covered !== undefined && isBehind(covered) && (season === undefined || season === current)) {
      const older = change("season", `Send a season before ${current}.`)
      return yield* behind(nflFeeds.quarterbacks, covered, now, older)
    }
    const carried = yield* quarterbacks.seasons
    if (season !== undefined && !carried.includes(season) && !isNotYetDue(covered, season)) {
      return yield* failNotLoaded("The stat lines", season)
    }
    const matches = findQuarterbacks(yield* quarterbacks.careers, name)
    const [career] = matches
    const lacking = [...(covered?.gaps ?? []), ...(covered?.missing ?? [])]
    const wantedPeriods = season === undefined ? lacking : filterPeriods(lacking, season)
    if (career === undefined && wantedPeriods.length > 0) {
      // He may have played in the missing weeks.
      return yield* behind(nflFeeds.quarterbacks, { ...covered!, missing: wantedPeriods }, now)
    }
    if (career === undefined) {
      return yield* notFound(
        `No quarterback in ${formatSeasons(carried)} matches ${JSON.stringify(name)}.`,
        change("player", "Send a part of the name, such as the last name, or a GSIS id."),
      )
    }
    if (matches.length > 1) return give(answerCandidates(name, matches))
    const weeks = yield* quarterbacks.weeks(career.playerId, { ...ifDefined("season", season), last })
    const seasonWords = season === undefined ? "" : ` of ${season}`
    const oldest = season ?? weeks.at(-1)?.season ?? current
    const gaps = (covered?.gaps ?? []).filter(
      ({ order }) => order >= toSeasonStart(oldest) && order < toSeasonStart((season ?? current) + 1),
    )
    const locator = toPath({ player: career.playerId, ...ifDefined("season", season), last })
    return give({
      results: {
        player: career.player,
        player_id: career.playerId,
        team: weeks[0]?.code ?? career.code,
        aggregates: aggregateWeeks(weeks),
        weeks: weeks.map(toRow),
        quality_flags: gaps.length === 0 ? [] : ["stat_lines_incomplete"],
        ...(weeks.length === 0 ? {} : toProvenance(findNewest(weeks)!)),
      },
      explained: explain(
        `Found one quarterback for ${JSON.stringify(name)}: ${career.player}, ${career.playerId}.`,
        season === undefined
          ? `Loaded seasons: ${formatSeasons(carried)}; the current season is ${current}.`
          : carried.includes(season)
            ? `Season ${season} is loaded.`
            : `No week of ${season} is due yet.`,
        step(
          `Summed the ${weeks.length === 1 ? "most recent week" : `${weeks.length} most recent weeks`}${seasonWords}.`,
          ...listSources(weeks).map((source) => cite(source, locator)),
        ),
        when(covered?.newest, ({ name }) => `The newest stat lines are those of ${name}.`),
        ...gapLines(nflFeeds.quarterbacks, gaps),
      ),
      confidence:
        season === undefined
          ? scoreConfidence(weeks, last, carried, current, gaps)
          : recorded(gaps.length === 0 ? 1 : 0.5, describeWeeks(weeks), ...gapLines(nflFeeds.quarterbacks, gaps)),
      links: [toCareerLink(career)],
      extras: {
        suggestions: [suggest("nfl_games", { season: weeks[0]?.season ?? career.lastSeason }, "Games of these weeks.")],
      },
    })
  },
})

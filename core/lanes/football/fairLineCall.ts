import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Confidence } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { present } from "../../endpoint/Field.ts"
import { type Failure, fail } from "../../Failure.ts"
import { plural } from "../../text.ts"
import { day, hour, iso } from "../../time.ts"
import { calledOffAfter, gamesSeason } from "./data/calendar.ts"
import { beforehand } from "./data/Game.ts"
import type { Lines } from "./data/lines.ts"
import type { Team } from "./data/teams.ts"
import type { FootballMethods } from "./endpoints.ts"
import { endpoints } from "./endpoints.ts"
import type { FairLine } from "./model/fairLine.ts"
import { inputsOf } from "./model/inputs.ts"
import { linkFor, predict, trained } from "./model/Model.ts"
import { driversOf, lineOf, outputOf } from "./model/output.ts"
import type { Rated, Ratings } from "./model/Ratings.ts"
import type { GameRecord, Games, League } from "./ports.ts"
import { codesOf, lineFlags, notCarried, siteOf, spreadAndTotal } from "./summary.ts"

type Results = Endpoint.Results<typeof endpoints.fairLine>
type Asked = Parameters<FootballMethods["fairLine"]>[0]

/** The first season that has a schedule. */
const firstSeason = 1999

/** The schedule is looked at several times a day: after this, lines of games to come rest on finals that are missing. */
const staleAfter = 36 * hour
/** A game is over by then, if it is played at all. */
const gameLasts = 6 * hour

const plays = (team: Team, { game }: GameRecord): boolean => game.home.team === team || game.away.team === team

/** Games without a final that should have one. A game that was called off is missed for two weeks. */
const missingFinals = ({ seasons }: League, now: number): number =>
  seasons
    .slice(-2)
    .flatMap(({ records }) => records)
    .filter(
      ({ game, kickoffAt }) =>
        game.score === undefined && kickoffAt < now - gameLasts && kickoffAt > now - calledOffAfter,
    ).length

/** Why nothing is said of games to come: nobody has looked at their season's schedule for long. */
const stale = ({ checkedAt }: League, season: number, now: number): Failure | undefined => {
  const at = checkedAt.get(season)!
  return now - at > staleAfter
    ? fail("data_freshness_stale", {
        detail: `The schedule of ${season} was last looked at ${iso(at)}.`,
        retryAfterMs: 600_000,
      })
    : undefined
}

const resolve = (league: League, { game_id, team, opponent }: Asked, now: number): GameRecord | Failure => {
  const current = gamesSeason(now)
  const seasonOf = (wanted: number) => league.seasons.find(({ season }) => season === wanted)
  if (game_id !== undefined) {
    const asked = Number(game_id.slice(0, 4))
    const season = seasonOf(asked)
    const found = season?.records.find(({ game }) => game.id === game_id)
    if (found !== undefined) return found
    if (season === undefined && asked >= firstSeason && asked <= current) return notCarried("The games", asked)
    return fail("not_found", {
      detail: `There is no game ${game_id}.`,
      hints: [{ field: "game_id", action: "change", suggestion: "Send a game_id as /v1/nfl/games returns it." }],
    })
  }
  if (seasonOf(current) === undefined) return notCarried("The games", current)
  const next = league.seasons
    .slice(-2)
    .flatMap(({ records }) => records)
    .filter(
      (record) => record.kickoffAt > now && plays(team!, record) && (opponent === undefined || plays(opponent, record)),
    )
    .reduce<GameRecord | undefined>(
      (first, record) => (first === undefined || record.kickoffAt < first.kickoffAt ? record : first),
      undefined,
    )
  if (next !== undefined) return next
  const old = stale(league, league.seasons.at(-1)!.season, now)
  if (old !== undefined) return old
  const [field, whom] = opponent === undefined ? ["team", team] : ["opponent", `${team} against ${opponent}`]
  return fail("not_found", {
    detail: `No game of ${whom} is on the schedule now.`,
    hints: [{ field, action: "change", suggestion: "Send a game_id, as returned by /v1/nfl/games, or another team." }],
  })
}

/** The gap to the posted line; a side is named where there is one. */
export const edgeOf = (
  { homeMargin, total }: Pick<FairLine, "homeMargin" | "total">,
  lines: Lines,
): Results["prediction"]["edge"] => {
  const spread = lines.spread === undefined ? undefined : homeMargin - lines.spread
  const over = lines.total === undefined ? undefined : total - lines.total
  if (spread === undefined && over === undefined) return undefined
  return {
    ...present("spread_points", spread),
    ...(spread === undefined || spread === 0 ? {} : { side: spread > 0 ? "home" : "away" }),
    ...present("total_points", over),
    ...(over === undefined || over === 0 ? {} : { ou: over > 0 ? "over" : "under" }),
  }
}

/**
 * How much a line leans on: 0.85 with eight games of this season behind both teams; less with every one that is missing
 * (down to 0.6 of it), with the days until kickoff (down to 0.7 of it half a year ahead), with every starter who is not
 * named yet (0.95 of it each) and while finals of the last two weeks are missing (0.9 of it). Not a win probability.
 */
export const confidenceOf = (
  { formGamesUsed, starters }: Pick<FairLine, "formGamesUsed" | "starters">,
  daysAhead: number,
  missing: number,
  flags: ReadonlyArray<string>,
): Confidence => {
  const form = Math.min(formGamesUsed.home, formGamesUsed.away)
  const assumed = [starters.home, starters.away].filter((starter) => starter.assumed).length
  const score =
    0.85 *
    (0.6 + 0.4 * Math.min(1, form / 8)) *
    (1 - 0.3 * Math.min(1, Math.max(0, daysAhead) / 180)) *
    0.95 ** assumed *
    (missing > 0 ? 0.9 : 1)
  return {
    score: Math.round(score * 100) / 100,
    label: "reasoned",
    factors: [
      `${plural(formGamesUsed.home, "game")} of this season seen of the home team, ${formGamesUsed.away} of the visitors`,
      daysAhead > 0 ? `${Math.ceil(daysAhead)} days until kickoff` : "the game has kicked off",
      ...(assumed > 0 ? [`${plural(assumed, "starting quarterback")} not named: the last one is assumed`] : []),
      ...(missing > 0 ? [`${plural(missing, "final")} of the last two weeks not in yet`] : []),
      ...flags.map((flag) => `quality flag ${flag}`),
    ],
  }
}

const summaryOf = (record: GameRecord): Results["game"] => {
  const { id, season, week, gameday } = record.game
  return { game_id: id, season, week, gameday, ...codesOf(record), ...siteOf(record) }
}

/** What each half of the blend would say alone. */
const membersOf = ({ members: { kalman, elo } }: Rated["line"], season: number) => {
  const link = linkFor(season)
  const all = link.kalman + link.elo
  return [
    { id: "kalman", margin: kalman, weight: link.kalman / all, label: "The points filter alone" },
    { id: "elo", margin: elo, weight: link.elo / all, label: "Elo alone" },
  ].map(({ id, margin, weight, label }) => ({
    id,
    label: `${label}: home margin ${margin.toFixed(1)}`,
    score: weight,
    why: "A part of the blend; the score is its share of the weights.",
  }))
}

/** The fair-line endpoint: the served model over the league. A line of a game to come can be put on the record. */
export const fairLineOver = (games: Games["Type"], ratings: Ratings): FootballMethods["fairLine"] =>
  Effect.fnUntraced(function* (asked) {
    const now = yield* Clock.currentTimeMillis
    const league = yield* games.league
    const record = resolve(league, asked, now)
    if ("code" in record) return yield* record
    const { game, lines, kickoffAt } = record
    const retrospective = now >= kickoffAt
    const old = retrospective ? undefined : stale(league, game.season, now)
    if (old !== undefined) return yield* old
    const { line, through, inputs, inputsHash } = yield* ratings.line(league, record)
    const fair_line = lineOf(line)
    const market = spreadAndTotal(lines)
    const edge = edgeOf(line, lines)
    const flags = lineFlags(lines)
    const { home, away } = game
    const missing = retrospective ? 0 : missingFinals(league, now)
    const results: Results = {
      game: summaryOf(record),
      prediction: {
        model_version: trained.model_version,
        fair_line,
        ...present("market", market),
        ...present("edge", edge),
        drivers: driversOf(line),
        as_of: iso(Math.min(now, kickoffAt)),
        inputs_hash: inputsHash,
        quality_flags: flags,
      },
      form_games_used: line.formGamesUsed,
      retrospective,
      recorded_to_track_record: false,
    }
    return {
      results,
      reasoning: [
        asked.game_id === undefined
          ? `${game.id} is the earliest game of ${asked.team}${asked.opponent === undefined ? "" : ` against ${asked.opponent}`} that has not kicked off.`
          : `Took the game ${game.id} from the schedule.`,
        through === ""
          ? "No game was played before it: every team is rated alike."
          : `Rated both teams on all finals up to ${through}${retrospective ? ", the last day of games before its own" : ""}.`,
        `Model ${trained.model_version} expects ${game.home.code} to score ${line.homeMargin.toFixed(1)} points more than ${game.away.code}.`,
        market === undefined
          ? "No line is posted: there is no edge to speak of."
          : `Compared it with the posted line: spread ${lines.spread ?? "none"}, total ${lines.total ?? "none"}.`,
      ],
      citations: [
        { step: 1, source: record.source, locator: `games/${game.id}` },
        { step: 2, source: record.source, locator: `games/..${through}` },
        ...(market === undefined ? [] : [{ step: 4, source: record.source, locator: `games/${game.id}/lines` }]),
      ],
      confidence: confidenceOf(line, (kickoffAt - now) / day, missing, flags),
      links: [
        {
          id: game.id,
          endpoints: [
            `/v1/nfl/fair-line?game_id=${game.id}`,
            // Of the season to come /v1/nfl/games says nothing yet.
            ...(game.season > gamesSeason(now)
              ? []
              : [`/v1/nfl/games?season=${game.season}&week=${game.week}&team=${home.team}`]),
          ],
        },
      ],
      freshness: games.freshness,
      ...(retrospective
        ? {}
        : {
            record: {
              lane: "football",
              endpoint: endpoints.fairLine.id,
              subject: { _tag: "Game", id: game.id },
              modelVersion: trained.model_version,
              at: now,
              params: asked,
              output: outputOf(line),
              market: lines as Readonly<Record<string, unknown>>,
              inputs: inputsOf(inputs),
              closeTime: kickoffAt,
              once: true,
              recorded: () => ({ ...results, recorded_to_track_record: true }),
            },
          }),
      extras: {
        alternatives: Effect.sync(() => membersOf(line, game.season)),
        counterfactual: Effect.map(ratings.stateBefore(league, record), (state) => {
          const moved = predict(state, { ...beforehand(game), neutral: !game.neutral })
          return {
            input: "site",
            from: game.neutral ? "neutral" : "home",
            to: game.neutral ? "home" : "neutral",
            result: lineOf(moved),
            delta: {
              home_margin: moved.homeMargin - line.homeMargin,
              win_prob_home: moved.winProbHome - line.winProbHome,
            },
          }
        }),
        suggestions: [
          { endpoint: "nfl_injuries", params: { team: home.team }, why: `Who may be missing for ${home.code}.` },
          { endpoint: "nfl_injuries", params: { team: away.team }, why: `Who may be missing for ${away.code}.` },
          { endpoint: "nfl_performance", params: {}, why: "How these lines did, misses included." },
        ],
      },
    }
  })

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Failure } from "../../../core/Failure.ts"
import * as Job from "../../../core/jobs/Job.ts"
import { hourly } from "../../../core/jobs/schedule.ts"
import { mlbFeeds } from "../../../core/lanes/baseball/due.ts"
import { trained } from "../../../core/lanes/baseball/Model.ts"
import { type Career, type ListedGame, PitchingArchive } from "../../../core/lanes/baseball/ports.ts"
import type { PitchedGame } from "../../../core/lanes/baseball/skill/states.ts"
import { addDays, dayOf } from "../../../core/time.ts"
import * as Upstream from "../../runtime/upstream/Definition.ts"
import { type RequestPolicy, toFailure, UpstreamError } from "../../runtime/upstream/upstream.ts"
import { mlb } from "./mlb/api.ts"
import { boxScore } from "./mlb/boxScore.ts"
import { pitcherLog } from "./mlb/pitcher.ts"
import { schedule } from "./mlb/schedule.ts"

/** Box scores of one run: the terms allow no bulk use, and a season of them is 2,430. */
const maxGames = 120
/** Days of one request of the schedule. */
const windowDays = 30

/** Regular season and playoffs. */
const countedTypes = /^[RFDLW]$/

const listUnstored = (games: ReadonlyArray<ListedGame>, stored: ReadonlySet<string>): ReadonlyArray<ListedGame> =>
  games.filter(
    ({ gamePk, phase, score, type }) =>
      phase === "over" && score !== undefined && countedTypes.test(type) && !stored.has(String(gamePk)),
  )

const careerKey = ({ season, pitcher }: Omit<Career, "seasons">): string => `${season}/${pitcher}`

const failureOf = (error: Failure | UpstreamError): Failure =>
  error instanceof UpstreamError ? toFailure(error) : error

const listStarters = ({ season, home, away }: PitchedGame): ReadonlyArray<Omit<Career, "seasons">> =>
  [home, away].flatMap(({ starter }) => (starter === undefined ? [] : [{ pitcher: starter, season }]))

/** Reads a game, and the careers of those who started in it for the first time this season. */
const readGame = (api: Upstream.Source, listed: ListedGame, read: Set<string>) =>
  Effect.gen(function* () {
    const { append } = yield* PitchingArchive
    const game = yield* boxScore(api, listed)
    const fresh = "refusal" in game ? [] : listStarters(game).filter((starter) => !read.has(careerKey(starter)))
    const careers = yield* Effect.forEach(fresh, ({ pitcher, season }) =>
      Effect.map(pitcherLog(api, Number(pitcher), season), ({ counts }) => ({ pitcher, season, seasons: [...counts] })),
    )
    yield* append(game, careers, yield* Clock.currentTimeMillis)
    for (const starter of fresh) read.add(careerKey(starter))
    return "refusal" in game ? `Game ${game.id} on ${game.day}: ${game.refusal}` : undefined
  })

/** After this many unreadable games in a row the source counts as down. */
const maxFailures = 3

/** Reads the games that are not stored, oldest first. */
const read = (api: Upstream.Source): Effect.Effect<Job.Synced, Failure, PitchingArchive> =>
  Effect.gen(function* () {
    const archive = yield* PitchingArchive
    const today = dayOf(yield* Clock.currentTimeMillis)
    const newest = yield* archive.newest
    // A game may be over a day after a later one.
    const first = newest === undefined ? `${trained.skill.states.season + 1}-03-01` : addDays(newest, -2)
    const careers = new Set((yield* archive.careers).map(careerKey))
    const stored = yield* archive.ids(first)
    const refused: Array<string> = []
    const failures: Array<Failure> = []
    let asked = 0
    for (let from = first; from <= today && asked < maxGames; from = addDays(from, windowDays)) {
      const to = [addDays(from, windowDays - 1), today].sort()[0]!
      const { games } = yield* Effect.mapError(schedule(api, { startDate: from, endDate: to }), toFailure)
      for (const listed of listUnstored(games, stored).slice(0, maxGames - asked)) {
        if (failures.length >= maxFailures) break
        asked += 1
        const ended = yield* Effect.either(Effect.mapError(readGame(api, listed, careers), failureOf))
        if (Either.isLeft(ended)) failures.push(ended.left)
        else if (ended.right !== undefined) refused.push(ended.right)
      }
    }
    return {
      counts: { "games asked for": asked, refused: refused.length, "not read": failures.length },
      notes: refused,
      refusals: failures.map(({ message }) => message),
    }
  })

/** Every hour: reads the box scores of finished games that are not stored. */
export const baseballPitchingJob = (settings: Upstream.Settings<"mlb">, policy: RequestPolicy = {}) =>
  Effect.flatMap(Upstream.open(mlb, settings, policy), (source) =>
    Job.sync(
      {
        name: "baseball-pitching",
        description: "Fetch the pitching of finished games from their box scores.",
        schedule: hourly(20),
      },
      Effect.succeed([{ due: mlbFeeds.boxScores, read: read(source) }]),
    ),
  )

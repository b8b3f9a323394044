import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { PlatformCrypto } from "../../../account/PlatformCrypto.ts"
import type { Failure } from "../../../Failure.ts"
import { type MakeInputs, type RecordInputs, readShared, toText } from "../../../record/captures/RecordInputs.ts"
import { canonical } from "../../../record/log/canonical.ts"
import type { Game } from "../data/Game.ts"
import { type TeamWeek, type TeamWeeks, toTeamWeekKey } from "../data/Game.ts"
import { trained } from "./Model.ts"

/** The model's inputs from one gameday: finals and expected points of the offenses, but no market's line. */
export interface Gameday {
  /** SHA-256 of its stored block. As that contains the previous gameday's hash, it covers the season so far. */
  readonly hash: string
  /** The previous gameday of the season; absent for the first. */
  readonly before?: Gameday
  readonly games: ReadonlyArray<Game>
  readonly weeks: ReadonlyArray<TeamWeek>
}

export interface LineInputs {
  /** The game as known beforehand. */
  readonly game: Game
  /** The last gameday that is used of each season, oldest first. */
  readonly seasons: ReadonlyArray<Gameday>
}

interface Block {
  readonly before: string | null
  readonly games: ReadonlyArray<Game>
  readonly weeks: ReadonlyArray<TeamWeek>
}

const StoredInputs = Schema.Struct({
  model_version: Schema.String,
  /** A `Game`, guaranteed by the hash. */
  game: Schema.Unknown,
  /** Hashes of the seasons' last gamedays. */
  seasons: Schema.Array(Schema.String),
})

const toBlock = ({ before, games, weeks }: Omit<Gameday, "hash">): Block => ({
  before: before?.hash ?? null,
  games,
  weeks,
})

const toStoredInputs = ({ game, seasons }: LineInputs): typeof StoredInputs.Type => ({
  model_version: trained.model_version,
  game,
  seasons: seasons.map(({ hash }) => hash),
})

/** Makes a gameday that follows another one; of the season's rows `weeks` only those of its games are used. */
export const buildGameday = (
  { sha256 }: Pick<PlatformCrypto["Type"], "sha256">,
  before: Gameday | undefined,
  games: ReadonlyArray<Game>,
  weeks: TeamWeeks,
): Effect.Effect<Gameday> => {
  const day = {
    ...(before !== undefined && { before }),
    games,
    weeks: games.flatMap(({ season, week, home, away }) =>
      [home, away].flatMap(({ team }) => weeks.get(toTeamWeekKey(season, week, team)) ?? []),
    ),
  }
  return Effect.map(sha256(canonical(toBlock(day))), (hash) => ({ hash, ...day }))
}

export const hashInputs = (
  { sha256 }: Pick<PlatformCrypto["Type"], "sha256">,
  inputs: LineInputs,
): Effect.Effect<string> => sha256(canonical(toStoredInputs(inputs)))

const listSeasonTo = (last: Gameday): ReadonlyArray<Gameday> => {
  const days: Array<Gameday> = []
  for (let day: Gameday | undefined = last; day !== undefined; day = day.before) days.push(day)
  return days.reverse()
}

/** The inputs of a line, as stored: each gameday under its hash, and the hashes of the seasons' last gamedays. */
export const serializeInputs =
  (inputs: LineInputs): MakeInputs =>
  (sha256) => ({
    ...toText(sha256, toStoredInputs(inputs)),
    putShared: inputs.seasons
      .flatMap(listSeasonTo)
      .map((day) => ({ hash: day.hash, text: () => canonical(toBlock(day)) })),
  })

const readSeason = (last: string): Effect.Effect<ReadonlyArray<Block>, Failure, RecordInputs> =>
  Effect.gen(function* () {
    const days: Array<Block> = []
    for (let hash: string | null = last; hash !== null; ) {
      const block: Block = (yield* readShared(hash)) as Block
      days.push(block)
      hash = block.before
    }
    return days.reverse()
  })

/** Reads a stored game and all gamedays before it, in order. */
export const readInputs = (
  value: unknown,
): Effect.Effect<{ readonly game: Game; readonly days: ReadonlyArray<Block> }, Failure, RecordInputs> =>
  Effect.gen(function* () {
    const { game, seasons } = yield* Effect.orDie(Schema.decodeUnknown(StoredInputs)(value))
    const days = yield* Effect.forEach(seasons, readSeason)
    return { game: game as Game, days: days.flat() }
  })

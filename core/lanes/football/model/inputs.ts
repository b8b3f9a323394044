import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Secrets } from "../../../account/Secrets.ts"
import type { Failure } from "../../../Failure.ts"
import { type InputsOf, part, type RecordInputs, textOf } from "../../../record/captures/RecordInputs.ts"
import { canonical } from "../../../record/log/canonical.ts"
import type { Game } from "../data/Game.ts"
import { type TeamWeek, type TeamWeeks, teamWeekKey } from "../data/TeamWeek.ts"
import { trained } from "./Model.ts"

/** What the model learns from one gameday, under its hash: the finals, and what offenses did. No market's line. */
export interface Gameday {
  /** SHA-256 of the block that is kept of it, which names the gameday before it by its own: of the season so far. */
  readonly hash: string
  /** The gameday before it in its season; absent on the first. */
  readonly before?: Gameday
  readonly games: ReadonlyArray<Game>
  readonly weeks: ReadonlyArray<TeamWeek>
}

/** Everything that a line is computed from. */
export interface Inputs {
  /** The game as it is known beforehand. */
  readonly game: Game
  /** The last gameday that was learned from in each season, the oldest first. */
  readonly seasons: ReadonlyArray<Gameday>
}

interface Block {
  readonly before: string | null
  readonly games: ReadonlyArray<Game>
  readonly weeks: ReadonlyArray<TeamWeek>
}

const Kept = Schema.Struct({
  model_version: Schema.String,
  /** A `Game`, as its hash says. */
  game: Schema.Unknown,
  /** Hashes of the seasons' last gamedays. */
  seasons: Schema.Array(Schema.String),
})

const blockOf = ({ before, games, weeks }: Omit<Gameday, "hash">): Block => ({
  before: before?.hash ?? null,
  games,
  weeks,
})

const keptOf = ({ game, seasons }: Inputs): typeof Kept.Type => ({
  model_version: trained.model_version,
  game,
  seasons: seasons.map(({ hash }) => hash),
})

/**
 * A gameday behind another one.
 *
 * @param weeks those of the season; what belongs to the games is taken
 */
export const gamedayOf = (
  { sha256 }: Pick<Secrets["Type"], "sha256">,
  before: Gameday | undefined,
  games: ReadonlyArray<Game>,
  weeks: TeamWeeks,
): Effect.Effect<Gameday> => {
  const day = {
    ...(before !== undefined && { before }),
    games,
    weeks: games.flatMap(({ season, week, home, away }) =>
      [home, away].flatMap(({ team }) => weeks.get(teamWeekKey(season, week, team)) ?? []),
    ),
  }
  return Effect.map(sha256(canonical(blockOf(day))), (hash) => ({ hash, ...day }))
}

/** The hash under which inputs are kept, whether they are or not. */
export const hashOf = ({ sha256 }: Pick<Secrets["Type"], "sha256">, inputs: Inputs): Effect.Effect<string> =>
  sha256(canonical(keptOf(inputs)))

/** The season up to a gameday, the first one first. */
const seasonTo = (last: Gameday): ReadonlyArray<Gameday> => {
  const days: Array<Gameday> = []
  for (let day: Gameday | undefined = last; day !== undefined; day = day.before) days.push(day)
  return days.reverse()
}

/** What a line is computed from: the gamedays, each under the hash that it has already, and what names the last ones. */
export const inputsOf =
  (inputs: Inputs): InputsOf =>
  (sha256) => ({
    ...textOf(sha256, keptOf(inputs)),
    parts: inputs.seasons.flatMap(seasonTo).map((day) => ({ hash: day.hash, text: () => canonical(blockOf(day)) })),
  })

/** One season's gamedays again, the first one first. */
const readSeason = (last: string): Effect.Effect<ReadonlyArray<Block>, Failure, RecordInputs> =>
  Effect.gen(function* () {
    const days: Array<Block> = []
    for (let hash: string | null = last; hash !== null; ) {
      const block: Block = (yield* part(hash)) as Block
      days.push(block)
      hash = block.before
    }
    return days.reverse()
  })

/** The game again, and every gameday that was learned from, in order. */
export const read = (
  value: unknown,
): Effect.Effect<{ readonly game: Game; readonly days: ReadonlyArray<Block> }, Failure, RecordInputs> =>
  Effect.gen(function* () {
    const { game, seasons } = yield* Effect.orDie(Schema.decodeUnknown(Kept)(value))
    const days = yield* Effect.forEach(seasons, readSeason)
    return { game: game as Game, days: days.flat() }
  })

import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import {
  type Career,
  type PitchedGames,
  PitchingArchive,
  PitchingLines,
  type RefusedGame,
} from "../../../../core/lanes/baseball/ports.ts"
import { sumCounts, toRates } from "../../../../core/lanes/baseball/skill/rates.ts"
import type { PitchedGame } from "../../../../core/lanes/baseball/skill/states.ts"
import * as Step from "../../../../core/Step.ts"
import { makeInserts } from "../../../store/engine/manyRows.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"
import * as BoxScore from "../mlb/boxScore.ts"

interface GameRow {
  readonly id: string
  readonly season: number
  readonly day: string
  readonly lines: string
}

interface CareerRow {
  readonly pitcher: string
  readonly season: number
  readonly seasons: string
}

type Sides = Pick<PitchedGame, "home" | "away">

const gameFromRow = ({ id, season, day, lines }: GameRow): PitchedGame => ({
  ...{ id, season, day },
  ...(JSON.parse(lines) as Sides),
})

const careerFromRow = ({ pitcher, season, seasons }: CareerRow): Career => ({
  ...{ pitcher, season },
  seasons: JSON.parse(seasons) as Career["seasons"],
})

const linesJson = (game: PitchedGame | RefusedGame): string | null =>
  "refusal" in game ? null : JSON.stringify({ home: game.home, away: game.away })

export const layer: Layer.Layer<PitchingArchive, never, Transactions> = Layer.effect(
  PitchingArchive,
  Effect.map(Transactions, (store) => {
    const { prepare, read, write } = store
    const names = ["id", "season", "day", "lines", "refusal", "read_at"]
    const insertGame = makeInserts(store, "mlb_pitched_games", names, "ON CONFLICT DO NOTHING")
    const insertCareer = makeInserts(
      ...([store, "mlb_pitcher_careers", ["pitcher", "season", "seasons"], "ON CONFLICT DO NOTHING"] as const),
    )
    const games = prepare<GameRow>("SELECT * FROM mlb_pitched_games WHERE lines IS NOT NULL")
    const careers = prepare<CareerRow>("SELECT * FROM mlb_pitcher_careers")
    const size = prepare<{ readonly size: number }>("SELECT count(*) AS size FROM mlb_pitched_games")
    const ids = prepare<{ readonly id: string }>("SELECT id FROM mlb_pitched_games WHERE day >= ?")
    const newest = prepare<{ readonly day: string | null }>("SELECT max(day) AS day FROM mlb_pitched_games")
    return {
      games: Effect.map(
        read(() => games.all()),
        (rows) => rows.map(gameFromRow),
      ),
      careers: Effect.map(
        read(() => careers.all()),
        (rows) => rows.map(careerFromRow),
      ),
      size: Effect.map(
        read(() => size.get()),
        (row) => Number(row!.size),
      ),
      ids: (day) =>
        Effect.map(
          read(() => ids.all(day)),
          (rows) => new Set(rows.map(({ id }) => id)),
        ),
      newest: Effect.map(
        read(() => newest.get()),
        (row) => row?.day ?? undefined,
      ),
      append: (game, own, readAt) => {
        const refusal = "refusal" in game ? game.refusal : null
        const rows = own.map(({ pitcher, season, seasons }) => [pitcher, season, JSON.stringify(seasons)])
        return Effect.asVoid(
          write(
            Step.fn(function* () {
              if (rows.length > 0) yield* insertCareer.run(rows)
              return yield* insertGame.run([[game.id, game.season, game.day, linesJson(game), refusal, readAt]])
            }),
          ),
        )
      },
    }
  }),
)

/** Games of a whole season: fewer do not give the league's rates. */
const minSeasonGames = 2_000

interface Stored {
  readonly games: ReadonlyArray<PitchedGame>
  readonly careers: ReadonlyArray<Career>
}

/** The pitching before a day, with the starters' careers and the league's rates of whole seasons. */
const pitchedGames = ({ games, careers }: Stored, before: string, fetchedAt: number): PitchedGames => {
  const league = new Map(
    Object.entries(Arr.groupBy(games, ({ season }) => String(season)))
      .filter(([, own]) => own.length >= minSeasonGames)
      .map(([season, own]) => [
        Number(season),
        toRates(sumCounts(own.flatMap(({ home, away }) => [home.counts, away.counts]))),
      ]),
  )
  const countsBySeason = new Map(
    careers.flatMap(({ pitcher, seasons }) => seasons.map(([season, counts]) => [`${season}/${pitcher}`, counts])),
  )
  return {
    games: games.filter(({ day }) => day < before),
    careers: {
      of: (pitcher, season) => countsBySeason.get(`${season}/${pitcher}`),
      league: (season) => league.get(season),
    },
    ...BoxScore.source,
    fetchedAt,
    stale: false,
  }
}

const maxKept = 8

/** Over stored pitching only. */
export const layerLines: Layer.Layer<PitchingLines, never, PitchingArchive> = Layer.effect(
  PitchingLines,
  Effect.map(PitchingArchive, (archive) => {
    let stored: { readonly size: number; readonly rows: Stored } | undefined
    const cache = new BoundedMap<string, PitchedGames>(maxKept)
    return {
      freshness: "live",
      until: (season, before) =>
        Step.gen(function* () {
          const size = yield* archive.size
          if (stored?.size !== size) {
            stored = { size, rows: yield* Effect.all({ games: archive.games, careers: archive.careers }) }
            cache.clear()
          }
          const key = `${season}/${before}`
          const there = cache.get(key) ?? pitchedGames(stored.rows, before, yield* Step.now)
          cache.set(key, there)
          return there
        }),
    }
  }),
)

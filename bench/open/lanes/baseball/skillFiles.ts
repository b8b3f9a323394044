import * as Either from "effect/Either"
import type { FileFormat } from "../../../../core/csv/FileFormat.ts"
import {
  type CellResult,
  type Row,
  readDay,
  readInteger,
  readRequiredText,
  readText,
  rowError,
} from "../../../../core/csv/row.ts"
import {
  maxAppearances,
  maxFacedPerGame,
  maxFacedPerSeason,
  type PitchingCounts,
  whyImplausibleCounts,
} from "../../../../core/lanes/baseball/skill/rates.ts"

/** Pitching of one team in a game. */
export interface TeamGame {
  readonly game: string
  readonly day: string
  readonly season: number
  readonly isHome: boolean
  readonly team: string
  readonly counts: PitchingCounts
}

/** A pitcher's or batter's whole season. */
export interface PlayerSeason {
  readonly season: number
  readonly player: string
  readonly counts: PitchingCounts
}

/** Retrosheet's ids of a bench game and of its starters. */
export interface Starters {
  readonly id: string
  readonly season: number
  /** Absent: not matched. */
  readonly game?: string | undefined
  readonly home?: string | undefined
  readonly away?: string | undefined
}

const columnsOf: Readonly<Record<keyof PitchingCounts, string>> = {
  ...{ faced: "bf", strikeouts: "so", walks: "bb", intentional: "ibb", hitBatsmen: "hbp" },
  ...{ hits: "h", doubles: "d", triples: "t", homers: "hr" },
}

/** @param faced the column of batters faced or plate appearances */
const countsIn = (row: Row, most: number, faced = columnsOf.faced): CellResult<PitchingCounts> =>
  Either.gen(function* () {
    const counts: Record<string, number> = {}
    for (const [name, column] of Object.entries({ ...columnsOf, faced })) {
      counts[name] = yield* readInteger(row, column, 0, most)
    }
    const reason = whyImplausibleCounts(counts as unknown as PitchingCounts, most)
    return reason === undefined ? (counts as unknown as PitchingCounts) : yield* rowError(faced, `${reason}.`)
  })

const source = "Chadwick Bureau's retrosplits of Retrosheet"
const countColumns = Object.values(columnsOf)

const pitching: FileFormat<"team_pitching", TeamGame> = {
  name: "team_pitching",
  source,
  columns: ["date", "game", "home", "team", ...countColumns],
  read: (row) =>
    Either.gen(function* () {
      const day = yield* readDay(row, "date")
      return {
        day,
        season: Number(day.slice(0, 4)),
        game: yield* readRequiredText(row, "game"),
        isHome: (yield* readInteger(row, "home", 0, 1)) === 1,
        team: yield* readRequiredText(row, "team"),
        counts: yield* countsIn(row, maxFacedPerGame),
      }
    }),
  seasonOf: ({ season }) => season,
  keyOf: ({ game, isHome }) => `${game}/${isHome}`,
}

/** Whole seasons of players, by the names of their columns. */
const seasons = <Name extends string>(
  name: Name,
  player: string,
  faced: string,
  most: number,
): FileFormat<Name, PlayerSeason> => ({
  name,
  source,
  columns: ["season", player, ...countColumns.map((column) => (column === columnsOf.faced ? faced : column))],
  read: (row) =>
    Either.gen(function* () {
      return {
        season: yield* readInteger(row, "season", 1871, 2100),
        player: yield* readRequiredText(row, player),
        counts: yield* countsIn(row, most, faced),
      }
    }),
  seasonOf: ({ season }) => season,
  keyOf: (own) => `${own.season}/${own.player}`,
})

const pitchers = seasons("pitcher_seasons", "pitcher", columnsOf.faced, maxFacedPerSeason)
const batters = seasons("batter_seasons", "batter", "pa", maxAppearances)

const starters: FileFormat<"starters", Starters> = {
  name: "starters",
  source: "archive of moneylines, matched to Retrosheet",
  columns: ["id", "game", "home_starter", "away_starter"],
  read: (row) =>
    Either.gen(function* () {
      const id = yield* readRequiredText(row, "id")
      const [game, home, away] = ["game", "home_starter", "away_starter"].map((name) => readText(row, name))
      return { id, season: Number(id.slice(0, 4)), game, home, away }
    }),
  seasonOf: ({ season }) => season,
  keyOf: ({ id }) => id,
}

/** Files of the skill states and line-ups. */
export const skillFeeds = {
  team_pitching: pitching,
  pitcher_seasons: pitchers,
  batter_seasons: batters,
  starters,
} as const

/** Lines of teams, pitchers and batters, unordered. */
export interface SkillArchive {
  readonly pitching: ReadonlyArray<TeamGame>
  readonly careers: ReadonlyArray<PlayerSeason>
  readonly batters: ReadonlyArray<PlayerSeason>
  readonly starters: ReadonlyArray<Starters>
}

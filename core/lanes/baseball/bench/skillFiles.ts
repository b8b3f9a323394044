import * as Either from "effect/Either"
import type { Feed } from "../../../csv/Feed.ts"
import { type CellResult, dayIn, integerIn, type Row, requiredText, rowError, textIn } from "../../../csv/row.ts"
import { implausibleCounts, mostFaced, mostOfSeason, type PitchingCounts } from "../skill/rates.ts"

/** Pitching of one team in a game. */
export interface TeamGame {
  readonly game: string
  readonly day: string
  readonly season: number
  readonly isHome: boolean
  readonly team: string
  readonly counts: PitchingCounts
}

/** A pitcher's whole season. */
export interface PitcherSeason {
  readonly season: number
  readonly pitcher: string
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

const countsIn = (row: Row, most: number): CellResult<PitchingCounts> =>
  Either.gen(function* () {
    const counts: Record<string, number> = {}
    for (const [name, column] of Object.entries(columnsOf)) counts[name] = yield* integerIn(row, column, 0, most)
    const reason = implausibleCounts(counts as unknown as PitchingCounts, most)
    return reason === undefined ? (counts as unknown as PitchingCounts) : yield* rowError("bf", `${reason}.`)
  })

const source = "Chadwick Bureau's retrosplits of Retrosheet"
const countColumns = Object.values(columnsOf)

const pitching: Feed<"team_pitching", TeamGame> = {
  name: "team_pitching",
  source,
  columns: ["date", "game", "home", "team", ...countColumns],
  read: (row) =>
    Either.gen(function* () {
      const day = yield* dayIn(row, "date")
      return {
        day,
        season: Number(day.slice(0, 4)),
        game: yield* requiredText(row, "game"),
        isHome: (yield* integerIn(row, "home", 0, 1)) === 1,
        team: yield* requiredText(row, "team"),
        counts: yield* countsIn(row, mostFaced),
      }
    }),
  seasonOf: ({ season }) => season,
  keyOf: ({ game, isHome }) => `${game}/${isHome}`,
}

const careers: Feed<"pitcher_seasons", PitcherSeason> = {
  name: "pitcher_seasons",
  source,
  columns: ["season", "pitcher", ...countColumns],
  read: (row) =>
    Either.gen(function* () {
      return {
        season: yield* integerIn(row, "season", 1871, 2100),
        pitcher: yield* requiredText(row, "pitcher"),
        counts: yield* countsIn(row, mostOfSeason),
      }
    }),
  seasonOf: ({ season }) => season,
  keyOf: ({ season, pitcher }) => `${season}/${pitcher}`,
}

const starters: Feed<"starters", Starters> = {
  name: "starters",
  source: "archive of moneylines, matched to Retrosheet",
  columns: ["id", "game", "home_starter", "away_starter"],
  read: (row) =>
    Either.gen(function* () {
      const id = yield* requiredText(row, "id")
      const [game, home, away] = ["game", "home_starter", "away_starter"].map((name) => textIn(row, name))
      return { id, season: Number(id.slice(0, 4)), game, home, away }
    }),
  seasonOf: ({ season }) => season,
  keyOf: ({ id }) => id,
}

/** Files of the skill states. */
export const skillFeeds = { team_pitching: pitching, pitcher_seasons: careers, starters } as const

/** Lines of teams and pitchers, unordered. */
export interface SkillArchive {
  readonly pitching: ReadonlyArray<TeamGame>
  readonly careers: ReadonlyArray<PitcherSeason>
  readonly starters: ReadonlyArray<Starters>
}

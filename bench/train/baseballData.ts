import type { Played, PlayedSide } from "../../core/lanes/baseball/walk.ts"
import { type Price, priceOf } from "./baseballPrices.ts"
import { readRetrosheet } from "./baseballRetrosheet.ts"
import { earlyLine, starterKey } from "./baseballStarters.ts"
import { readCsv } from "./csvFile.ts"

/** What the model is trained on, and the market that it is measured against. */
export interface BaseballData {
  readonly games: ReadonlyArray<Played>
  /** By game id; only where both sides have a sound price. */
  readonly open: ReadonlyMap<string, Price>
  readonly close: ReadonlyMap<string, Price>
  /** Seasons that have prices. Later ones are results alone. */
  readonly priced: { readonly from: number; readonly to: number }
  /** The share of earned runs among all runs of the seasons with prices, as far as game logs tell. */
  readonly earnedShare: number | undefined
  readonly inputs: ReadonlyArray<{ readonly name: string; readonly sha256: string }>
}

type Row = Readonly<Record<string, string>>

const columns = [
  ...["season", "date", "rot_away", "rot_home", "neutral", "away", "home", "away_starter", "home_starter"],
  ...["away_score", "home_score", "away_ml_open", "home_ml_open", "away_ml_close", "home_ml_close"],
]

/** Rotation numbers tell the two games of a doubleheader apart, which day and teams do not. */
const idOf = ({ date, rot_away, rot_home }: Row): string => `${date}/${rot_away}/${rot_home}`

const sideOf = (row: Row, side: "home" | "away", allowed: ReadonlyArray<string> | undefined): PlayedSide => ({
  team: row[side]!,
  runs: Number(row[`${side}_score`]),
  starter: starterKey(row[`${side}_starter`]!),
  pitched: allowed === undefined ? undefined : earlyLine(allowed),
})

const pricesOf = (rows: ReadonlyArray<Row>, when: "open" | "close"): ReadonlyMap<string, Price> =>
  new Map(
    rows.flatMap((row) => {
      const price = priceOf(row[`home_ml_${when}`]!, row[`away_ml_${when}`]!)
      return price === undefined ? [] : [[idOf(row), price] as const]
    }),
  )

const hasScore = (row: Row): boolean => /^\d+$/.test(row["home_score"]!) && /^\d+$/.test(row["away_score"]!)

/** Until 2017 the book wrote LOS for the Dodgers; a file that takes it for the Angels would mix two teams. */
const misnamed = (row: Row): boolean =>
  (["home", "away"] as const).some((side) => row[`${side}_raw`] === "LOS" && row[side] !== "LAD")

export interface Files {
  /** Games with starters and moneylines. */
  readonly odds: string
  /** The same games with runs by inning; without it nothing is known of starters. */
  readonly innings?: string | undefined
  /** A folder of Retrosheet game logs, `GL*.TXT`, plain or gzip. */
  readonly retrosheet?: string | undefined
}

/**
 * Reads the archives.
 *
 * @throws Error naming the file and what is wrong with it: a column that is missing, a game that stands there twice
 */
export const readBaseballData = ({ odds, innings, retrosheet }: Files): BaseballData => {
  const file = readCsv<Row>(odds)
  const byInning = innings === undefined ? undefined : readCsv<Row>(innings)
  const missing = columns.find((column) => !(column in (file.rows[0] ?? {})))
  if (missing !== undefined) throw new Error(`${file.name} has no column ${missing}.`)
  if (file.rows.some(misnamed)) throw new Error(`${file.name}: LOS is not the Dodgers everywhere.`)
  if (new Set(file.rows.map(idOf)).size !== file.rows.length)
    throw new Error(`${file.name}: a game stands there twice.`)
  const runs = new Map(byInning?.rows.map((row) => [idOf(row), row]))
  const batted = (row: Row, column: "inn_a" | "inn_h") => runs.get(idOf(row))?.[column]?.split("|")
  const games = file.rows.filter(hasScore).map(
    (row): Played => ({
      id: idOf(row),
      season: Number(row["season"]),
      day: row["date"]!,
      home: sideOf(row, "home", batted(row, "inn_a")),
      away: sideOf(row, "away", batted(row, "inn_h")),
      neutral: row["neutral"] === "1",
    }),
  )
  const seasons = games.map(({ season }) => season)
  const priced = { from: Math.min(...seasons), to: Math.max(...seasons) }
  const logs = retrosheet === undefined ? undefined : readRetrosheet(retrosheet)
  return {
    games: [...games, ...(logs?.games ?? []).filter(({ season }) => season > priced.to)],
    open: pricesOf(file.rows, "open"),
    close: pricesOf(file.rows, "close"),
    priced,
    earnedShare: logs?.earnedShare(priced.to),
    inputs: [file, ...(byInning === undefined ? [] : [byInning]), ...(logs?.files ?? [])].map(({ name, sha256 }) => ({
      name,
      sha256,
    })),
  }
}

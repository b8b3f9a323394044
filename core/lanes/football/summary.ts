import { type Failure, fail } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { iso } from "../../time.ts"
import { wire } from "../../wire.ts"
import { impliedHomeWin, type MarketLines } from "./data/Game.ts"
import type { GameRecord, Provenance } from "./ports.ts"

export const toProvenance = ({ source, fetchedAt }: Provenance) => ({ source, fetched_at: iso(fetchedAt) })

/** The provenance of the newest row; undefined without rows. */
export const findNewest = (rows: ReadonlyArray<Provenance>): Provenance | undefined =>
  rows.reduce<Provenance | undefined>(
    (newest, row) => (newest === undefined || row.fetchedAt > newest.fetchedAt ? row : newest),
    undefined,
  )

/** The flag of lines whose spread favours a team that the moneylines do not. */
export const listLineFlags = (lines: MarketLines): ReadonlyArray<string> => {
  const home = impliedHomeWin(lines)
  return home !== undefined && lines.spread && lines.spread * (home - 0.5) <= 0 ? ["line_sign_conflict"] : []
}

/** Makes a function that picks posted lines; undefined if none is posted. */
const makePosted = (fields: ReadonlyArray<keyof MarketLines>) => {
  const toLines = wire<MarketLines>()(fields, { spread: "spread_line", total: "total_line" })
  return (lines: MarketLines) => {
    const all = toLines(lines)
    return Object.keys(all).length === 0 ? undefined : all
  }
}
export const toSpreadAndTotal = makePosted(["spread", "total"])
export const toPostedLines = makePosted(["spread", "total", "homeMoneyline", "awayMoneyline"])

export const toTeamCodes = ({ game: { home, away } }: GameRecord) => ({ home_team: home.code, away_team: away.code })

export const toSite = ({ game }: GameRecord) => ({
  ...ifDefined("roof", game.roof),
  ...ifDefined("surface", game.surface),
  qbs: { ...ifDefined("home", game.home.quarterbackName), ...ifDefined("away", game.away.quarterbackName) },
  ...ifDefined("stadium", game.stadium),
  ...(game.neutral && { neutral: true }),
})

export const failNothingLoaded = (detail: string): Failure =>
  fail("upstream_unavailable", { detail, retryAfterMs: 600_000 })

export const failNotLoaded = (what: string, season: number): Failure =>
  failNothingLoaded(`${what} of ${season} are not loaded yet.`)

/** The seasons from `from` to `to`, both included, that are not loaded. */
export const listMissing = (carried: ReadonlyArray<number>, from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at).filter((season) => !carried.includes(season))

/** Ascending seasons as ranges: `2015–2018, 2020`. */
export const formatSeasons = (seasons: ReadonlyArray<number>): string =>
  seasons
    .filter((season) => !seasons.includes(season - 1))
    .map((first) => {
      let last = first
      while (seasons.includes(last + 1)) last++
      return first === last ? String(first) : `${first}–${last}`
    })
    .join(", ")

/** The sources of rows, without repetitions. */
export const listSources = (rows: ReadonlyArray<Provenance>): ReadonlyArray<string> => [
  ...new Set(rows.map(({ source }) => source)),
]

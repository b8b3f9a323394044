import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import { Injuries, type InjuryRow, type ReserveRow, Top100 } from "../../../../core/lanes/football/ports.ts"
import { Sqlite } from "../../../sql/client.sqlite.ts"
import { reader } from "../../../sql/reader.ts"
import { seasonsOf } from "./feeds.ts"
import type * as Rows from "./rows.ts"

const playerOf = ({ season, team, week, code, player, gsis_id, position, source, fetched_at }: Rows.PlayerRow) => ({
  season,
  week,
  team,
  code,
  player,
  ...ifDefined("gsisId", gsis_id ?? undefined),
  ...ifDefined("position", position ?? undefined),
  source,
  fetchedAt: fetched_at,
})

const injuryOf = (row: Rows.InjuryRow): InjuryRow => ({
  ...playerOf(row),
  ...ifDefined("reportStatus", row.report_status ?? undefined),
  ...ifDefined("practiceStatus", row.practice_status ?? undefined),
  ...ifDefined("injury", row.injury ?? undefined),
})

const reserveOf = (row: Rows.ReserveRow): ReserveRow => ({
  ...playerOf(row),
  status: row.status,
  ...ifDefined("designation", row.designation ?? undefined),
})

/** The stored injury reports and rosters. */
export const layerInjuries: Layer.Layer<Injuries, never, Sqlite> = Layer.effect(
  Injuries,
  Effect.map(Sqlite, (sqlite) => {
    const { db } = sqlite
    const sql = {
      asked: db.prepare("SELECT season FROM football_feeds WHERE feed = 'injuries' AND season = ?"),
      injuries: db.prepare("SELECT * FROM football_injuries WHERE season = ? AND team = ? ORDER BY week, player"),
      newest: db.prepare(`
        SELECT * FROM football_roster_weeks WHERE season = ? AND team = ? AND week <= ?
        ORDER BY week DESC LIMIT 1`),
      reserves: db.prepare(`
        SELECT * FROM football_reserves WHERE season = ? AND team = ? AND week = ? ORDER BY player`),
    }
    const reading = reader(sqlite)
    return {
      freshness: "live",
      reported: (season, team) =>
        reading(() =>
          sql.asked.get(season) === undefined
            ? undefined
            : (sql.injuries.all(season, team) as ReadonlyArray<Rows.InjuryRow>).map(injuryOf),
        ),
      rostered: reading(seasonsOf(db, "rosters")),
      reserved: (season, team, week = 22) =>
        reading(() => {
          const newest = sql.newest.get(season, team, week) as Rows.PlayerRow | undefined
          if (newest === undefined) return undefined
          const rows = sql.reserves.all(season, team, newest.week) as ReadonlyArray<Rows.ReserveRow>
          return {
            week: newest.week,
            players: rows.map(reserveOf),
            source: newest.source,
            fetchedAt: newest.fetched_at,
          }
        }),
    }
  }),
)

interface Ranked {
  readonly rank: number
  readonly player_name: string
  readonly code: string
  readonly position: string
  readonly source: string
  readonly fetched_at: number
}

/** The stored lists. */
export const layerTop100: Layer.Layer<Top100, never, Sqlite> = Layer.effect(
  Top100,
  Effect.map(Sqlite, (sqlite) => {
    const { db } = sqlite
    const seasons = db.prepare("SELECT DISTINCT season FROM football_top100 ORDER BY season").pluck()
    const list = db.prepare("SELECT * FROM football_top100 WHERE season = ? ORDER BY rank")
    const reading = reader(sqlite)
    return {
      freshness: "live",
      seasons: reading(() => seasons.all() as ReadonlyArray<number>),
      list: (season) =>
        reading(() => {
          const rows = list.all(season) as ReadonlyArray<Ranked>
          const [first] = rows
          if (first === undefined) return undefined
          return {
            season,
            players: rows.map(({ rank, player_name, code, position }) => ({
              rank,
              player: player_name,
              code,
              position,
            })),
            source: first.source,
            fetchedAt: first.fetched_at,
          }
        }),
    }
  }),
)

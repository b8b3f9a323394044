import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import { Injuries, type InjuryRow, type ReserveRow, Top100 } from "../../../../core/lanes/football/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { Transactions } from "../../../sql/Transactions.ts"
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
export const layerInjuries: Layer.Layer<Injuries, never, Transactions> = Layer.effect(
  Injuries,
  Effect.map(Transactions, ({ prepare, read }) => {
    const sql = {
      asked: prepare("SELECT season FROM football_feeds WHERE feed = 'injuries' AND season = ?"),
      injuries: prepare<Rows.InjuryRow>(
        "SELECT * FROM football_injuries WHERE season = ? AND team = ? ORDER BY week, player",
      ),
      newest: prepare<Rows.PlayerRow>(`
        SELECT * FROM football_roster_weeks WHERE season = ? AND team = ? AND week <= ?
        ORDER BY week DESC LIMIT 1`),
      reserves: prepare<Rows.ReserveRow>(`
        SELECT * FROM football_reserves WHERE season = ? AND team = ? AND week = ? ORDER BY player`),
    }
    const reported = Step.fn(function* (season: number, team: string) {
      if ((yield* sql.asked.get(season)) === undefined) return undefined
      return (yield* sql.injuries.all(season, team)).map(injuryOf)
    })
    const reserved = Step.fn(function* (season: number, team: string, week: number) {
      const newest = yield* sql.newest.get(season, team, week)
      if (newest === undefined) return undefined
      const rows = yield* sql.reserves.all(season, team, newest.week)
      return {
        week: newest.week,
        players: rows.map(reserveOf),
        source: newest.source,
        fetchedAt: newest.fetched_at,
      }
    })
    return {
      freshness: "live",
      reported: (season, team) => read(() => reported(season, team)),
      rostered: read(seasonsOf({ prepare }, "rosters")),
      reserved: (season, team, week = 22) => read(() => reserved(season, team, week)),
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
export const layerTop100: Layer.Layer<Top100, never, Transactions> = Layer.effect(
  Top100,
  Effect.map(Transactions, ({ prepare, read }) => {
    const sql = {
      seasons: prepare<{ readonly season: number }>("SELECT DISTINCT season FROM football_top100 ORDER BY season"),
      list: prepare<Ranked>("SELECT * FROM football_top100 WHERE season = ? ORDER BY rank"),
    }
    const seasons = Step.fn(function* () {
      return (yield* sql.seasons.all()).map(({ season }) => season)
    })
    const list = Step.fn(function* (season: number) {
      const rows = yield* sql.list.all(season)
      const [first] = rows
      if (first === undefined) return undefined
      return {
        season,
        players: rows.map(({ rank, player_name, code, position }) => ({ rank, player: player_name, code, position })),
        source: first.source,
        fetchedAt: first.fetched_at,
      }
    })
    return { freshness: "live", seasons: read(seasons), list: (season) => read(() => list(season)) }
  }),
)

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import type { Team } from "../../../../core/lanes/football/data/teams.ts"
import { Injuries, type InjuryRow, type ReserveRow, Top100 } from "../../../../core/lanes/football/ports.ts"
import { mapStorageErrors } from "../../../sql/storage.ts"
import { seasonsOf } from "./feeds.ts"

interface PlayerRow {
  readonly season: number
  readonly team: Team
  readonly week: number
  readonly code: string
  readonly player: string
  readonly gsis_id: string | null
  readonly position: string | null
  readonly source: string
  readonly fetched_at: number
}

interface Injury extends PlayerRow {
  readonly report_status: string | null
  readonly practice_status: string | null
  readonly injury: string | null
}

interface Reserve extends PlayerRow {
  readonly status: string
  readonly designation: string | null
}

const playerOf = ({ season, team, week, code, player, gsis_id, position, source, fetched_at }: PlayerRow) => ({
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

const injuryOf = (row: Injury): InjuryRow => ({
  ...playerOf(row),
  ...ifDefined("reportStatus", row.report_status ?? undefined),
  ...ifDefined("practiceStatus", row.practice_status ?? undefined),
  ...ifDefined("injury", row.injury ?? undefined),
})

const reserveOf = (row: Reserve): ReserveRow => ({
  ...playerOf(row),
  status: row.status,
  ...ifDefined("designation", row.designation ?? undefined),
})

/** The stored injury reports and rosters. */
export const layerInjuries: Layer.Layer<Injuries, never, SqlClient.SqlClient> = Layer.effect(
  Injuries,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    freshness: "live",
    reported: (season, team) =>
      mapStorageErrors(
        Effect.gen(function* () {
          const [asked] = yield* sql`SELECT season FROM football_feeds WHERE feed = 'injuries' AND season = ${season}`
          if (asked === undefined) return undefined
          const rows = yield* sql<Injury>`
            SELECT * FROM football_injuries WHERE season = ${season} AND team = ${team} ORDER BY week, player`
          return rows.map(injuryOf)
        }),
      ),
    rostered: mapStorageErrors(seasonsOf(sql, "rosters")),
    reserved: (season, team, week = 22) =>
      mapStorageErrors(
        Effect.gen(function* () {
          const [newest] = yield* sql<PlayerRow>`
            SELECT * FROM football_roster_weeks WHERE season = ${season} AND team = ${team} AND week <= ${week}
            ORDER BY week DESC LIMIT 1`
          if (newest === undefined) return undefined
          const rows = yield* sql<Reserve>`
            SELECT * FROM football_reserves
            WHERE season = ${season} AND team = ${team} AND week = ${newest.week} ORDER BY player`
          return {
            week: newest.week,
            players: rows.map(reserveOf),
            source: newest.source,
            fetchedAt: newest.fetched_at,
          }
        }),
      ),
  })),
)

/** The stored lists. */
export const layerTop100: Layer.Layer<Top100, never, SqlClient.SqlClient> = Layer.effect(
  Top100,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    freshness: "live",
    seasons: mapStorageErrors(
      Effect.map(sql<{ season: number }>`SELECT DISTINCT season FROM football_top100 ORDER BY season`, (rows) =>
        rows.map(({ season }) => season),
      ),
    ),
    list: (season) =>
      mapStorageErrors(
        Effect.map(
          sql<{
            rank: number
            player_name: string
            code: string
            position: string
            source: string
            fetched_at: number
          }>`SELECT * FROM football_top100 WHERE season = ${season} ORDER BY rank`,
          ([first, ...rest]) =>
            first === undefined
              ? undefined
              : {
                  season,
                  players: [first, ...rest].map(({ rank, player_name, code, position }) => ({
                    rank,
                    player: player_name,
                    code,
                    position,
                  })),
                  source: first.source,
                  fetchedAt: first.fetched_at,
                },
        ),
      ),
  })),
)

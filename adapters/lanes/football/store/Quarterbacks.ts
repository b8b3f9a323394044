import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import { fail } from "../../../../core/Failure.ts"
import { careersOf } from "../../../../core/lanes/football/data/careers.ts"
import { type Career, Quarterbacks, type QuarterbackWeek } from "../../../../core/lanes/football/ports.ts"
import { mapStorageErrors } from "../../../sql/storage.ts"
import { seasonsOf } from "./feeds.ts"

interface Row {
  readonly player_id: string
  readonly season: number
  readonly week: number
  readonly player_name: string
  readonly position: string
  readonly code: string
  readonly opponent_code: string
  readonly completions: number
  readonly attempts: number
  readonly passing_yards: number
  readonly passing_tds: number
  readonly interceptions: number
  readonly sacks_suffered: number
  readonly passing_epa: number | null
  readonly cpoe: number | null
  readonly rushing_yards: number
  readonly rushing_tds: number
  readonly source: string
  readonly fetched_at: number
}

const weekOf = (row: Row): QuarterbackWeek => ({
  playerId: row.player_id,
  player: row.player_name,
  position: row.position,
  season: row.season,
  week: row.week,
  code: row.code,
  opponentCode: row.opponent_code,
  completions: row.completions,
  attempts: row.attempts,
  passingYards: row.passing_yards,
  passingTds: row.passing_tds,
  interceptions: row.interceptions,
  sacksSuffered: row.sacks_suffered,
  ...ifDefined("passingEpa", row.passing_epa ?? undefined),
  ...ifDefined("cpoe", row.cpoe ?? undefined),
  rushingYards: row.rushing_yards,
  rushingTds: row.rushing_tds,
  source: row.source,
  fetchedAt: row.fetched_at,
})

/** The stored stat lines. Careers are summed again only after a change of a line. */
export const layer: Layer.Layer<Quarterbacks, never, SqlClient.SqlClient> = Layer.effect(
  Quarterbacks,
  Effect.map(SqlClient.SqlClient, (sql) => {
    let cached: { readonly version: string; readonly careers: ReadonlyArray<Career> } | undefined
    return {
      freshness: "live",
      seasons: mapStorageErrors(seasonsOf(sql, "quarterbacks")),
      careers: mapStorageErrors(
        Effect.gen(function* () {
          const [row] = yield* sql<{ seasons: number; changes: number | null }>`
            SELECT COUNT(*) AS seasons, SUM(version) AS changes FROM football_feeds WHERE feed = 'quarterbacks'`
          if (row === undefined || row.seasons === 0) {
            return yield* fail("upstream_unavailable", {
              detail: "No stat lines of quarterbacks are loaded yet.",
              retryAfterMs: 600_000,
            })
          }
          const version = `${row.seasons}/${row.changes}`
          if (cached?.version === version) return cached.careers
          const lines = yield* sql<
            Pick<Row, "attempts" | "code" | "player_id" | "player_name" | "position" | "season" | "week">
          >`
            SELECT player_id, player_name, position, code, season, week, attempts FROM football_quarterback_weeks
            ORDER BY season, week`
          const careers = careersOf(
            lines.map(({ player_id, player_name, ...rest }) => ({ ...rest, playerId: player_id, player: player_name })),
          )
          cached = { version, careers }
          return careers
        }),
      ),
      weeks: (playerId, { season, last = 1_000 }) =>
        mapStorageErrors(
          Effect.map(
            sql<Row>`
              SELECT * FROM football_quarterback_weeks
              WHERE player_id = ${playerId} ${season === undefined ? sql.literal("") : sql`AND season = ${season}`}
              ORDER BY season DESC, week DESC LIMIT ${last}`,
            (rows) => rows.map(weekOf),
          ),
        ),
    }
  }),
)

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import { fail } from "../../../../core/Failure.ts"
import { careersOf } from "../../../../core/lanes/football/data/careers.ts"
import { type Career, Quarterbacks, type QuarterbackWeek } from "../../../../core/lanes/football/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { Sqlite } from "../../../sql/client.sqlite.ts"
import { reader } from "../../../sql/reader.ts"
import { seasonsOf } from "./feeds.ts"
import type { QuarterbackRow } from "./rows.ts"

interface Changes {
  readonly seasons: number
  readonly changes: number | null
}

const weekOf = (row: QuarterbackRow): QuarterbackWeek => ({
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
export const layer: Layer.Layer<Quarterbacks, never, Sqlite> = Layer.effect(
  Quarterbacks,
  Effect.map(Sqlite, (sqlite) => {
    const { db } = sqlite
    const weeks = "SELECT * FROM football_quarterback_weeks WHERE player_id = :player"
    const newestFirst = "ORDER BY season DESC, week DESC LIMIT :last"
    const sql = {
      changes: db.prepare(
        "SELECT COUNT(*) AS seasons, SUM(version) AS changes FROM football_feeds WHERE feed = 'quarterbacks'",
      ),
      lines: db.prepare(`
        SELECT player_id AS playerId, player_name AS player, position, code, season, week, attempts
        FROM football_quarterback_weeks ORDER BY season, week`),
      weeks: db.prepare(`${weeks} ${newestFirst}`),
      weeksOf: db.prepare(`${weeks} AND season = :season ${newestFirst}`),
    }
    const reading = reader(sqlite)
    let cached: { readonly version: string; readonly careers: ReadonlyArray<Career> } | undefined
    return {
      freshness: "live",
      seasons: reading(seasonsOf(db, "quarterbacks")),
      careers: Step.gen(function* () {
        const careers = yield* reading(() => {
          const { seasons, changes } = sql.changes.get() as Changes
          if (seasons === 0) return undefined
          const version = `${seasons}/${changes}`
          if (cached?.version !== version) {
            cached = { version, careers: careersOf(sql.lines.all() as Parameters<typeof careersOf>[0]) }
          }
          return cached.careers
        })
        if (careers !== undefined) return careers
        return yield* fail("upstream_unavailable", {
          detail: "No stat lines of quarterbacks are loaded yet.",
          retryAfterMs: 600_000,
        })
      }),
      weeks: (player, { season, last = 1_000 }) =>
        reading(() => {
          const rows =
            season === undefined ? sql.weeks.all({ player, last }) : sql.weeksOf.all({ player, season, last })
          return (rows as ReadonlyArray<QuarterbackRow>).map(weekOf)
        }),
    }
  }),
)

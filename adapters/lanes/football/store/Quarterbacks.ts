import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { keepByVersion } from "../../../../core/kept.ts"
import { listCareers } from "../../../../core/lanes/football/data/fileRows.ts"
import { type Career, Quarterbacks } from "../../../../core/lanes/football/ports.ts"
import { failNothingLoaded } from "../../../../core/lanes/football/summary.ts"
import * as Step from "../../../../core/Step.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"
import * as Rows from "./rows.ts"

type WeekRow = Rows.RowFrom<typeof Rows.quarterback>

/** The stored stat lines. Careers are summed again only after a change of a line. */
export const layer: Layer.Layer<Quarterbacks, never, Transactions> = Layer.effect(
  Quarterbacks,
  Effect.map(Transactions, ({ prepare, read }) => {
    const weeks = "SELECT * FROM football_quarterback_weeks WHERE player_id = ?"
    const newestFirst = "ORDER BY season DESC, week DESC LIMIT ?"
    const sql = {
      changes: prepare<{ readonly seasons: number; readonly changes: number | null }>(
        "SELECT COUNT(*) AS seasons, SUM(version) AS changes FROM football_feeds WHERE feed = 'quarterbacks'",
      ),
      lines: prepare<Parameters<typeof listCareers>[0] extends Iterable<infer Line> ? Line : never>(`
        SELECT player_id AS "playerId", player_name AS player, position, code, season, week, attempts
        FROM football_quarterback_weeks ORDER BY season, week`),
      weeks: prepare<WeekRow>(`${weeks} ${newestFirst}`),
      readWeeks: prepare<WeekRow>(`${weeks} AND season = ? ${newestFirst}`),
    }
    const careers = keepByVersion<ReadonlyArray<Career>, SqlError>()
    const readCareers = Step.fn(function* () {
      return listCareers(yield* sql.lines.all())
    })
    const current = Step.fn(function* () {
      const { seasons, changes } = (yield* sql.changes.get())!
      if (seasons === 0) return undefined
      return yield* careers("", `${seasons}/${changes}`, readCareers)
    })
    const readWeeks = Step.fn(function* (
      player: string,
      { season, last = 1_000 }: Parameters<(typeof Quarterbacks.Service)["weeks"]>[1],
    ) {
      const rows =
        season === undefined ? yield* sql.weeks.all(player, last) : yield* sql.readWeeks.all(player, season, last)
      return rows.map(Rows.withProvenance(Rows.quarterback))
    })
    return {
      freshness: "live",
      seasons: read(Rows.readSeasons({ prepare }, "quarterbacks")),
      careers: Step.gen(function* () {
        return (yield* read(current)) ?? (yield* failNothingLoaded("No stat lines of quarterbacks are loaded yet."))
      }),
      weeks: (player, which) => read(() => readWeeks(player, which)),
    }
  }),
)

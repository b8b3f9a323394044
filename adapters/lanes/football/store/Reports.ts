import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Injuries, Top100 } from "../../../../core/lanes/football/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"
import * as Rows from "./rows.ts"

export const layerInjuries: Layer.Layer<Injuries, never, Transactions> = Layer.effect(
  Injuries,
  Effect.map(Transactions, ({ prepare, read }) => {
    const sql = {
      asked: prepare("SELECT season FROM football_injuries WHERE season = ? LIMIT 1"),
      injuries: prepare<Rows.RowFrom<typeof Rows.injury>>(
        "SELECT * FROM football_injuries WHERE season = ? AND team = ? ORDER BY week, player",
      ),
      newest: prepare<Rows.Sourced & { readonly week: number }>(`
        SELECT * FROM football_roster_weeks WHERE season = ? AND team = ? AND week <= ?
        ORDER BY week DESC LIMIT 1`),
      reserves: prepare<Rows.RowFrom<typeof Rows.reserve>>(`
        SELECT * FROM football_reserves WHERE season = ? AND team = ? AND week = ? ORDER BY player`),
    }
    const reported = Step.fn(function* (season: number, team: string) {
      if ((yield* sql.asked.get(season)) === undefined) return undefined
      return (yield* sql.injuries.all(season, team)).map(Rows.withProvenance(Rows.injury))
    })
    const reserved = Step.fn(function* (season: number, team: string, week: number) {
      const newest = yield* sql.newest.get(season, team, week)
      if (newest === undefined) return undefined
      const rows = yield* sql.reserves.all(season, team, newest.week)
      return {
        week: newest.week,
        players: rows.map(Rows.withProvenance(Rows.reserve)),
        ...Rows.provenance.fromRow(newest),
      }
    })
    return {
      freshness: "live",
      reported: (season, team) => read(() => reported(season, team)),
      rostered: read(Rows.readSeasons({ prepare }, "rosters")),
      reserved: (season, team, week = 22) => read(() => reserved(season, team, week)),
    }
  }),
)

export const layerTop100: Layer.Layer<Top100, never, Transactions> = Layer.effect(
  Top100,
  Effect.map(Transactions, ({ prepare, read }) => {
    const sql = {
      seasons: prepare<{ readonly season: number }>("SELECT DISTINCT season FROM football_top100 ORDER BY season"),
      list: prepare<Rows.RowFrom<typeof Rows.ranked>>("SELECT * FROM football_top100 WHERE season = ? ORDER BY rank"),
    }
    const seasons = Step.fn(function* () {
      return (yield* sql.seasons.all()).map(({ season }) => season)
    })
    const list = Step.fn(function* (season: number) {
      const rows = yield* sql.list.all(season)
      const [first] = rows
      if (first === undefined) return undefined
      return { season, players: rows.map((row) => Rows.ranked.fromRow(row)), ...Rows.provenance.fromRow(first) }
    })
    return { freshness: "live", seasons: read(seasons), list: (season) => read(() => list(season)) }
  }),
)

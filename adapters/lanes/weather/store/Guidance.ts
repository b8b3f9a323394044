import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../../core/ifDefined.ts"
import {
  type Guidance,
  GuidanceArchive,
  maxGuidanceAge,
  SecondForecasts,
} from "../../../../core/lanes/weather/guidance/Guidance.ts"
import * as Step from "../../../../core/Step.ts"
import { columns, type RowOf } from "../../../store/engine/columns.ts"
import { makeInserts } from "../../../store/engine/manyRows.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"

/** Percentiles are stored as JSON. */
interface StoredGuidance extends Omit<Guidance, "percentilesF"> {
  readonly percentilesF?: string
}
const fields = ["station", "day", "source", "variable", "issuedAt", "tempF", "sigmaF", "percentilesF"] as const
const guidance = columns<StoredGuidance>()(fields)
type Row = RowOf<typeof guidance>

const toStored = ({ percentilesF, ...row }: Guidance): StoredGuidance => ({
  ...row,
  ...ifDefined("percentilesF", percentilesF && JSON.stringify(percentilesF)),
})

export const layerArchive: Layer.Layer<GuidanceArchive, never, Transactions> = Layer.effect(
  GuidanceArchive,
  Effect.map(Transactions, (store) => {
    const { prepare, read, write } = store
    const insert = makeInserts(store, "weather_guidance", [...guidance.names, "received_at"], "ON CONFLICT DO NOTHING")
    const newest = prepare<{ readonly at: number | null }>(
      "SELECT MAX(issued_at) AS at FROM weather_guidance WHERE source = ?",
    )
    return {
      append: (rows, receivedAt) =>
        rows.length === 0
          ? Effect.succeed(0)
          : write(() => insert.run(rows.map((row) => [...guidance.toValues(toStored(row)), receivedAt]))),
      newest: (source) =>
        Effect.map(
          read(() => newest.get(source)),
          (row) => row?.at ?? undefined,
        ),
    }
  }),
)

export const layerForecasts: Layer.Layer<SecondForecasts, never, Transactions> = Layer.effect(
  SecondForecasts,
  Effect.map(Transactions, ({ prepare, read }) => {
    const runs = prepare<Row>(`
      SELECT ${guidance.list} FROM weather_guidance
      WHERE station = ? AND day = ? AND issued_at > ? AND issued_at <= ? ORDER BY source, variable, issued_at DESC`)
    const current = Step.fn(function* (station: string, day: string, now: number) {
      const rows = yield* runs.all(station, day, now - maxGuidanceAge, now)
      return rows
        .map((row): Guidance => {
          const { percentilesF, ...rest } = guidance.fromRow(row)
          return percentilesF === undefined ? rest : { ...rest, percentilesF: JSON.parse(percentilesF) }
        })
        .filter(({ source, variable }, at, all) => all[at - 1]?.source !== source || all[at - 1]?.variable !== variable)
    })
    return { freshness: "live", current: (station, day, now) => read(() => current(station, day, now)) }
  }),
)

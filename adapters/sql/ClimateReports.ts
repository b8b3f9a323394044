import * as SqlClient from "@effect/sql/SqlClient"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import type { ClimateReport, QualityFlag } from "../../core/lanes/weather/ClimateReport.ts"
import { ClimateArchive, ClimateReports, type Issuance, newestFirst } from "../../core/lanes/weather/providers.ts"
import { inTransaction, orUnavailable } from "./storage.ts"

interface Row {
  readonly station: string
  readonly day: string
  readonly product_id: string
  readonly issued_at: number
  readonly status: "final" | "preliminary"
  readonly source: string
  readonly headline: string
  readonly correction: number
  readonly valid_as_of: string | null
  readonly high_f: number | null
  readonly low_f: number | null
  readonly high_time_local: string | null
  readonly low_time_local: string | null
  readonly precip_in: number | null
  readonly snow_in: number | null
  readonly flags: string
}

const toRow = ({ station, productId, issuedAt, source, report }: Issuance): Row => ({
  station,
  day: report.day,
  product_id: productId,
  issued_at: issuedAt,
  status: report.status,
  source,
  headline: report.station,
  correction: report.correction ? 1 : 0,
  valid_as_of: report.validAsOf ?? null,
  high_f: report.highF ?? null,
  low_f: report.lowF ?? null,
  high_time_local: report.highTimeLocal ?? null,
  low_time_local: report.lowTimeLocal ?? null,
  precip_in: report.precipIn ?? null,
  snow_in: report.snowIn ?? null,
  flags: report.flags.join(","),
})

/** Null in the store is absent in the domain. */
const present = <K extends string, A>(key: K, value: A | null): { readonly [X in K]?: A } =>
  (value === null ? {} : { [key]: value }) as { readonly [X in K]?: A }

const toReport = (row: Row): ClimateReport => ({
  station: row.headline,
  day: row.day,
  status: row.status,
  ...present("validAsOf", row.valid_as_of),
  correction: row.correction === 1,
  ...present("highF", row.high_f),
  ...present("lowF", row.low_f),
  ...present("highTimeLocal", row.high_time_local),
  ...present("lowTimeLocal", row.low_time_local),
  ...present("precipIn", row.precip_in),
  ...present("snowIn", row.snow_in),
  flags: row.flags === "" ? [] : (row.flags.split(",") as ReadonlyArray<QualityFlag>),
})

const toIssuance = (row: Row): Issuance => ({
  station: row.station,
  productId: row.product_id,
  issuedAt: row.issued_at,
  source: row.source,
  report: toReport(row),
})

/** The reports that ingest has stored. */
export const layerReports: Layer.Layer<ClimateReports, never, SqlClient.SqlClient> = Layer.effect(
  ClimateReports,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    freshness: "live",
    versions: (station, day) =>
      orUnavailable(
        Effect.map(sql<Row>`SELECT * FROM climate_reports WHERE station = ${station} AND day = ${day}`, (rows) =>
          rows.map(toIssuance).sort(newestFirst),
        ),
      ),
    latestFinalDay: (station, today) =>
      orUnavailable(
        Effect.map(
          sql<{ day: string | null }>`
            SELECT MAX(day) AS day FROM climate_reports
            WHERE station = ${station} AND status = 'final' AND day < ${today}`,
          ([row]) => row?.day ?? undefined,
        ),
      ),
  })),
)

/** Where two rows came from may differ; what they say may not. */
const content = ({ source: _, ...row }: Row): object => Data.struct(row)

export const layerArchive: Layer.Layer<ClimateArchive, never, SqlClient.SqlClient> = Layer.effect(
  ClimateArchive,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    append: (issuance, text, receivedAt) =>
      inTransaction(
        sql,
        Effect.gen(function* () {
          const row = toRow(issuance)
          const [inserted] = yield* sql`
            INSERT INTO climate_reports ${sql.insert({ ...row, received_at: receivedAt, text })}
            ON CONFLICT DO NOTHING RETURNING station`
          if (inserted !== undefined) return "stored"
          const [stored] = yield* sql<Row & { readonly text: string; readonly received_at: number }>`
            SELECT * FROM climate_reports
            WHERE station = ${row.station} AND day = ${row.day} AND product_id = ${row.product_id}`
          const { text: _text, received_at: _receivedAt, ...before } = stored!
          return Equal.equals(content(before), content(row)) ? "known" : "conflict"
        }),
      ),
  })),
)

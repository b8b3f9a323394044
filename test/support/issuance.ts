import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerArchive, layerReports } from "../../adapters/lanes/weather/store/ClimateReports.ts"
import { layerSettlement, layerStore } from "../../adapters/lanes/weather/store/VenueReadings.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import { ClimateArchive, ClimateReports, type Issuance } from "../../core/lanes/weather/ports.ts"
import type { ClimateReport } from "../../core/lanes/weather/reports/ClimateReport.ts"
import type { VenueReadings, VenueSettlement } from "../../core/lanes/weather/venue/VenueSettlement.ts"
import { anyStore } from "./anyStore.ts"
import { issuance as issuanceOf } from "./issuances.ts"

/** A test over a store in memory. */
export const inMemory = <A, E>(
  effect: Effect.Effect<
    A,
    E,
    ClimateArchive | ClimateReports | SqlClient.SqlClient | Transactions | VenueReadings | VenueSettlement
  >,
) =>
  Effect.provide(
    effect,
    Layer.mergeAll(layerArchive, layerReports, layerStore, layerSettlement).pipe(Layer.provideMerge(anyStore)),
  )

export const append = (issuance: Issuance, text = "text", receivedAt = 1) =>
  Effect.flatMap(ClimateArchive, (archive) =>
    Effect.map(archive.append([{ issuance, text }], receivedAt), ([appended]) => appended),
  )

export const versions = (station: string, day: string) =>
  Effect.flatMap(ClimateReports, (reports) => reports.versions(station, day))

export const latestFinalDay = (station: string, today: string) =>
  Effect.flatMap(ClimateReports, (reports) => reports.latestFinalDay(station, today))

export const stored = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ text: string; received_at: number }>`SELECT * FROM climate_reports ORDER BY 1`,
)

export const day = "2026-07-08"

export const issuance = (
  changes: Partial<Omit<Issuance, "report">> = {},
  report: Partial<ClimateReport> = {},
): Issuance =>
  issuanceOf(
    day,
    {
      productId: "202607090626-KOKX-CDUS41-CLINYC",
      issuedAt: Date.UTC(2026, 6, 9, 6, 26),
      source: "test",
      ...changes,
    },
    { highTimeLocal: "347 PM", lowTimeLocal: "440 AM", precipIn: 0.12, snowIn: 0, ...report },
  )

export const preliminary = (productId: string, issuedAt: number, report: Partial<ClimateReport> = {}): Issuance =>
  issuance({ productId, issuedAt }, { status: "preliminary", validAsOf: "0400 PM", flags: ["preliminary"], ...report })

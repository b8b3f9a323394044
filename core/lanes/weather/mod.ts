/**
 * The weather lane: its endpoints, ports and service, climate reports, the temperature model, stations, and how the venue's
 * source agrees with the reports.
 *
 * @module
 */

export { pricing } from "./contracts.ts"
export { endpoints } from "./endpoints.ts"
export { type Guidance, GuidanceArchive, SecondForecasts } from "./guidance/Guidance.ts"
export * from "./ports.ts"
export * as ClimateReport from "./reports/ClimateReport.ts"
export { CalibrationStore, Calibrations, EarlierForecasts, ForecastArchive } from "./signal/Calibrations.ts"
export { makeOutlook, type Outlook } from "./signal/outlook.ts"
export * as stations from "./stations.ts"
export {
  type Agreement,
  type Basis,
  countAgreement,
  isMeasured,
  pairValues,
  toBasis,
  toVenueLaw,
  type ValuePair,
} from "./venue/agreement.ts"
export type { VenueReading } from "./venue/reading.ts"
export { VenueReadings, VenueSettlement, VenueSource } from "./venue/VenueSettlement.ts"
export { Weather, type WeatherPorts } from "./Weather.ts"

/**
 * The weather lane: its endpoints, the service over its ports, and the ports.
 *
 * @module
 */

export { pricing } from "./contracts.ts"
export { endpoints, type WeatherMethods } from "./endpoints.ts"
export { weather as definition } from "./lane.ts"
export * from "./ports.ts"
export * as ClimateReport from "./reports/ClimateReport.ts"
export { type ArchivedDay, ClimateDays, type ProductFeed } from "./reports/climateSources.ts"
export { CalibrationStore, Calibrations, ForecastArchive } from "./signal/Calibrations.ts"
export { type Outlook, outlook } from "./signal/outlook.ts"
export * as stations from "./stations.ts"
export { Weather, type WeatherPorts } from "./Weather.ts"

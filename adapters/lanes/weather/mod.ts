/**
 * The weather lane's module, and its providers one by one.
 *
 * @module
 */

export { Iem, layer as iem, layerDays as liveDays } from "./iem/api.ts"
export { layer as liveReports } from "./liveReports.ts"
export { mock } from "./mock/mod.ts"
export { weather as module } from "./module.ts"
export { Nws } from "./nws/api.ts"
export { layer as liveForecasts } from "./nws/forecasts.ts"
export { layer as liveObservations } from "./nws/observations.ts"
export { layer as nws } from "./nws/source.ts"
export { layerCalibrations } from "./store/Calibrations.ts"
export { layerArchive, layerReports } from "./store/ClimateReports.ts"
export { layerSettlement as layerVenueSettlement } from "./store/VenueReadings.ts"
export { layer as venueSource } from "./twc/source.ts"

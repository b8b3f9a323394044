/**
 * The weather lane's module, and its providers one by one.
 *
 * @module
 */

export { Iem, layer as layerIem, layerDays as layerLiveDays } from "./iem/api.ts"
export { layer as layerLiveReports } from "./liveReports.ts"
export { mock } from "./mock/mod.ts"
export { weather as module } from "./module.ts"
export { Nws } from "./nws/api.ts"
export { layer as layerLiveForecasts } from "./nws/forecasts.ts"
export { layer as layerLiveObservations } from "./nws/observations.ts"
export { layer as layerNws } from "./nws/source.ts"
export { layerCalibrations } from "./store/Calibrations.ts"
export { layerArchive, layerReports } from "./store/ClimateReports.ts"
export { layerSettlement as layerVenueSettlement } from "./store/VenueReadings.ts"
export { layer as layerVenueSource } from "./twc/source.ts"

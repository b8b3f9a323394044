/**
 * The SQL adapter: one repository per port over the embedded SQLite store.
 *
 * @module
 */

export { layer as layerFootballArchive } from "../lanes/football/store/Archive.ts"
export { layer as layerFootballGames } from "../lanes/football/store/Games.ts"
export { layer as layerQuarterbacks } from "../lanes/football/store/Quarterbacks.ts"
export { layerInjuries, layerTop100 } from "../lanes/football/store/Reports.ts"
export { layerOpen as layerOpenContracts, layerStore as layerContractStore } from "../lanes/markets/store/Contracts.ts"
export {
  layerRows as layerSettledRows,
  layerScoreboard,
  layerStore as layerSettledStore,
} from "../lanes/markets/store/Settled.ts"
export {
  layerCalibrations,
  layerForecasts as layerForecastArchive,
  layerStore as layerCalibrationStore,
} from "../lanes/weather/store/Calibrations.ts"
export {
  layerArchive as layerClimateArchive,
  layerReports as layerClimateReports,
} from "../lanes/weather/store/ClimateReports.ts"
export { layer as layerAccountStore } from "./AccountStore.ts"
export { layer as layerAgentStore } from "./AgentStore.ts"
export { layer as layerCaptures } from "./Captures.ts"
export { layer as layerDeliveryQueue } from "./DeliveryQueue.ts"
export { layer as layerEntityTags } from "./EntityTags.ts"
export { layer as layerJobRuns } from "./JobRuns.ts"
export { layer as layerKeyring } from "./Keyring.ts"
export { layer as layerLedger } from "./Ledger.ts"
export { layer as layerOutcomes, layerTrackRecord } from "./Outcomes.ts"
export { layer as layerRecordInputs } from "./RecordInputs.ts"
export { layer as layerRecordLog } from "./RecordLog.ts"
export { layer as layerShadowLog } from "./ShadowLog.ts"
export { layer as layerSealedSecrets } from "./sealSecrets.ts"
export { layer as layerSqlite, StoreError, serverLock } from "./sqlite.ts"
export { sweepIdempotency } from "./sweepIdempotency.ts"
export { layer as layerWebhookStore } from "./WebhookStore.ts"

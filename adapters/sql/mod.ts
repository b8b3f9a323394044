/**
 * The SQL adapter: one repository per port over the embedded SQLite store.
 *
 * @module
 */
export { layer as layerAccountStore } from "./AccountStore.ts"
export { layer as layerAgentStore } from "./AgentStore.ts"
export { layer as layerBaseballArchive } from "./BaseballArchive.ts"
export {
  layerCalibrations,
  layerForecasts as layerForecastArchive,
  layerStore as layerCalibrationStore,
} from "./Calibrations.ts"
export { layer as layerCaptures } from "./Captures.ts"
export { layerArchive as layerClimateArchive, layerReports as layerClimateReports } from "./ClimateReports.ts"
export { layerOpen as layerOpenContracts, layerStore as layerContractStore } from "./Contracts.ts"
export { layer as layerDeliveryQueue } from "./DeliveryQueue.ts"
export { layer as layerEntityTags } from "./EntityTags.ts"
export { layer as layerFootballArchive } from "./FootballArchive.ts"
export { layer as layerFootballGames } from "./FootballGames.ts"
export { layer as layerQuarterbacks } from "./FootballQuarterbacks.ts"
export { layerInjuries, layerTop100 } from "./FootballReports.ts"
export { layer as layerJobRuns } from "./JobRuns.ts"
export { layer as layerKeyring } from "./Keyring.ts"
export { layer as layerLedger } from "./Ledger.ts"
export { layer as layerOutcomes, layerTrackRecord } from "./Outcomes.ts"
export { layer as layerRecordInputs } from "./RecordInputs.ts"
export { layer as layerRecordLog } from "./RecordLog.ts"
export {
  layerRows as layerSettledRows,
  layerScoreboard,
  layerStore as layerSettledStore,
} from "./Settled.ts"
export { layer as layerShadowLog } from "./ShadowLog.ts"
export { layer as layerSealedSecrets } from "./sealSecrets.ts"
export { layer as layerSqlite, StoreError, serverLock } from "./sqlite.ts"
export { sweepIdempotency } from "./sweepIdempotency.ts"
export { layer as layerWebhookStore } from "./WebhookStore.ts"

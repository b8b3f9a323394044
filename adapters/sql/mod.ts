/**
 * The SQL adapter: one repository per port over the embedded SQLite store.
 *
 * @module
 */
export { layer as layerAccountStore } from "./AccountStore.ts"
export { layer as layerAgentStore } from "./AgentStore.ts"
export { layer as layerCaptures } from "./Captures.ts"
export { layerArchive as layerClimateArchive, layerReports as layerClimateReports } from "./ClimateReports.ts"
export { layer as layerJobRuns } from "./JobRuns.ts"
export { layer as layerKeyring } from "./Keyring.ts"
export { layer as layerLedger } from "./Ledger.ts"
export { layer as layerShadowLog } from "./ShadowLog.ts"
export { layer as layerSqlite, StoreError, serverLock } from "./sqlite.ts"
export { sweepIdempotency } from "./sweepIdempotency.ts"

/**
 * The SQL adapter: a repository for each port, over SQLite or a client of `@effect/sql`.
 *
 * @module
 */

export { layer as layerAccountStore } from "./account/AccountStore.ts"
export { layer as layerAgentStore } from "./account/AgentStore.ts"
export { layer as layerNames } from "./account/Names.ts"
export { layer as layerKeyring } from "./account/sqlite/Keyring.ts"
export { layer as layerCalls } from "./audit/Calls.ts"
export { layer as layerUsage } from "./audit/Usage.ts"
export { layer as layerClient } from "./engine/anyClient.ts"
export { DiskSpace } from "./engine/diskGuard.ts"
export { numberTypes } from "./engine/postgres/numberTypes.ts"
export { layer as layerSqlite, StoreError } from "./engine/sqlite/open.ts"
export { Transactions } from "./engine/Transactions.ts"
export { layer as layerAlertStore } from "./events/AlertStore.ts"
export { layer as layerSealedSecrets, layerEntityTags } from "./events/sealSecrets.ts"
export { layer as layerOrderStore } from "./money/Orders.ts"
export { layer as layerLedger } from "./money/sqlite/Ledger.ts"
export { layer as layerCaptures } from "./record/Captures.ts"
export { layer as layerLawScores, layerRecord as layerLawRecord } from "./record/LawScores.ts"
export { layer as layerOutcomes, layerTrackRecord } from "./record/Outcomes.ts"
export { layer as layerRecordInputs } from "./record/RecordInputs.ts"
export { layer as layerRecordLog } from "./record/RecordLog.ts"
export { layer as layerShadowLog } from "./record/ShadowLog.ts"
export { layer as layerJobRuns } from "./upkeep/JobRuns.ts"
export { sweepIdempotency } from "./upkeep/sweeps.ts"

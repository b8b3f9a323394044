/**
 * The SQL adapter: one repository per port over the embedded SQLite store.
 *
 * @module
 */

export { layer as layerAccountStore } from "./AccountStore.ts"
export { layer as layerAgentStore } from "./AgentStore.ts"
export { layer as layerCalls } from "./Calls.ts"
export { layer as layerCaptures } from "./Captures.ts"
export { layer as layerDeliveryQueue } from "./DeliveryQueue.ts"
export { layer as layerEntityTags } from "./EntityTags.ts"
export { layer as layerJobRuns } from "./JobRuns.ts"
export { layer as layerNames } from "./Names.ts"
export { layer as layerOrders } from "./Orders.ts"
export { layer as layerOutcomes, layerTrackRecord } from "./Outcomes.ts"
export { layer as layerRecordInputs } from "./RecordInputs.ts"
export { layer as layerRecordLog } from "./RecordLog.ts"
export { layer as layerShadowLog } from "./ShadowLog.ts"
export { layer as layerSealedSecrets } from "./sealSecrets.ts"
export { layer as layerKeyring } from "./sqlite/Keyring.ts"
export { layer as layerLedger } from "./sqlite/Ledger.ts"
export { layer as layerSqlite, StoreError, serverLock } from "./sqlite/open.ts"
export { sweepIdempotency } from "./sweepIdempotency.ts"
export { Transactions } from "./Transactions.ts"
export { layer as layerUsage } from "./Usage.ts"
export { layer as layerWebhookStore } from "./WebhookStore.ts"

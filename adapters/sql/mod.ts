/**
 * The SQL adapter: one repository per port over the embedded SQLite store.
 *
 * @module
 */
export { layer as layerAccountStore } from "./AccountStore.ts"
export { layerArchive as layerClimateArchive, layerReports as layerClimateReports } from "./ClimateReports.ts"
export { layer as layerKeyring } from "./Keyring.ts"
export { layer as layerSqlite, serverLock, StoreError } from "./sqlite.ts"
export { layer as layerWallets } from "./Wallets.ts"

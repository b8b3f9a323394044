/**
 * market-signals, the library: endpoints as values, the one path of a call, lanes over ports.
 * Imports only `effect`; runs unchanged in Node, Deno and a browser.
 *
 * @module
 */
export { AccountStore, Accounts } from "./account/Accounts.ts"
export { AgentStore, Agents } from "./account/Agents.ts"
export * as ApiKey from "./account/ApiKey.ts"
export { type Caller, Keyring } from "./account/Keyring.ts"
export { Ledger } from "./account/Ledger.ts"
export * as Money from "./account/Money.ts"
export { RateLimits } from "./account/RateLimits.ts"
export { Secrets } from "./account/Secrets.ts"
export * as Tier from "./account/Tier.ts"

export * as Answer from "./endpoint/Answer.ts"
export * as Catalogue from "./endpoint/Catalogue.ts"
export * as Endpoint from "./endpoint/Endpoint.ts"
export { Failure } from "./endpoint/Failure.ts"
export * as Field from "./endpoint/Field.ts"
export * as Lane from "./endpoint/Lane.ts"
export * as Param from "./endpoint/Param.ts"
export { Gateway } from "./gateway/Gateway.ts"
export { LaneSets } from "./gateway/LaneSets.ts"
export { RequestIds } from "./gateway/RequestIds.ts"
export { Site } from "./gateway/Site.ts"
export { Baseball } from "./lanes/baseball/Baseball.ts"
export { catalogue } from "./lanes/catalogue.ts"
export { Crypto } from "./lanes/crypto/Crypto.ts"
export { Filings } from "./lanes/filings/Filings.ts"
export { Football } from "./lanes/football/Football.ts"
export { Markets } from "./lanes/markets/Markets.ts"
export * as ClimateReport from "./lanes/weather/ClimateReport.ts"
export { ClimateArchive, ClimateReports } from "./lanes/weather/providers.ts"
export * as stations from "./lanes/weather/stations.ts"
export { Weather } from "./lanes/weather/Weather.ts"
export { type Capture, Captures } from "./record/Captures.ts"

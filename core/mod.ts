/**
 * market-signals, the library: endpoints as values, the one path of a call, lanes over ports.
 * Imports only `effect`; runs unchanged in Node, Deno and a browser.
 *
 * @module
 */
export { AccountStore } from "./account/AccountStore.ts"
export { Accounts } from "./account/Accounts.ts"
export { AgentStore } from "./account/AgentStore.ts"
export { Agents } from "./account/Agents.ts"
export * as ApiKey from "./account/ApiKey.ts"
export { type Caller, Keyring } from "./account/Keyring.ts"
export { Ledger } from "./account/Ledger.ts"
export * as Money from "./account/Money.ts"
export { RateLimits } from "./account/RateLimits.ts"
export { SecretBox, SecretBoxError } from "./account/SecretBox.ts"
export { Secrets } from "./account/Secrets.ts"
export * as Tier from "./account/Tier.ts"

export * as Answer from "./endpoint/Answer.ts"
export * as Catalogue from "./endpoint/Catalogue.ts"
export * as Endpoint from "./endpoint/Endpoint.ts"
export * as Field from "./endpoint/Field.ts"
export * as Lane from "./endpoint/Lane.ts"
export * as Param from "./endpoint/Param.ts"
export { DeliveryQueue } from "./events/DeliveryQueue.ts"
export { Destinations } from "./events/Destinations.ts"
export * as Event from "./events/Event.ts"
export { WebhookStore } from "./events/WebhookStore.ts"
export { Webhooks } from "./events/Webhooks.ts"
export { Failure } from "./Failure.ts"
export { EntityTags } from "./gateway/EntityTags.ts"
export { Gateway } from "./gateway/Gateway.ts"
export { LaneSets } from "./gateway/LaneSets.ts"
export { RequestIds } from "./gateway/RequestIds.ts"
export { Site } from "./gateway/Site.ts"
export { catalogue } from "./lanes/all.ts"
export { Baseball } from "./lanes/baseball/Baseball.ts"
export { SeasonLines, Slates } from "./lanes/baseball/ports.ts"
export { Crypto } from "./lanes/crypto/Crypto.ts"
export { Filings } from "./lanes/filings/Filings.ts"
export { FootballArchive } from "./lanes/football/data/archive.ts"
export { Football } from "./lanes/football/Football.ts"
export { Games, Injuries, Quarterbacks, Top100 } from "./lanes/football/ports.ts"
export * as follow from "./lanes/markets/follow.ts"
export { Markets } from "./lanes/markets/Markets.ts"
export { layer as layerModels } from "./lanes/markets/models.ts"
export {
  ContractStore,
  type Heard,
  Models,
  OpenContracts,
  Scoreboard,
  SettledRows,
  SourceResults,
  type Venue,
  Venues,
} from "./lanes/markets/ports.ts"
export { layer as layerRecorder, layerAlone as layerRecorderAlone } from "./lanes/markets/recorder.ts"
export { layer as layerSourceResults } from "./lanes/markets/sourceResults.ts"
export {
  ClimateArchive,
  ClimateReports,
  Forecasts,
  type GridForecast,
  type Issuance,
  type Observation,
  Observations,
  type PointForecast,
  type Versions,
} from "./lanes/weather/ports.ts"
export * as ClimateReport from "./lanes/weather/reports/ClimateReport.ts"
export { type ArchivedDay, ClimateDays, type ProductFeed } from "./lanes/weather/reports/climateSources.ts"
export { Calibrations } from "./lanes/weather/signal/Calibrations.ts"
export * as stations from "./lanes/weather/stations.ts"
export { Weather } from "./lanes/weather/Weather.ts"
export { type Capture, type Captured, Captures } from "./record/captures/Captures.ts"
export { type Outcome, Outcomes, TrackRecord } from "./record/captures/Outcomes.ts"
export type { Recordable } from "./record/captures/Recordable.ts"
export { Recorder } from "./record/captures/Recorder.ts"
export { type Inputs, type InputsOf, RecordInputs } from "./record/captures/RecordInputs.ts"
export { canonical } from "./record/log/canonical.ts"
export * as Checkpoint from "./record/log/checkpoint.ts"
export { Hasher } from "./record/log/Hasher.ts"
export * as Leaf from "./record/log/leaf.ts"
export * as merkle from "./record/log/merkle.ts"
export * as proofs from "./record/log/proofs.ts"
export { type Entry, RecordLog } from "./record/log/RecordLog.ts"
export { Signer } from "./record/log/Signer.ts"
export { signCheckpoint } from "./record/log/signCheckpoint.ts"
export type { Settled, Standing } from "./record/scoreboard/Settled.ts"
export { SettledStore } from "./record/scoreboard/SettledStore.ts"

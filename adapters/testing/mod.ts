/**
 * What an embedder tests with: the offline providers and the platform's cryptography.
 *
 * @module
 */

export { layer as layerMockBaseball } from "../lanes/baseball/mock/baseball.ts"
export { layer as layerMockFootball } from "../lanes/football/mock/football.ts"
export { layer as layerMockMarkets } from "../lanes/markets/mock/markets.ts"
export { layer as layerMockVenue } from "../lanes/markets/mock/venue.ts"
export { layer as layerMockWeather } from "../lanes/weather/mock/reports.ts"
export { layer as layerHasherNode } from "../node/hasher.ts"
export { layerFile as layerSecretBoxFile, layerMemory as layerSecretBoxMemory } from "../node/secretBox.ts"
export { layer as layerSecretsNode } from "../node/secrets.ts"
export { layerFile as layerSignerFile, layerMemory as layerSignerMemory } from "../node/signer.ts"

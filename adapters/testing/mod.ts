/**
 * What an embedder tests with: the offline providers and the platform's cryptography.
 *
 * @module
 */
export { layer as layerHasherNode } from "../node/hasher.ts"
export { layerFile as layerSecretBoxFile, layerMemory as layerSecretBoxMemory } from "../node/secretBox.ts"
export { layer as layerSecretsNode } from "../node/secrets.ts"
export { layerFile as layerSignerFile, layerMemory as layerSignerMemory } from "../node/signer.ts"
export { layer as layerMockBaseball } from "../providers/mock/baseball.ts"
export { layer as layerMockFootball } from "../providers/mock/football.ts"
export { layer as layerMockMarkets } from "../providers/mock/markets.ts"
export { layer as layerMockVenue } from "../providers/mock/venue.ts"
export { layer as layerMockWeather } from "../providers/mock/weather.ts"

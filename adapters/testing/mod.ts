/**
 * What an embedder tests with: the offline providers and the platform's cryptography.
 *
 * @module
 */
export { layer as layerSecretsNode } from "../node/secrets.ts"
export { layer as layerMockWeather } from "../providers/mock/weather.ts"

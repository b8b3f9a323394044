/**
 * Node's cryptography for the ports of the core.
 *
 * @module
 */
export { layer as layerSyncSha256 } from "./hasher.ts"
export { layerFile as layerSecretBoxFile, layerMemory as layerSecretBoxMemory } from "./secretBox.ts"
export { layer as layerPlatformCrypto } from "./secrets.ts"
export { layerFile as layerSignerFile, layerMemory as layerSignerMemory } from "./signer.ts"

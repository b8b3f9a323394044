/**
 * The crypto lane: its endpoints, the service over its ports, and the ports.
 *
 * @module
 */

export { Crypto } from "./Crypto.ts"
export { pricing } from "./contracts.ts"
export { type Distribution, type PriceModel, ServedModel } from "./distribution.ts"
export { endpoints } from "./endpoints.ts"
export type { Asset } from "./fields.ts"
export { type Close, type CryptoQuestion, LogReturn, type OwnModel, served } from "./ownModel.ts"
export * from "./ports.ts"

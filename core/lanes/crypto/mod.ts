/**
 * The crypto lane: its endpoints, ports and service, the pricing of contracts, and models of the price, an operator's own
 * included.
 *
 * @module
 */

export { Crypto } from "./Crypto.ts"
export { pricing } from "./contracts.ts"
export { ActiveModel, type Distribution, type PriceModel } from "./distribution.ts"
export { endpoints } from "./endpoints.ts"
export type { Asset } from "./fields.ts"
export { type Close, type CryptoQuestion, LogReturn, type OwnModel, toPriceModel } from "./ownModel.ts"
export * from "./ports.ts"

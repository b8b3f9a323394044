import type { Hex } from "./payload.ts"

/** An event of a transaction, as nodes give it. */
export interface Event {
  readonly address: string
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
  /** In the block. */
  readonly logIndex: number
  readonly transactionHash: Hex
}

/** The selectors of the token's events. */
export interface Selectors {
  readonly used: Hex
  readonly cancelled: Hex
  readonly transfer: Hex
}

export const signatures = {
  used: "AuthorizationUsed(address,bytes32)",
  cancelled: "AuthorizationCanceled(address,bytes32)",
  transfer: "Transfer(address,address,uint256)",
} as const

/** The use of an authorization: a transfer, or its cancellation, which uses the nonce and pays nothing. */
export type Use =
  | {
      readonly _tag: "Transfer"
      readonly to: Hex
      readonly value: bigint
      readonly transactionHash: Hex
      readonly logIndex: number
    }
  | { readonly _tag: "Cancelled"; readonly transactionHash: Hex; readonly logIndex: number }

/** An address in the 32 bytes of a topic. */
export const toTopic = (address: Hex): Hex => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`

const fromTopic = (topic: Hex | undefined): Hex | undefined =>
  topic === undefined ? undefined : `0x${topic.slice(-40).toLowerCase()}`

/**
 * The use of an authorization in a transaction. A token emits the use and, as its next event, the transfer, so that each
 * transfer belongs to one authorization, however many a transaction has. Undefined: these events show no use.
 *
 * @param events all events of one transaction
 */
export const findUse = (
  events: ReadonlyArray<Event>,
  { used, cancelled, transfer }: Selectors,
  asset: Hex,
  { from, nonce }: { readonly from: Hex; readonly nonce: Hex },
): Use | undefined => {
  const ofAsset = events
    .filter(({ address }) => address.toLowerCase() === asset.toLowerCase())
    .toSorted((one, other) => one.logIndex - other.logIndex)
  const index = ofAsset.findIndex(
    ({ topics: [selector, payer, told] }) =>
      (selector === used || selector === cancelled) &&
      payer?.toLowerCase() === toTopic(from) &&
      told?.toLowerCase() === nonce.toLowerCase(),
  )
  const event = ofAsset[index]
  if (event === undefined) return undefined
  const { transactionHash, logIndex } = event
  if (event.topics[0] === cancelled) return { _tag: "Cancelled", transactionHash, logIndex }
  const next = ofAsset[index + 1]
  const to = fromTopic(next?.topics[2])
  if (next?.topics[0] !== transfer || next.topics[1]?.toLowerCase() !== toTopic(from) || to === undefined) {
    return undefined
  }
  return { _tag: "Transfer", to, value: BigInt(next.data), transactionHash, logIndex }
}

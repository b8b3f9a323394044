import * as Data from "effect/Data"
import type * as Redacted from "effect/Redacted"

export interface Settings {
  /**
   * The address that is paid. No other installation may use it: a signed payment names its recipient, but not what it pays
   * for.
   */
  readonly payTo: string
  /** CAIP-2 id of the chain, such as `eip155:8453`. */
  readonly network: string
  /** Address of the token. Absent: the network's dollar token, if it is known. */
  readonly asset?: string
  /** Name and version of the token in its signatures (EIP-712). Absent: those of a known token. */
  readonly assetName?: string
  readonly assetVersion?: string
  /** Absent: those of a known token, otherwise 6. */
  readonly assetDecimals?: number
  /** A node of the chain; its URL may contain a key. */
  readonly rpcUrl: Redacted.Redacted
  /** Who sends the transactions: this process, whose key pays the gas, or a service. */
  readonly facilitator: { readonly privateKey: Redacted.Redacted } | { readonly url: string }
  /** Blocks that must show a payment, its own included. */
  readonly confirmations: number
  readonly keyless: boolean
  /** Units of gas for our transactions in an hour. Absent: `defaultGasPerHour`. */
  readonly gasPerHour?: number
}

/** Settings with which nothing can be paid. */
export class InvalidX402Settings extends Data.TaggedError("InvalidX402Settings")<{
  /** The setting to be changed; absent: the packages. */
  readonly setting?: keyof Settings
  readonly reason: string
}> {
  override get message(): string {
    return this.setting === undefined ? this.reason : `${this.setting}: ${this.reason}`
  }
}

/** An entry of x402's `accepts`: terms on which a payment sent with a call is accepted. */
export interface Accept {
  readonly scheme: "exact"
  /** CAIP-2 id of the chain, such as `eip155:8453`. */
  readonly network: string
  /** Whole units of the token, decimal. */
  readonly amount: string
  /** Address of the token's contract. */
  readonly asset: string
  /** Address that is paid. */
  readonly payTo: string
  /** For how long a signed payment may be valid, seconds. */
  readonly maxTimeoutSeconds: number
  /** Name and version of the token, which are part of the signature. */
  readonly extra: Readonly<Record<string, string>>
}

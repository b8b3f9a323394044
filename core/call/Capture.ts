import type { Domain } from "./Contract.ts"
import type { JsonObject, Part } from "./Recordable.ts"

/** Who bought a capture or wrote an opinion: an account, and the agent whose key it was. */
export interface Buyer {
  readonly accountId: string
  /** Absent without an agent. */
  readonly agentId?: string
}

/** The call that bought a signal. */
export interface Bought extends Buyer {
  readonly requestId: string
  readonly keyId: string
}

/** A recorded signal: enough to score it later and to recompute it. */
export interface Capture {
  /** A ULID. */
  readonly id: string
  /** 16 random bytes in base64url, so that a sealed probability cannot be guessed from its hash. */
  readonly salt: string
  readonly lane: string
  /** The endpoint's id. */
  readonly endpoint: string
  readonly subject: string
  readonly modelVersion: string
  /** `scheduled` if a job made it for a slot, `on_demand` if a call did. */
  readonly kind: "scheduled" | "on_demand"
  /** Epoch milliseconds: the slot if scheduled, the time of the answer if on demand. */
  readonly at: number
  readonly params: JsonObject
  /** The scored output. JSON. */
  readonly output: unknown
  /** The market's price, if the lane has its own source for it. JSON. */
  readonly market?: JsonObject
  /** The venues' quotes at that moment. JSON; empty if no venue was polled. */
  readonly quotes: ReadonlyArray<unknown>
  /** Hex SHA-256 of all inputs of the output. */
  readonly inputsHash: string
  /** Epoch milliseconds at which the outcome, or the first of the quoted contracts, may be decided. */
  readonly closeTime: number
  /** Epoch milliseconds until which only the buyer can read it. */
  readonly sealedUntil: number
  /** The call that bought it; absent if a job made it. Not part of the leaf. */
  readonly bought?: Bought
}

/** A venue's contract on which a capture is scored. */
export interface CapturedContract {
  readonly venue: string
  readonly ticker: string
  readonly domain: Domain
  /** Epoch milliseconds. */
  readonly closeTime: number
}

/** A capture with everything that is recorded in the same transaction. */
export interface Captured<Contract extends CapturedContract = CapturedContract> {
  readonly capture: Capture
  /** The contracts on which it is scored. JSON. */
  readonly contracts: ReadonlyArray<Contract>
  /** Those of its inputs that may not be stored yet. */
  readonly inputs: ReadonlyArray<Part>
  /** Whether it is skipped if the subject's last capture has the same inputs and market. */
  readonly once: boolean
}

import * as Context from "effect/Context"

/** How a request to an upstream ended: `ok`, or the reason of its error. */
export type Outcome = string

/**
 * Counts for an operator's monitoring. As every call uses them, the methods are plain functions that only add numbers.
 */
export interface Counting {
  /** Milliseconds of a clock that only goes forward; 0 if nothing is measured. */
  readonly now: () => number
  /**
   * A request was answered.
   *
   * @param endpointId undefined if no endpoint has the path
   * @param micros the charge
   * @param since `now` when it began
   */
  readonly answered: (endpointId: string | undefined, status: number, micros: number, since: number) => void
  /** A batch of charges was made durable, or was undone. */
  readonly committed: (items: number, since: number, isDurable: boolean) => void
  /** An attempt of a request to an upstream has ended. */
  readonly asked: (upstream: string, outcome: Outcome, since: number) => void
  /**
   * A transaction of ours with a payment is in a block.
   *
   * @param gas units of gas
   * @param fee in the chain's smallest unit, such as wei
   */
  readonly sentPayment: (isReverted: boolean, gas: number, fee: number) => void
  /** A request to the admin API had a wrong token. */
  readonly reportWrongToken: () => void
  /** A payment was refused because the gas for the hour was used up. */
  readonly withoutGas: () => void
}

export const noCounting: Counting = {
  now: () => 0,
  answered: () => {},
  committed: () => {},
  asked: () => {},
  sentPayment: () => {},
  reportWrongToken: () => {},
  withoutGas: () => {},
}

/** The counts of this process. By default nothing is counted, as suits an embedder without monitoring. */
export class Meter extends Context.Reference<Meter>()("market-signals/core/telemetry/Meter", {
  defaultValue: (): Counting => noCounting,
}) {}

import type { InputsOf } from "./RecordInputs.ts"
import type { Subject } from "./Subject.ts"

export type JsonObject = Readonly<Record<string, unknown>>

/**
 * A signal that can be scored: plain data that a lane returns with its answer. The gateway records it for a paid call, a
 * job for its slot.
 */
export interface Recordable<out Results> {
  readonly lane: string
  /** The endpoint's id. */
  readonly endpoint: string
  readonly subject: Subject
  readonly modelVersion: string
  /** Epoch milliseconds of the answer. */
  readonly at: number
  readonly params: JsonObject
  /** The scored output, made where the signal is recorded. JSON. */
  readonly output: () => unknown
  /** The market's price at that moment, where the lane has its own source for it. JSON. */
  readonly market?: JsonObject
  /** All inputs of the output. */
  readonly inputs: InputsOf
  /** Epoch milliseconds from which the outcome may be known; the signal is sealed until then. */
  readonly closeTime: number
  /** Whether a signal with the inputs and market of its subject's last one is recorded only once. */
  readonly once?: boolean
  /**
   * The results of a recorded signal, if they differ from those of an unrecorded one.
   *
   * @param contracts number of venue contracts on which it is scored
   */
  readonly recorded?: (contracts: number) => Results
}

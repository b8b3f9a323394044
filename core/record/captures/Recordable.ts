import type { InputsOf } from "./RecordInputs.ts"
import type { Subject } from "./Subject.ts"

export type JsonObject = Readonly<Record<string, unknown>>

/**
 * A signal that can be scored, as it would stand on the record: plain data that a lane hands over with its answer. Whether
 * it is put there is decided by whoever asked: the gateway for a call that is paid, a job for its slot.
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
  /** What is scored. JSON. */
  readonly output: unknown
  /** What the market said at that moment, where the lane knows it by itself. JSON. */
  readonly market?: JsonObject
  /** Everything that the output was computed from. */
  readonly inputs: InputsOf
  /** Epoch milliseconds at which the outcome may begin to be known: until then the signal is worth its price. */
  readonly closeTime: number
  /** Whether a signal from the inputs and beside the market of its subject's last one is the same one. */
  readonly once?: boolean
  /**
   * The results as they are told where the signal is recorded; left out where they do not say so.
   *
   * @param contracts how many contracts of venues it is scored on
   */
  readonly recorded?: (contracts: number) => Results
}

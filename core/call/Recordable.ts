import type { Subject } from "./Subject.ts"

/** A value's canonical text and its hash. */
export interface Text {
  readonly hash: string
  readonly text: string
}

/** A value that many signals share, stored by its hash. Its text is made only if it is not stored yet. */
export interface Part {
  readonly hash: string
  readonly text: () => string
}

/** All inputs of an output: one text with its hash, and the parts that the text references by hash. */
export interface Inputs extends Text {
  readonly putShared: ReadonlyArray<Part>
}

/** Makes the inputs of a signal; called only if the signal is recorded. */
export type MakeInputs = (sha256: (bytes: Uint8Array) => Uint8Array) => Inputs

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
  /** Makes the scored output; called only if the signal is recorded. JSON. */
  readonly output: () => unknown
  /** The market's price at that moment, if the lane has its own source for it. JSON. */
  readonly market?: JsonObject
  readonly inputs: MakeInputs
  /** Epoch milliseconds from which the outcome may be known; the signal is sealed until then. */
  readonly closeTime: number
  /** Whether a signal is not recorded again if its inputs and market are those of the subject's last one. */
  readonly once?: boolean
  /**
   * The results of a recorded signal, if they differ from those of an unrecorded one.
   *
   * @param contracts number of venue contracts on which it is scored
   */
  readonly recorded?: (contracts: number) => Results
}

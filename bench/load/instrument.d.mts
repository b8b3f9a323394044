/** Measurements of an instrumented process since its last reset. */
export interface Seen {
  /** The longest stretch of CPU time of the main thread between two turns of the event loop. */
  readonly longestMs: number
  /** CPU time of the main thread. */
  readonly cpuMs: number
  readonly maxDelayMs: number
  readonly delayP99Ms: number
  /** Of one core. */
  readonly cpuShare: number
  readonly rssMiB: number
  readonly heapMiB: number
  readonly handles: number
}
export declare const reset: () => void
export declare const read: () => Seen

import type { Capture, Captured, CapturedContract } from "../../core/record/captures/Captures.ts"

const hour = 3_600_000
let issued = 0

/** A capture that is like any other but for its id and `changes`. */
export const capture = (changes: Partial<Capture> = {}): Capture => ({
  id: `01J${String(++issued).padStart(23, "0")}`,
  salt: "5a".repeat(16),
  lane: "crypto",
  endpoint: "crypto_signal",
  subject: "BTC/60",
  modelVersion: "1",
  kind: "scheduled",
  at: hour,
  params: { horizon: 60, asset: "BTC" },
  output: { strikes: [60_000, 61_000], probabilities: [0.51, 0.25] },
  quotes: [],
  inputsHash: "aa",
  closeTime: 2 * hour,
  sealedUntil: 2 * hour,
  ...changes,
})

/** The same on its way onto the record, with nothing beside it but what `beside` says. */
export const captured = <Contract extends CapturedContract = CapturedContract>(
  changes: Partial<Capture> = {},
  beside: Partial<Omit<Captured<Contract>, "capture">> = {},
): Captured<Contract> => ({ capture: capture(changes), contracts: [], inputs: [], once: false, ...beside })

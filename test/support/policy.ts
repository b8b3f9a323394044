import type { RequestPolicy } from "../../adapters/runtime/upstream/upstream.ts"

/** For tests: three tries within some milliseconds, and time enough for an answer on a machine that is busy. */
export const patient = { pauseMs: 1, timeoutMs: 10_000, maxBytes: 1_048_576 } as const satisfies RequestPolicy

/** The same where an upstream says nothing and has to be given up. */
export const impatient = { ...patient, timeoutMs: 250 } as const satisfies RequestPolicy

/**
 * A bar of time of a proof with a short and a long form. The long form runs alone on its machine and holds it; the short one
 * runs beside other suites, says nothing of time, and only tells a wait from a hang.
 */
export const barOf = (ms: number, isLongForm: boolean): number => (isLongForm ? ms : 60_000)

/** For the title of such a proof: what its long form asserts, and nothing in the short one. */
export const within = (seconds: number, isLongForm: boolean): string => (isLongForm ? ` within ${seconds} s` : "")

/**
 * A bar of time for a proof with a short and a long form. The long form runs alone on its machine and holds the bar itself;
 * the short one runs beside other suites, whose load it must bear, and only tells a wait from a hang.
 */
export const timeBar = (ms: number, isLongForm: boolean): number => (isLongForm ? ms : 6 * ms)

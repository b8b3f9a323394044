/**
 * Keeps a log from being filled: of each kind one line in a time, and with it how many were left out before.
 *
 * @param quietMs milliseconds
 * @returns undefined for a line that is left out; else how many of its kind were since the last one
 */
export const make = (quietMs: number) => {
  const written = new Map<string, { at: number; suppressed: number }>()
  return (kind: string, now: number): number | undefined => {
    const before = written.get(kind)
    if (before !== undefined && now - before.at < quietMs && now >= before.at) {
      before.suppressed++
      return undefined
    }
    written.set(kind, { at: now, suppressed: 0 })
    return before?.suppressed ?? 0
  }
}

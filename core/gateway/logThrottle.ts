/**
 * Limits a log to one line of each kind per `quietMs`.
 *
 * @param quietMs milliseconds
 * @returns undefined for a suppressed line; else the number of lines of its kind suppressed since the last one
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

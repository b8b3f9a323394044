/**
 * Limits a log to one line of each kind per `quietMs`.
 *
 * @param quietMs milliseconds
 * @returns undefined for a suppressed line; else the number of lines of its kind suppressed since the last one
 */
export const make = (quietMs: number) => {
  const written = new Map<string, { at: number; suppressed: number }>()
  return (kind: string, now: number): number | undefined => {
    const last = written.get(kind)
    if (last !== undefined && now - last.at < quietMs && now >= last.at) {
      last.suppressed++
      return undefined
    }
    written.set(kind, { at: now, suppressed: 0 })
    return last?.suppressed ?? 0
  }
}

/** Longer names are not compared: they are not misspellings of a field. */
export const maxNameLength = 40

/** Most candidates that a name is compared with. */
export const maxCompared = 256

/**
 * The Levenshtein distance of two texts, capped at `below`; stops as soon as it reaches `below`.
 */
export const distance = (a: string, b: string, below: number): number => {
  if (Math.abs(a.length - b.length) >= below) return below
  let row = Uint16Array.from({ length: b.length + 1 }, (_, at) => at)
  let next = new Uint16Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    next[0] = i
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      next[j] = cost
      if (cost < least) least = cost
    }
    if (least >= below) return below
    ;[row, next] = [next, row]
  }
  return Math.min(row[b.length]!, below)
}

/**
 * The candidate nearest to a name; undefined for a name longer than 40 characters. Any caller may send any name, so the
 * cost is bounded: only candidates of similar length are compared, at most 256.
 *
 * @param between capped distance; tests count its calls
 */
export const nearest = (candidates: ReadonlyArray<string>, name: string, between = distance): string | undefined => {
  if (name.length > maxNameLength) return undefined
  let [found, best, compared] = [candidates[0], Number.POSITIVE_INFINITY, 0]
  for (const candidate of candidates) {
    // The distance is at least the difference of the lengths.
    if (Math.abs(candidate.length - name.length) >= best) continue
    if (++compared > maxCompared) break
    const far = between(candidate, name, best)
    if (far < best) [found, best] = [candidate, far]
  }
  return found
}

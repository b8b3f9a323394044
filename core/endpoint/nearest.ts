/** Longer names are not compared: they are not misspellings of a field. */
export const maxNameLength = 40

/** Maximum number of candidates that a name is compared with. */
export const maxCompared = 512

/**
 * The edit distance of two texts, capped at `below`; stops as soon as it reaches `below`. Two swapped neighbours count
 * once (optimal string alignment): `dya` is one edit from `day`.
 */
export const distance = (a: string, b: string, below: number): number => {
  if (Math.abs(a.length - b.length) >= below) return below
  let before = new Uint16Array(b.length + 1)
  let row = Uint16Array.from({ length: b.length + 1 }, (_, at) => at)
  let next = new Uint16Array(b.length + 1)
  let leastBefore = 0
  for (let i = 1; i <= a.length; i++) {
    next[0] = i
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const edited = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1))
      const cost = isSwapped ? Math.min(edited, before[j - 2]! + 1) : edited
      next[j] = cost
      if (cost < least) least = cost
    }
    // A swap reaches back over one row.
    if (least >= below && leastBefore + 1 >= below) return below
    leastBefore = least
    ;[before, row, next] = [row, next, before]
  }
  return Math.min(row[b.length]!, below)
}

/**
 * The candidate nearest to a name; undefined for a name longer than 40 characters, and where none is near enough. Any
 * caller may send any name, so the cost is bounded: only candidates of similar length are compared, at most 512.
 *
 * @param between capped distance; tests count its calls
 * @param most greatest distance
 */
export const nearest = (
  candidates: ReadonlyArray<string>,
  name: string,
  between = distance,
  most = Number.POSITIVE_INFINITY,
): string | undefined => {
  if (name.length > maxNameLength) return undefined
  let found: string | undefined
  let best = most + 1
  let compared = 0
  for (const candidate of candidates) {
    // The distance is at least the difference of the lengths.
    if (Math.abs(candidate.length - name.length) >= best) continue
    if (++compared > maxCompared) break
    const far = between(candidate, name, best)
    if (far < best) [found, best] = [candidate, far]
  }
  return found
}

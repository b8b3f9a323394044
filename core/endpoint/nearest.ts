/** Longer names are no typing errors of ours: nothing is compared with them. */
export const longestName = 40

/** No name is compared with more candidates. */
export const mostCompared = 256

/**
 * How many characters have to be put in, left out or changed to make one text of another, where that is fewer than
 * `below`; `below` where it is not, found out as soon as it is certain.
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
 * The candidate that a name was probably meant to be; undefined for a name that is too long to be looked for. Anybody may
 * ask with any name, so what it costs has a bound: those of nearly the name's length are compared, each once.
 *
 * @param between counts changes up to a bound; the tests count its calls
 */
export const nearest = (candidates: ReadonlyArray<string>, name: string, between = distance): string | undefined => {
  if (name.length > longestName) return undefined
  let [found, best, compared] = [candidates[0], Number.POSITIVE_INFINITY, 0]
  for (const candidate of candidates) {
    // A name is at most as far from a candidate as the longer of both is long, and at least as far as their lengths.
    if (Math.abs(candidate.length - name.length) >= best) continue
    if (++compared > mostCompared) break
    const far = between(candidate, name, best)
    if (far < best) [found, best] = [candidate, far]
  }
  return found
}

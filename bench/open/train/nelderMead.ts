type Vector = ReadonlyArray<number>

/**
 * The simplex method of J. A. Nelder and R. Mead, The Computer Journal 7 (1965) 308–313.
 *
 * @param size of the first simplex, along each axis
 * @param most evaluations
 * @returns the best point found
 */
export const minimise = (of: (x: Vector) => number, from: Vector, size: number, most: number): Vector => {
  const n = from.length
  const simplex = [from, ...from.map((_, axis) => from.map((value, at) => (at === axis ? value + size : value)))].map(
    (x) => ({ x, y: of(x) }),
  )
  let evaluations = n + 1
  const point = (x: Vector): { readonly x: Vector; readonly y: number } => {
    evaluations += 1
    return { x, y: of(x) }
  }
  while (evaluations < most) {
    simplex.sort((a, b) => a.y - b.y)
    const worst = simplex[n]!
    const centre = from.map((_, at) => simplex.slice(0, n).reduce((sum, { x }) => sum + x[at]!, 0) / n)
    const along = (share: number): Vector => centre.map((value, at) => value + share * (worst.x[at]! - value))
    const reflected = point(along(-1))
    if (reflected.y < simplex[0]!.y) {
      const expanded = point(along(-2))
      simplex[n] = expanded.y < reflected.y ? expanded : reflected
      continue
    }
    if (reflected.y < simplex[n - 1]!.y) {
      simplex[n] = reflected
      continue
    }
    const contracted = point(along(reflected.y < worst.y ? -0.5 : 0.5))
    if (contracted.y < Math.min(worst.y, reflected.y)) {
      simplex[n] = contracted
      continue
    }
    for (let at = 1; at <= n; at++) {
      simplex[at] = point(simplex[at]!.x.map((value, axis) => (value + simplex[0]!.x[axis]!) / 2))
    }
  }
  return simplex.reduce((a, b) => (b.y < a.y ? b : a)).x
}

/** Pearson's correlation of pairs; NaN where one side does not vary, or without pairs. */
export const correlation = (pairs: ReadonlyArray<readonly [number, number]>): number => {
  const n = pairs.length
  let [meanX, meanY] = [0, 0]
  for (const [x, y] of pairs) {
    meanX += x / n
    meanY += y / n
  }
  let [xx, xy, yy] = [0, 0, 0]
  for (const [x, y] of pairs) {
    xx += (x - meanX) ** 2
    xy += (x - meanX) * (y - meanY)
    yy += (y - meanY) ** 2
  }
  return xy / Math.sqrt(xx * yy)
}

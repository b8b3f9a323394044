/** The rounding error of a sum: a + b − `sum` (D. E. Knuth, The Art of Computer Programming 2, section 4.2.2). */
export const restOfSum = (a: number, b: number, sum: number): number => {
  const other = sum - a
  return a - (sum - other) + (b - other)
}

/**
 * a · b − `product`, exactly where `product` is the rounded product and otherwise rounded once; |a| and |b| below 1e300
 * (T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18 (1971)
 * 224–242).
 */
export const restOfProduct = (a: number, b: number, product: number): number => {
  const wideA = 134217729 * a
  const wideB = 134217729 * b
  const highA = wideA - (wideA - a)
  const highB = wideB - (wideB - b)
  return highA * highB - product + (highA * (b - highB) + (a - highA) * highB) + (a - highA) * (b - highB)
}

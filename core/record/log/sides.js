/**
 * On which side each hash of an inclusion proof joins, lowest first (RFC 9162, 2.1.3.2). In JavaScript, because browsers
 * load this file as it is, to check proofs themselves.
 *
 * @param {number} position of the leaf, from 0
 * @param {number} size leaves of the tree
 * @returns {ReadonlyArray<"left" | "right"> | undefined} undefined: the tree has no such leaf
 */
export const sides = (position, size) => {
  if (!(position >= 0 && position < size)) return undefined
  /** @type {Array<"left" | "right">} */
  const found = []
  let [at, last] = [position, size - 1]
  while (last > 0) {
    const isLeft = at % 2 === 1 || at === last
    found.push(isLeft ? "left" : "right")
    // The last node of a row without a partner rises as it is.
    while (isLeft && at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return found
}

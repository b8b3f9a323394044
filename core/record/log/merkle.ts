/** SHA-256 of bytes; 32 bytes. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/** The complete subtree over the leaves from `index`·2^`level` up to (`index` + 1)·2^`level`, excluded. */
export interface Node {
  /** 0 for a leaf. */
  readonly level: number
  readonly index: number
}

/** The leaves from `from` up to `to`, excluded. */
export type Range = readonly [from: number, to: number]

/** MTH({d}) = SHA-256(0x00 || d). Different prefixes keep a node from being passed off as a leaf (RFC 6962, 2.1). */
export const leafHash = (sha256: Sha256, leaf: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(1 + leaf.length)
  bytes.set(leaf, 1)
  return sha256(bytes)
}

/** SHA-256(0x01 || left || right). */
export const nodeHash = (sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(65)
  bytes[0] = 1
  bytes.set(left, 1)
  bytes.set(right, 33)
  return sha256(bytes)
}

/** Where a tree is split: at the largest power of two below `count`, which is at least 2. */
const split = (count: number): number => {
  let half = 1
  while (half * 2 < count) half *= 2
  return half
}

/** The complete subtrees that make up a range, left to right, which is also largest first. */
export const subtrees = ([from, to]: Range): ReadonlyArray<Node> => {
  const nodes: Array<Node> = []
  for (let at = from; at < to; ) {
    let level = 0
    let width = 1
    while (width * 2 <= to - at) {
      width *= 2
      level++
    }
    nodes.push({ level, index: at / width })
    at += width
  }
  return nodes
}

/** The hash of a range from the hashes of its subtrees, left to right; for no leaves, SHA-256 of the empty string. */
export const join = (sha256: Sha256, hashes: ReadonlyArray<Uint8Array>): Uint8Array =>
  hashes.length === 0 ? sha256(new Uint8Array(0)) : hashes.reduceRight((right, left) => nodeHash(sha256, left, right))

/**
 * Appends a leaf to a tree.
 *
 * @param peaks hashes of the tree's subtrees, left to right; updated to those of the larger tree
 * @param size number of leaves before
 * @returns hashes of the subtrees that the leaf completes, lowest first: as many as `size` has one bits at its end
 */
export const grow = (
  sha256: Sha256,
  peaks: Array<Uint8Array>,
  size: number,
  leaf: Uint8Array,
): ReadonlyArray<Uint8Array> => {
  const completed: Array<Uint8Array> = []
  let hash = leaf
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    hash = nodeHash(sha256, peaks.pop()!, hash)
    completed.push(hash)
  }
  peaks.push(hash)
  return completed
}

/** The ranges whose hashes prove that a leaf is in a tree, lowest first (RFC 6962, 2.1.1). */
export const inclusionPath = (position: number, size: number): ReadonlyArray<Range> => {
  const path: Array<Range> = []
  let [from, to] = [0, size]
  while (to - from > 1) {
    const middle = from + split(to - from)
    path.push(position < middle ? [middle, to] : [from, middle])
    if (position < middle) to = middle
    else from = middle
  }
  return path.reverse()
}

/** The ranges whose hashes prove that a tree of `to` leaves begins with one of `from`, lowest first (RFC 6962, 2.1.2). */
export const consistencyPath = (from: number, to: number): ReadonlyArray<Range> => {
  if (from === 0) return []
  const path: Array<Range> = []
  let [low, high] = [0, to]
  while (from < high) {
    const middle = low + split(high - low)
    path.push(from <= middle ? [middle, high] : [low, middle])
    if (from <= middle) high = middle
    else low = middle
  }
  // The caller knows the hash of the whole smaller tree.
  return (low === 0 ? path : [...path, [low, high] as const]).reverse()
}

export const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])
const isOdd = (n: number): boolean => n % 2 === 1
const halve = (n: number): number => Math.floor(n / 2)

/** On which side each hash of an inclusion proof joins, lowest first; undefined if the tree has no such leaf. */
const findSides = (position: number, size: number): ReadonlyArray<"left" | "right"> | undefined => {
  if (!(position >= 0 && position < size)) return undefined
  const sides: Array<"left" | "right"> = []
  let [at, last] = [position, size - 1]
  while (last > 0) {
    const isLeft = isOdd(at) || at === last
    sides.push(isLeft ? "left" : "right")
    // The last node of a row rises unchanged if it has no partner.
    while (isLeft && !isOdd(at) && at !== 0) [at, last] = [at / 2, halve(last)]
    ;[at, last] = [halve(at), halve(last)]
  }
  return sides
}

/** Whether a proof shows that a leaf is at a position in the tree with a root (RFC 9162, 2.1.3.2). */
export const verifyInclusion = (
  sha256: Sha256,
  leaf: Uint8Array,
  position: number,
  size: number,
  proof: ReadonlyArray<Uint8Array>,
  root: Uint8Array,
): boolean => {
  const path = findSides(position, size)
  if (path === undefined || path.length !== proof.length) return false
  const reached = proof.reduce(
    (hash, other, at) => (path[at] === "left" ? nodeHash(sha256, other, hash) : nodeHash(sha256, hash, other)),
    leaf,
  )
  return isEqual(reached, root)
}

/** Whether a proof shows that the tree of `to` leaves begins with the one of `from` leaves (RFC 9162, 2.1.4.2). */
export const verifyConsistency = (
  sha256: Sha256,
  from: number,
  fromRoot: Uint8Array,
  to: number,
  toRoot: Uint8Array,
  proof: ReadonlyArray<Uint8Array>,
): boolean => {
  if (from > to) return false
  if (from === to) return proof.length === 0 && isEqual(fromRoot, toRoot)
  if (from === 0) return proof.length === 0
  let [at, last] = [from - 1, to - 1]
  while (isOdd(at)) [at, last] = [halve(at), halve(last)]
  const [first, ...rest] = at === 0 ? [fromRoot, ...proof] : proof
  if (first === undefined) return false
  let [before, after] = [first, first]
  for (const other of rest) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      before = nodeHash(sha256, other, before)
      after = nodeHash(sha256, other, after)
      while (!isOdd(at) && at !== 0) [at, last] = [halve(at), halve(last)]
    } else after = nodeHash(sha256, after, other)
    ;[at, last] = [halve(at), halve(last)]
  }
  return last === 0 && isEqual(before, fromRoot) && isEqual(after, toRoot)
}

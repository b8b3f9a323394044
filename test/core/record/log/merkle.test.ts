import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as merkle from "../../../../core/record/log/merkle.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const definedRoots = new Map<string, Buffer>()
/** The root of the definition, computed once for each list: no two leaves are the same, so one and the length name it. */
const rootOf = (leaves: ReadonlyArray<Buffer>): Buffer => {
  const name = `${leaves[0]} ${leaves.length}`
  const root = definedRoots.get(name) ?? definition.root(leaves)
  definedRoots.set(name, root)
  return root
}

/** The definitions of RFC 6962, 2.1, word for word, without stored subtrees. */
const definition = {
  split: (n: number): number => 2 ** Math.floor(Math.log2(n - 1)),
  root: (leaves: ReadonlyArray<Buffer>): Buffer => {
    const hash = (...parts: ReadonlyArray<Buffer>) => createHash("sha256").update(Buffer.concat(parts)).digest()
    if (leaves.length === 0) return hash()
    if (leaves.length === 1) return hash(Buffer.of(0), leaves[0]!)
    const k = definition.split(leaves.length)
    return hash(Buffer.of(1), rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)))
  },
  path: (m: number, leaves: ReadonlyArray<Buffer>): ReadonlyArray<Buffer> => {
    if (leaves.length === 1) return []
    const k = definition.split(leaves.length)
    return m < k
      ? [...definition.path(m, leaves.slice(0, k)), rootOf(leaves.slice(k))]
      : [...definition.path(m - k, leaves.slice(k)), rootOf(leaves.slice(0, k))]
  },
  proof: (m: number, leaves: ReadonlyArray<Buffer>, complete = true): ReadonlyArray<Buffer> => {
    if (m === leaves.length) return complete ? [] : [rootOf(leaves)]
    const k = definition.split(leaves.length)
    return m <= k
      ? [...definition.proof(m, leaves.slice(0, k), complete), rootOf(leaves.slice(k))]
      : [...definition.proof(m - k, leaves.slice(k), false), rootOf(leaves.slice(0, k))]
  },
}

/** A tree as a log keeps it: leaf by leaf, every subtree under the leaf that completes it. */
const grown = (leaves: ReadonlyArray<Buffer>) => {
  const peaks: Array<Uint8Array> = []
  const rows = leaves.map((leaf, position) => {
    const hash = merkle.leafHash(sha256, leaf)
    return [hash, ...merkle.grow(sha256, peaks, position, hash)]
  })
  const hashOf = ({ level, index }: merkle.Node) => rows[(index + 1) * 2 ** level - 1]![level]!
  const rangeOf = (range: merkle.Range) => merkle.join(sha256, merkle.subtrees(range).map(hashOf))
  return { rows, peaks, rangeOf, root: (size: number) => rangeOf([0, size]) }
}

const bytes = (text: string) => Buffer.from(text, "hex")

/** The eight leaves that every implementation of certificate transparency is tested with, and the nine roots. */
const known = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
const roots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]

describe("the Merkle tree", () => {
  it("has the roots of the eight well-known leaves", () => {
    const tree = grown(known.map(bytes))
    for (const [size, root] of roots.entries()) assert.strictEqual(hex(tree.root(size)), root)
    // Two leaves and the root of two: the whole tree hangs at the last leaf.
    assert.deepStrictEqual(
      tree.rows.map(({ length }) => length),
      [1, 2, 1, 3, 1, 2, 1, 4],
    )
    assert.strictEqual(hex(tree.rows[7]![3]!), roots[8])
  })

  const most = 70
  const leaves = Array.from({ length: most }, (_, n) => Buffer.from(`leaf ${n}`))
  const tree = grown(leaves)
  const of = (ranges: ReadonlyArray<merkle.Range>) => ranges.map((range) => hex(tree.rangeOf(range)))

  it(`has the roots and proofs of the definition at every size up to ${most}`, () => {
    for (let size = 0; size <= most; size++) {
      const own = leaves.slice(0, size)
      assert.strictEqual(hex(tree.root(size)), hex(rootOf(own)))
      for (let position = 0; position < size; position++) {
        assert.deepStrictEqual(of(merkle.inclusionPath(position, size)), definition.path(position, own).map(hex))
      }
      for (let from = 1; from <= size; from++) {
        assert.deepStrictEqual(of(merkle.consistencyPath(from, size)), definition.proof(from, own).map(hex))
      }
    }
    assert.strictEqual(hex(merkle.join(sha256, tree.peaks)), hex(tree.root(most)))
  })

  const proofOf = (ranges: ReadonlyArray<merkle.Range>) => ranges.map(tree.rangeOf)
  const spoiled = (hash: Uint8Array) => Uint8Array.from(hash, (byte, at) => (at === 7 ? byte ^ 1 : byte))
  /** A proof with one hash changed, dropped, doubled or put last. */
  const forged = (proof: ReadonlyArray<Uint8Array>) => [
    [...proof, new Uint8Array(32)],
    ...proof.flatMap((hash, at) => [
      proof.with(at, spoiled(hash)),
      proof.toSpliced(at, 1),
      ...(at === 0 ? [] : [[...proof.toSpliced(at, 1), hash].toReversed()]),
    ]),
  ]

  it("verifies every proof that a leaf is in it, and none for another leaf, place, size or root", () => {
    for (let size = 1; size <= 33; size++) {
      const root = tree.root(size)
      for (let position = 0; position < size; position++) {
        const leaf = tree.rows[position]![0]!
        const proof = proofOf(merkle.inclusionPath(position, size))
        const verify = (
          ...[hash, at, of, path, to]: [Uint8Array, number, number, ReadonlyArray<Uint8Array>, Uint8Array]
        ) => merkle.verifyInclusion(sha256, hash, at, of, path, to)
        assert.isTrue(verify(leaf, position, size, proof, root))
        assert.isFalse(verify(spoiled(leaf), position, size, proof, root))
        assert.isFalse(verify(leaf, position, size, proof, spoiled(root)))
        assert.isFalse(verify(leaf, position + size, size, proof, root))
        if (size > 1) assert.isFalse(verify(leaf, (position + 1) % size, size, proof, root))
        for (const bad of forged(proof)) assert.isFalse(verify(leaf, position, size, bad, root))
      }
    }
  })

  it("verifies every proof that it begins with a smaller one, and none of another tree", () => {
    for (let to = 1; to <= 33; to++) {
      for (let from = 1; from <= to; from++) {
        const [before, after] = [tree.root(from), tree.root(to)]
        const proof = proofOf(merkle.consistencyPath(from, to))
        const verify = (
          ...[small, first, large, last, path]: [number, Uint8Array, number, Uint8Array, ReadonlyArray<Uint8Array>]
        ) => merkle.verifyConsistency(sha256, small, first, large, last, path)
        assert.isTrue(verify(from, before, to, after, proof))
        assert.isFalse(verify(from, spoiled(before), to, after, proof))
        assert.isFalse(verify(from, before, to, spoiled(after), proof))
        assert.isFalse(verify(to + 1, before, to, after, proof))
        for (const bad of forged(proof)) assert.isFalse(verify(from, before, to, after, bad), `${from} ${to}`)
      }
    }
    assert.isTrue(merkle.verifyConsistency(sha256, 0, tree.root(0), 5, tree.root(5), []))
    assert.isFalse(merkle.verifyConsistency(sha256, 0, tree.root(0), 5, tree.root(5), [tree.root(1)]))
    // The proof that is missing altogether.
    assert.isFalse(merkle.verifyConsistency(sha256, 3, tree.root(3), 5, tree.root(5), []))
  })

  it("rejects a node as a leaf", () => {
    const [left, right] = [tree.rows[0]![0]!, tree.rows[1]![0]!]
    const pair = new Uint8Array([...left, ...right])
    assert.notDeepEqual(merkle.leafHash(sha256, pair), merkle.nodeHash(sha256, left, right))
  })
})

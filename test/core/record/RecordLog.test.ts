import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { textOf } from "../../../core/record/leaf.ts"
import * as merkle from "../../../core/record/merkle.ts"
import * as proofs from "../../../core/record/proofs.ts"
import { part, RecordInputs, whole } from "../../../core/record/RecordInputs.ts"
import { RecordLog } from "../../../core/record/RecordLog.ts"
import { inMemory, inStore, leaf, leaves } from "../../support/record.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

/** The root over texts with no tree at all: every level hashed anew. */
const rootOf = (texts: ReadonlyArray<string>): string => {
  const join = (from: number, to: number): Uint8Array => {
    if (to - from === 1) return merkle.leafHash(sha256, Buffer.from(texts[from]!))
    const middle = from + 2 ** Math.floor(Math.log2(to - from - 1))
    return merkle.nodeHash(sha256, join(from, middle), join(middle, to))
  }
  return Encoding.encodeHex(texts.length === 0 ? sha256(new Uint8Array()) : join(0, texts.length))
}

const rootNow = Effect.gen(function* () {
  const log = yield* RecordLog
  return Encoding.encodeHex(yield* proofs.root(yield* log.size))
})

for (const [where, layer] of [
  ["in memory", Layer.suspend(() => Layer.fresh(inMemory))],
  ["in SQLite", inStore()],
] as const) {
  describe(`the record ${where}`, () => {
    it.effect("keeps leaves in order, to the letter, and finds them by position, id and hash", () =>
      Effect.gen(function* () {
        const log = yield* RecordLog
        assert.strictEqual(yield* log.size, 0)
        assert.deepStrictEqual(yield* log.append(leaves(0, 5)), [0, 1, 2, 3, 4])
        assert.deepStrictEqual(yield* log.append([leaf(5)]), [5])
        assert.deepStrictEqual(yield* log.append([]), [])
        assert.strictEqual(yield* log.size, 6)
        for (const n of [0, 3, 5]) {
          const found = (yield* log.leafAt(n))!
          assert.deepStrictEqual([found.position, found.id, found.text], [n, leaf(n).id, textOf(leaf(n))])
          for (const name of [leaf(n).id, Encoding.encodeHex(found.hash)]) {
            assert.deepStrictEqual(yield* log.leafOf(name), found)
          }
        }
        for (const name of ["leaf_000006", "0".repeat(64), "", "leaf_00000'"]) {
          assert.isUndefined(yield* log.leafOf(name))
        }
        assert.isUndefined(yield* log.leafAt(6))
        const positions = (from: number, to: number) =>
          Effect.map(log.range(from, to), (found) => found.map(({ position }) => position))
        assert.deepStrictEqual(yield* positions(2, 4), [2, 3])
        assert.deepStrictEqual(yield* positions(4, 100), [4, 5])
        assert.deepStrictEqual(yield* positions(6, 7), [])
      }).pipe(Effect.provide(layer)),
    )

    it.effect("takes a leaf once, in a batch and over batches, and no other one under its id", () =>
      Effect.gen(function* () {
        const log = yield* RecordLog
        assert.deepStrictEqual(yield* log.append([leaf(0), leaf(1), leaf(0)]), [0, 1, 0])
        assert.deepStrictEqual(yield* log.append([leaf(1), leaf(2)]), [1, 2])
        const root = yield* rootNow
        for (const bad of [
          [leaf(3), leaf(1, { at: 1 })],
          [leaf(3), leaf(3, { at: 1 })],
          [leaf(3), leaf(4, { body: { p: Number.NaN } })],
        ]) {
          assert.isTrue(Exit.isFailure(yield* Effect.exit(log.append(bad))))
          assert.strictEqual(yield* log.size, 3)
        }
        assert.strictEqual(yield* rootNow, root)
      }).pipe(Effect.provide(layer)),
    )

    it.effect("gives every leaf a position of its own when many append at once", () =>
      Effect.gen(function* () {
        const log = yield* RecordLog
        const bad = log.append([leaf(0, { at: 0 })])
        yield* log.append([leaf(0)])
        const appended = yield* Effect.all(
          [
            ...Array.from({ length: 50 }, (_, n) => log.append(leaves(1 + n * 3, 4 + n * 3))),
            // One that cannot be costs those beside it nothing.
            Effect.as(Effect.sandbox(bad).pipe(Effect.flip), []),
            ...Array.from({ length: 5 }, () => log.append([leaf(0), leaf(1)])),
          ],
          { concurrency: "unbounded" },
        )
        const positions = new Set(appended.flat())
        assert.deepStrictEqual(
          [...positions].sort((a, b) => a - b),
          Array.from({ length: 151 }, (_, n) => n),
        )
        const entries = yield* log.range(0, 1_000)
        assert.strictEqual(yield* rootNow, rootOf(entries.map(({ text }) => text)))
      }).pipe(Effect.provide(layer)),
    )

    it.effect("proves every leaf and every growth, whatever was appended together", () =>
      Effect.gen(function* () {
        const log = yield* RecordLog
        const roots = new Map<number, string>()
        const texts: Array<string> = []
        for (const step of [0, 1, 1, 1, 4, 2, 7, 16, 1, 5]) {
          const added = leaves(texts.length, texts.length + step)
          yield* log.append(added)
          texts.push(...added.map(textOf))
          roots.set(texts.length, rootOf(texts))
          assert.strictEqual(yield* rootNow, rootOf(texts))
        }
        for (const [size, root] of roots) {
          for (let position = 0; position < size; position++) {
            const { hash } = (yield* log.leafAt(position))!
            const proof = yield* proofs.inclusion(position, size)
            assert.strictEqual(Encoding.encodeHex(proof.root), root)
            assert.isTrue(merkle.verifyInclusion(sha256, hash, position, size, proof.hashes, proof.root))
          }
          for (const [from, before] of roots) {
            if (from > size) continue
            const { root: after, hashes } = yield* proofs.consistency(from, size)
            assert.isTrue(merkle.verifyConsistency(sha256, from, Buffer.from(before, "hex"), size, after, hashes))
          }
        }
        assert.isTrue(Exit.isFailure(yield* Effect.exit(proofs.inclusion(3, 3))))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(proofs.consistency(4, 3))))
      }).pipe(Effect.provide(layer)),
    )

    it.effect("keeps checkpoints by size, the first of each", () =>
      Effect.gen(function* () {
        const log = yield* RecordLog
        const signed = (size: number, note = `${size}`) => ({ size, at: size * 1_000, key: "key", note })
        assert.isUndefined(yield* log.checkpoint())
        for (const size of [0, 3, 12]) yield* log.keep(signed(size))
        yield* log.keep(signed(3, "another"))
        assert.deepStrictEqual(yield* log.checkpoint(), signed(12))
        assert.deepStrictEqual(yield* log.checkpoint(3), signed(3))
        assert.isUndefined(yield* log.checkpoint(4))
        assert.deepStrictEqual(yield* log.checkpoints(-1, 12), [signed(0), signed(3), signed(12)])
        assert.deepStrictEqual(yield* log.checkpoints(3, 11), [])
      }).pipe(Effect.provide(layer)),
    )

    it.effect("keeps what was computed from under its hash", () =>
      Effect.gen(function* () {
        const inputs = yield* RecordInputs
        const value = { closes: [60_000.5, null, 60_001], asset: "BTC" }
        const hash = yield* inputs.put(value)
        assert.strictEqual(
          hash,
          createHash("sha256").update('{"asset":"BTC","closes":[60000.5,null,60001]}').digest("hex"),
        )
        assert.strictEqual(yield* inputs.put({ asset: "BTC", closes: [60_000.5, null, 60_001] }), hash)
        assert.deepStrictEqual(yield* inputs.get(hash), value)
        assert.isUndefined(yield* inputs.get("0".repeat(64)))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(inputs.put({ close: Number.NaN }))))
      }).pipe(Effect.provide(layer)),
    )

    it.effect("keeps what many signals share once, all or none, and looks at it once for its owner", () =>
      Effect.gen(function* () {
        const inputs = yield* RecordInputs
        const owner = {}
        const [one, other] = yield* inputs.parts(owner, () => [[1], { of: [2] }])
        assert.deepStrictEqual(yield* Effect.all([inputs.get(one!), inputs.get(other!)]), [[1], { of: [2] }])
        const again = inputs.parts(owner, () => assert.fail("The values were looked at again."))
        assert.deepStrictEqual(yield* again, [one!, other!])
        assert.deepStrictEqual(yield* inputs.parts({}, () => [{ of: [2] }, [1]]), [other!, one!])
        assert.deepStrictEqual(yield* inputs.parts({}, () => []), [])
        assert.strictEqual(yield* inputs.put([1]), one)

        const [lone] = yield* inputs.parts({}, () => [["lone"]])
        const exit = yield* Effect.exit(inputs.parts({}, () => [["kept by nobody"], [Number.NaN]]))
        assert.isTrue(Exit.isFailure(exit))
        assert.isDefined(yield* inputs.get(lone!))
        const hash = createHash("sha256").update('["kept by nobody"]').digest("hex")
        assert.isUndefined(yield* inputs.get(hash))
      }).pipe(Effect.provide(layer)),
    )

    it.effect("takes absence for what it is in a whole, and dies where a part is not there", () =>
      Effect.gen(function* () {
        const { get } = yield* RecordInputs
        assert.deepStrictEqual(yield* get(yield* whole({ a: undefined, b: 1 })), { b: 1 })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(part("0".repeat(64)))))
      }).pipe(Effect.provide(layer)),
    )
  })
}

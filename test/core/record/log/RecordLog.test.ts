import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as inputs from "../../../../core/record/captures/RecordInputs.ts"
import { RecordInputs, readShared, toInputs } from "../../../../core/record/captures/RecordInputs.ts"
import * as exported from "../../../../core/record/log/exported.ts"
import { toText } from "../../../../core/record/log/leaf.ts"
import * as merkle from "../../../../core/record/log/merkle.ts"
import * as proofs from "../../../../core/record/log/proofs.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { inAnyStore } from "../../../support/anyStore.ts"
import { inMemory, leaf, leaves } from "../../../support/record.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

const noon = Date.parse("2026-07-08T12:00:00Z")

/** The root over texts, computed level by level without a tree. */
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
  ["in a store", inAnyStore],
] as const) {
  describe(`the record ${where}`, () => {
    it.effect("stores leaves in order, to the byte, and finds them by position, id and hash", () =>
      Effect.gen(function* () {
        const log = yield* RecordLog
        assert.strictEqual(yield* log.size, 0)
        assert.deepStrictEqual(yield* log.append(leaves(0, 5)), [0, 1, 2, 3, 4])
        assert.deepStrictEqual(yield* log.append([leaf(5)]), [5])
        assert.deepStrictEqual(yield* log.append([]), [])
        assert.strictEqual(yield* log.size, 6)
        for (const n of [0, 3, 5]) {
          const found = (yield* log.leafAt(n))!
          assert.deepStrictEqual([found.position, found.id, found.text], [n, leaf(n).id, toText(leaf(n))])
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
            // A failing append does not affect the others.
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
          texts.push(...added.map(toText))
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

    it.effect("stores the first checkpoint of each size, and none that is before the newest", () =>
      Effect.gen(function* () {
        const log = yield* RecordLog
        const signed = (size: number, note = `${size}`) => ({ size, at: size * 1_000, key: "key", note })
        assert.isUndefined(yield* log.checkpoint())
        for (const size of [0, 3, 12]) yield* log.keep(signed(size))
        yield* log.keep(signed(3, "another"))
        // A second signer that was slower, and one whose clock is behind.
        yield* log.keep(signed(7))
        yield* log.keep({ ...signed(13), at: 11_999 })
        assert.deepStrictEqual(yield* log.checkpoint(), signed(12))
        assert.deepStrictEqual(yield* log.checkpoint(3), signed(3))
        assert.isUndefined(yield* log.checkpoint(4))
        assert.deepStrictEqual(yield* log.checkpoints(-1, 12), [signed(0), signed(3), signed(12)])
        assert.deepStrictEqual(yield* log.checkpoints(3, 11), [])
      }).pipe(Effect.provide(layer)),
    )

    it.effect("seals the text of a leaf until its time, and never its hash", () =>
      Effect.gen(function* () {
        const log = yield* RecordLog
        const salt = "5a".repeat(16)
        const sealed = leaf(1, { seal: { until: noon, salt } })
        yield* log.append([leaf(0), sealed, leaf(2, { seal: { until: noon + 1, salt } })])
        const [open, entry] = yield* log.range(0, 3)
        const hash = Encoding.encodeHex(entry!.hash)
        assert.strictEqual(hash, Encoding.encodeHex(merkle.leafHash(sha256, Buffer.from(toText(sealed)))))
        assert.deepInclude(JSON.parse(entry!.text), { salt })
        assert.deepStrictEqual([open!.sealedUntil, entry!.sealedUntil], [undefined, noon])
        assert.deepStrictEqual(yield* log.leafAt(1), entry)
        assert.deepStrictEqual(yield* log.leafOf(sealed.id), entry)

        const known = { position: 1, id: sealed.id, hash }
        const readAt: ReadonlyArray<readonly [now: number, sealed: ReadonlyArray<number>]> = [
          [noon - 1, [1, 2]],
          [noon, [2]],
          [noon + 1, []],
          [exported.afterEveryClose, []],
        ]
        for (const [now, positions] of readAt) {
          const rows = (yield* exported.lines(0, 3, now)).map((line) => JSON.parse(line))
          assert.deepStrictEqual(
            rows.flatMap((row) => (row.leaf === undefined ? [row.position] : [])),
            [...positions],
          )
          assert.deepStrictEqual(
            rows[1],
            now < noon ? { ...known, sealed_until: "2026-07-08T12:00:00.000Z" } : { ...known, leaf: toText(sealed) },
          )
        }
      }).pipe(Effect.provide(layer)),
    )

    it.effect("stores inputs under their hash", () =>
      Effect.gen(function* () {
        const { get, isKept, keep } = yield* RecordInputs
        const value = { closes: [60_000.5, null, 60_001], asset: "BTC" }
        const text = inputs.toText(sha256, value)
        const { hash } = text
        assert.strictEqual(
          hash,
          createHash("sha256").update('{"asset":"BTC","closes":[60000.5,null,60001]}').digest("hex"),
        )
        assert.isFalse(isKept(hash))
        assert.isUndefined(yield* get(hash))
        for (let time = 0; time < 2; time++) {
          yield* keep([inputs.toPart(text)])
          assert.isTrue(isKept(hash))
          assert.deepStrictEqual(yield* get(hash), value)
        }
        assert.throws(() => inputs.toText(sha256, { close: Number.NaN }), TypeError)
      }).pipe(Effect.provide(layer)),
    )

    it.effect("stores any number of parts, each once", () =>
      Effect.gen(function* () {
        const { get, isKept, keep } = yield* RecordInputs
        const texts = Array.from({ length: 150 }, (_, n) => inputs.toText(sha256, { part: n % 149 }))
        yield* keep(texts.map(inputs.toPart))
        yield* keep([])
        assert.isTrue(texts.every(({ hash }) => isKept(hash)))
        for (const n of [0, 64, 148, 149]) assert.deepStrictEqual(yield* get(texts[n]!.hash), { part: n % 149 })
      }).pipe(Effect.provide(layer)),
    )

    it.effect("takes absence for what it is in a whole, and dies where a part is not there or is another", () =>
      Effect.gen(function* () {
        const { keep } = yield* RecordInputs
        const { putShared, ...text } = toInputs({ a: undefined, b: 1 })(sha256)
        assert.deepStrictEqual([text.text, putShared], ['{"b":1}', []])
        const other = "0".repeat(64)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(readShared(other))))
        yield* keep([inputs.toPart({ ...text, hash: other })])
        assert.isTrue(Exit.isFailure(yield* Effect.exit(readShared(other))))
      }).pipe(Effect.provide(layer)),
    )
  })
}

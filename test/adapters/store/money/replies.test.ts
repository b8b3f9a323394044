import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Replies from "../../../../adapters/store/money/replies.ts"
import { MicroUsd, zero } from "../../../../core/account/Money.ts"
import * as Step from "../../../../core/Step.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { asEffect } from "../../../support/steps.ts"

const [packed, recalled] = [asEffect(Replies.pack), asEffect(Replies.recall)]

const named = { key: "order 7", requestHash: "hash" }

const settlement = (stored: string, micros = 500) =>
  settlementOf({
    accountId: "acct_1",
    keyId: "key_1",
    requestId: "req_1",
    micros,
    at: 1_783_000_000_000,
    remember: { ...named, stored },
  })

/** Packs the answer of a charged call. */
const charged = (stored: string) => packed(settlement(stored))
const free = (stored: string) => packed(settlement(stored, 0))

/** Text that hardly compresses, the same in every run. */
const noise = (length: number): string => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  let state = 1
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return letters[state >>> 26]
  }).join("")
}

const recall = (bytes: Uint8Array | undefined) =>
  Effect.map(recalled(named.key, { request_hash: named.requestHash, stored: bytes! }), (reply) => reply?.stored)

describe("a stored answer", () => {
  it.effect("is nothing for a call without a key, or without an answer that is to be kept", () =>
    Effect.gen(function* () {
      const { reply: _, ...plain } = settlement("")
      assert.isUndefined(yield* packed(plain))
      assert.isUndefined(yield* packed({ ...plain, reply: named }))
      assert.isUndefined(yield* recalled("order 7", undefined))
    }),
  )

  it.effect("of a charged call is kept as it is while row and text have 4,096 bytes at most, else compressed", () =>
    Effect.gen(function* () {
      for (const [text, isPlain] of [
        ["", true],
        ["a".repeat(3_839), true],
        ["a".repeat(3_840), false],
        [`${"é".repeat(1_919)}a`, true],
        ["é".repeat(1_920), false],
      ] as const) {
        const reply = yield* charged(text)
        assert.deepStrictEqual({ ...reply, bytes: undefined }, { ...named, bytes: undefined })
        const bytes = reply!.bytes!
        assert.strictEqual(bytes[0] === 0b111, isPlain, `${text.length}`)
        if (isPlain) assert.strictEqual(bytes.length, 1 + Buffer.byteLength(text))
        else assert.isBelow(bytes.length, 200)
        assert.strictEqual(yield* recall(bytes), text)
      }
    }),
  )

  it.effect("of a charged call is kept however long it is", () =>
    Effect.gen(function* () {
      const text = noise(200_000)
      const reply = yield* charged(text)
      assert.isAbove(reply!.bytes!.length, 100_000)
      assert.strictEqual(yield* recall(reply!.bytes), text)
    }),
  )

  it.effect("is compressed at once up to 32,768 characters, and beside the calls from there on", () =>
    Effect.gen(function* () {
      const [short, long] = [charged("a".repeat(32_768)), charged("a".repeat(32_769))]
      assert.isTrue(Step.isDone(short))
      assert.isFalse(Step.isDone(long))
      assert.strictEqual(yield* recall((yield* short)!.bytes), "a".repeat(32_768))
      assert.strictEqual(yield* recall((yield* long)!.bytes), "a".repeat(32_769))
    }),
  )

  it.effect("is read at once while it has 4,096 compressed bytes at most", () =>
    Effect.gen(function* () {
      const sizes = new Set<boolean>()
      for (let length = 5_200; length < 5_700; length += 5) {
        const text = noise(length)
        const { bytes } = (yield* charged(text))!
        const step = recalled("order 7", { request_hash: "hash", stored: bytes! })
        assert.strictEqual(Step.isDone(step), bytes!.length <= 4_096, `${bytes!.length}`)
        sizes.add(bytes!.length <= 4_096)
        assert.strictEqual((yield* step)?.stored, text)
      }
      assert.strictEqual(sizes.size, 2)
    }),
  )

  it.effect("of a free call is always compressed, and only its key is kept where 2,048 bytes are too few", () =>
    Effect.gen(function* () {
      const small = yield* free("{}")
      assert.notStrictEqual(small!.bytes![0], 0b111)
      assert.strictEqual(yield* recall(small!.bytes), "{}")
      let longest = 0
      for (let length = 2_500; length < 2_800; length++) {
        longest = Math.max(longest, (yield* free(noise(length)))!.bytes?.length ?? 0)
      }
      assert.strictEqual(longest, 2_048)
      assert.deepStrictEqual(yield* free(noise(2_800)), named)
    }),
  )

  it.effect("of a free call is not even compressed beyond 32,768 characters", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* recall((yield* free("a".repeat(32_768)))!.bytes), "a".repeat(32_768))
      assert.deepStrictEqual(yield* free("a".repeat(32_769)), named)
    }),
  )

  it.effect("is kept by what the call cost, not by the price in the list", () =>
    Effect.gen(function* () {
      const paid = {
        ...settlement(""),
        listMicros: zero,
        chargedMicros: MicroUsd(1),
        reply: { ...named, stored: noise(2_800) },
      }
      assert.strictEqual((yield* packed(paid))!.bytes![0], 0b111)
      assert.deepStrictEqual(yield* packed({ ...paid, listMicros: MicroUsd(1), chargedMicros: zero }), named)
    }),
  )

  it.effect("comes back with its key and hash, from a part of a larger buffer too; without bytes only these come", () =>
    Effect.gen(function* () {
      const row = { request_hash: "hash" }
      assert.deepStrictEqual(yield* recalled("order 7", { ...row, stored: null }), named)
      const { bytes } = (yield* charged("grüße"))!
      const whole = new Uint8Array(bytes!.length + 20).fill(65)
      whole.set(bytes!, 10)
      assert.deepStrictEqual(yield* recalled("order 7", { ...row, stored: whole.subarray(10, 10 + bytes!.length) }), {
        ...named,
        stored: "grüße",
      })
    }),
  )
})

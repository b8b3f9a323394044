import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as viem from "viem"
import { make, showError } from "../../../../../adapters/server/payments/x402/chain.ts"
import { signatures, toTopic } from "../../../../../adapters/server/payments/x402/evidence.ts"
import { load } from "../../../../../adapters/server/payments/x402/packages.ts"
import type { Hex } from "../../../../../adapters/server/payments/x402/payload.ts"
import type { Terms } from "../../../../../adapters/server/payments/x402/terms.ts"

const packages = await Effect.runPromise(load())

const hex = (digit: string, digits: number): Hex => `0x${digit.repeat(digits)}`
const [asset, from, payTo] = [hex("a", 40), hex("b", 40), hex("c", 40)]
const [nonce, transactionHash] = [hex("d", 64), hex("e", 64)]
const authorization = { from, nonce }
const terms = {
  network: "eip155:84532",
  chainId: 84_532,
  asset,
  payTo,
  decimals: 6,
  confirmations: 1,
} as unknown as Terms

/** A transfer by the authorization. */
const logs = [
  { topics: [viem.toEventSelector(signatures.used), toTopic(from), nonce], data: "0x", logIndex: 1 },
  { topics: [viem.toEventSelector(signatures.transfer), toTopic(from), toTopic(payTo)], data: "0x3e8", logIndex: 2 },
].map((log) => ({ ...log, address: asset, transactionHash }))

const head = 4_000
const secondsOf = (block: number) => 1_700_000_000 + 12 * block

/** A chain of a block each 12 s, whose node answers as given; `usedAt` is the block of the transfer. */
const chain = (answers: object, usedAt = Number.NaN, changes: Partial<Terms> = {}) => {
  const ranges: Array<readonly [from: number, to: number]> = []
  const client = {
    getBlock: async ({ blockNumber = BigInt(head) }) => ({
      number: blockNumber,
      timestamp: BigInt(secondsOf(Number(blockNumber))),
    }),
    request: async ({ params: [{ fromBlock, toBlock }] }: { params: [{ fromBlock: Hex; toBlock: Hex }] }) => {
      const [first, last] = [Number(fromBlock), Number(toBlock)]
      ranges.push([first, last])
      return first <= usedAt && usedAt <= last ? [{ transactionHash }] : []
    },
    getTransactionReceipt: async () => ({
      ...{ blockNumber: BigInt(usedAt), gasUsed: 60_000n, effectiveGasPrice: 2n, status: "success", logs },
    }),
    ...answers,
  }
  return { ranges, chain: make(packages, { ...terms, ...changes }, client as never) }
}
const newest = { number: BigInt(head), timestamp: BigInt(secondsOf(head)) }
const millis = (block: number) => 1_000 * secondsOf(block)

describe("the use of an authorization", () => {
  it.effect(
    "is looked for in the newest blocks first, then from its order's time on, a thousand blocks at a time",
    () =>
      Effect.gen(function* () {
        const recent = chain({}, 3_990)
        const use = yield* recent.chain.find(authorization, newest, millis(3_980), millis(head))
        assert.deepStrictEqual(use, { _tag: "Transfer", to: payTo, value: 1_000n, transactionHash, logIndex: 1 })
        assert.deepStrictEqual(recent.ranges, [[3_001, 4_000]])
        const old = chain({}, 1_200)
        yield* old.chain.find(authorization, newest, millis(150), millis(head))
        // Ten minutes before, where our clock may be ahead: block 100.
        assert.deepStrictEqual(old.ranges, [
          [3_001, 4_000],
          [100, 1_099],
          [1_100, 2_099],
        ])
      }),
  )

  it.effect("that the node does not show is an outage, and is not looked for after its end", () =>
    Effect.gen(function* () {
      const { ranges, chain: none } = chain({})
      const failure = yield* Effect.flip(none.find(authorization, newest, millis(150), millis(300)))
      assert.strictEqual(failure.code, "upstream_unavailable")
      assert.deepStrictEqual(ranges, [
        [3_001, 4_000],
        [100, 1_099],
      ])
    }),
  )
})

describe("a transaction", () => {
  it.effect("has what it took, and none is there before it is in a block", () =>
    Effect.gen(function* () {
      const { block, mined } = (yield* chain({}, 7).chain.receipt(transactionHash, authorization))!
      assert.deepStrictEqual([block, mined], [7n, { gas: 60_000n, gasPrice: 2n, isReverted: false }])
      const unseen = () => Promise.reject(new viem.TransactionReceiptNotFoundError({ hash: transactionHash }))
      const pending = chain({ getTransactionReceipt: unseen })
      assert.isUndefined(yield* pending.chain.receipt(transactionHash, authorization))
      const away = chain({ getTransactionReceipt: () => Promise.reject(new Error("away")) })
      const failure = yield* Effect.flip(away.chain.receipt(transactionHash, authorization))
      assert.strictEqual(failure.code, "upstream_unavailable")
    }),
  )

  it.effect("counts in the newest block, or as many below as confirmations are asked for", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* chain({}).chain.confirmed).number, 4_000n)
      assert.strictEqual((yield* chain({}, 0, { confirmations: 11 }).chain.confirmed).number, 3_990n)
      assert.strictEqual((yield* chain({}, 0, { confirmations: 9_000 }).chain.confirmed).number, 0n)
    }),
  )
})

describe("a node", () => {
  it.effect.each([
    [84_532, 6, undefined],
    [1, 6, "rpcUrl"],
    [84_532, 18, "assetDecimals"],
    [84_532, undefined, "asset"],
  ] as const)("of chain %s and a token of %s decimals: %s", ([chainId, decimals, setting]) =>
    Effect.gen(function* () {
      const noToken = new viem.ContractFunctionZeroDataError({ functionName: "decimals" })
      const { fit } = chain({
        getChainId: async () => chainId,
        readContract: () => (decimals === undefined ? Promise.reject(noToken) : Promise.resolve(decimals)),
      }).chain
      const found = yield* Effect.either(fit)
      assert.strictEqual(found._tag === "Left" && "setting" in found.left ? found.left.setting : undefined, setting)
      assert.strictEqual(found._tag, setting === undefined ? "Right" : "Left")
    }),
  )

  it("is never quoted with its URL, which may hold a key", () => {
    const url = "https://node.test/secret"
    const error = new viem.HttpRequestError({ url, status: 500, body: { params: ["secret"] } })
    assert.notInclude(showError(packages, error), "secret")
    assert.include(error.message, "secret")
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as viem from "viem"
import { load, readAccount } from "../../../../../adapters/server/payments/x402/packages.ts"
import type { Hex } from "../../../../../adapters/server/payments/x402/payload.ts"
import { type Attempt, make, maxGas } from "../../../../../adapters/server/payments/x402/signer.ts"
import { clockAt } from "../../../../support/clock.ts"

const packages = await Effect.runPromise(load())
const account = await Effect.runPromise(readAccount(packages, Redacted.make(`0x${"0".repeat(63)}1`)))
const token: Hex = `0x${"a".repeat(40)}`

const refusal = (message: string) =>
  new viem.TransactionRejectedRpcError(
    new viem.RpcRequestError({ body: {}, error: { code: -32_000, message }, url: "https://node.test" }),
  )

/** A signer whose node refuses transactions by these errors, one after the other; the numbers of those that it takes. */
const signer = (errors: ReadonlyArray<Error> = [], { gas = 60_000n, budget = 1_000_000n } = {}) => {
  const numbers: Array<number | undefined> = []
  const refusals = [...errors]
  let left = budget
  const clock = clockAt(0)
  const client = {
    estimateGas: async () => gas,
    estimateFeesPerGas: async () => ({ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }),
    // This node has not heard of what was sent.
    getTransactionCount: async () => 5,
    request: async ({ params: [raw] }: { params: [Hex] }) => {
      const error = refusals.shift()
      numbers.push(viem.parseTransaction(raw).nonce)
      if (error !== undefined) throw error
    },
    getCode: () => Promise.reject(new Error("away")),
    readContract: () => Promise.reject(new viem.ContractFunctionRevertedError({ abi: [], functionName: "transfer" })),
  }
  const gasOfHour = {
    allows: (limit: bigint) => limit <= left,
    send: (_: Hex, limit: bigint) => {
      left -= limit
    },
    unsent: () => {
      left = budget
    },
  }
  const of = make({ packages, chainId: 1, client, account, budget: gasOfHour, clock } as never)
  const write = (attempt: Attempt) =>
    of(attempt).writeContract({ address: token, abi: viem.erc20Abi, functionName: "transfer", args: [token, 1n] })
  return { of, numbers, clock, write }
}

const attempt = (isOver = false): Attempt => ({ isOver })
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "sent",
    (error: Error) => error.message,
  )

describe("transactions that carry payments", () => {
  it("have a number each, also where the node has not heard of the one before, for half a minute", async () => {
    const { numbers, clock, write } = signer()
    const attempts = [attempt(), attempt()]
    await Promise.all(attempts.map(write))
    assert.deepStrictEqual(numbers, [5, 6])
    assert.strictEqual(new Set(attempts.map(({ sent }) => sent)).size, 2)
    clock.set(30_000)
    await write(attempt())
    assert.deepStrictEqual(numbers, [5, 6, 5])
  })

  it("are sent again with another number where another process took theirs, three times at most", async () => {
    const taken = refusal("nonce too low")
    const once = signer([taken])
    await once.write(attempt())
    assert.strictEqual(once.numbers.length, 2)
    const often = signer([taken, taken, taken])
    const lost = attempt()
    assert.include(await messageOf(often.write(lost)), "nonce too low")
    assert.deepStrictEqual([often.numbers.length, lost.sent], [3, undefined])
  })

  it("may be on their way where the node did not answer: the same one is sent again", async () => {
    const { numbers, write } = signer([new Error("socket hang up"), refusal("already known")])
    const unsure = attempt()
    assert.strictEqual(await write(unsure), unsure.sent)
    assert.deepStrictEqual(numbers, [5, 5])
  })

  it("are not sent where nobody waits, the hour's gas is used up, or the transfer takes too much", async () => {
    const [idle, poor, dear] = [signer(), signer([], { budget: 1n }), signer([], { gas: maxGas + 1n })]
    assert.include(await messageOf(idle.write(attempt(true))), "Nobody waits")
    const short = attempt()
    assert.include(await messageOf(poor.write(short)), "used up")
    assert.isTrue(short.isOutOfGas)
    const hungry = attempt()
    assert.include(await messageOf(dear.write(hungry)), "too much gas")
    assert.strictEqual(await messageOf(signer([], { gas: maxGas }).write(attempt())), "sent")
    assert.isUndefined(hungry.outage)
    assert.deepStrictEqual(
      [idle, poor, dear].flatMap(({ numbers }) => numbers),
      [],
    )
  })
})

describe("an error of the node", () => {
  it("is kept as an outage unless the contract itself refuses", async () => {
    const { of } = signer()
    const [away, refused] = [attempt(), attempt()]
    await messageOf(of(away).getCode({ address: token }))
    await messageOf(of(refused).readContract({ address: token, abi: [], functionName: "transfer" }))
    assert.deepStrictEqual(
      [away, refused].map(({ outage }) => outage instanceof Error),
      [true, false],
    )
  })
})

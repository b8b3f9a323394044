import type { FacilitatorEvmSigner } from "@x402/evm"
import type * as Clock from "effect/Clock"
import type { Abi, PrivateKeyAccount, PublicClient } from "viem"
import { isRevert } from "./chain.ts"
import type { Gas } from "./gas.ts"
import type { Packages } from "./packages.ts"
import type { Hex } from "./payload.ts"

/** One payment on its way through the packages, which do not tell these things apart. */
export interface Attempt {
  /** Nobody waits any more: nothing may be sent. */
  isOver: boolean
  /** The transaction, from the moment on at which the node may have it. */
  sent?: Hex
  /** The node did not answer, or refused for a reason that is not the payment's. */
  outage?: unknown
  /** Other payments have used up the gas for this hour since the check. */
  isOutOfGas?: true
}

/**
 * Gas for one payment at most: a transfer takes below 100,000. Without a limit a payer whose account is a contract could
 * spend ours.
 */
export const mostGas = 400_000n

/** Milliseconds for which a node may not have heard of our own transactions yet. */
const unheardMs = 30_000

/** Tries to send with a number of the account that another process took. */
const maxNonceTries = 3

/** Answers of nodes: the transaction is there already; its number is another one's. */
const isKnown = /already (known|imported)/i
const isTaken = /nonce too low|underpriced|nonce.*(used|mismatch)/i

/** The signer of the transactions that carry payments: it sends one after the other, each with its own number. */
export const make = (
  packages: Packages,
  chainId: number,
  client: PublicClient,
  account: PrivateKeyAccount,
  budget: Gas,
  clock: Clock.Clock,
) => {
  const { viem } = packages
  let last: { readonly number: number; readonly at: number } | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  /** The number of the account's next transaction. */
  const next = async (): Promise<number> => {
    const pending = await client.getTransactionCount({ address: account.address, blockTag: "pending" })
    const isFresh = last !== undefined && clock.unsafeCurrentTimeMillis() - last.at < unheardMs
    return isFresh ? Math.max(pending, last!.number + 1) : pending
  }

  const broadcast = (serializedTransaction: Hex): Promise<unknown> =>
    client.request({ method: "eth_sendRawTransaction", params: [serializedTransaction] }, { retryCount: 0 })

  const says = (error: unknown, pattern: RegExp): boolean =>
    error instanceof viem.BaseError &&
    error.walk((each) => each instanceof viem.RpcRequestError) !== null &&
    pattern.test(error.message)

  /** Whether the node answered, and does not take the transaction. */
  const isRejected = (error: unknown): boolean => says(error, /./) && !says(error, isKnown)

  const send = async (attempt: Attempt, to: Hex, data: Hex): Promise<Hex> => {
    const { address } = account
    const [gas, fees] = await Promise.all([
      client.estimateGas({ account: address, to, data }),
      client.estimateFeesPerGas(),
    ])
    // The packages read this message; it is no outage.
    if (gas > mostGas) throw new viem.ExecutionRevertedError({ message: "The transfer takes too much gas." })
    const limit = (gas * 6n) / 5n
    return inTurn(async () => {
      for (let left = maxNonceTries; ; left--) {
        const number = await next()
        const serializedTransaction = await account.signTransaction({
          type: "eip1559",
          chainId,
          to,
          data,
          gas: limit,
          nonce: number,
          maxFeePerGas: fees.maxFeePerGas,
          maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
        })
        if (attempt.isOver) throw new Error("Nobody waits for this payment any more.")
        if (!budget.allows(limit)) {
          attempt.isOutOfGas = true
          throw new Error("The gas for this hour is used up.")
        }
        const hash = viem.keccak256(serializedTransaction)
        attempt.sent = hash
        budget.send(hash, limit)
        const before = last
        last = { number, at: clock.unsafeCurrentTimeMillis() }
        try {
          await broadcast(serializedTransaction)
        } catch (error) {
          if (isRejected(error)) {
            delete attempt.sent
            budget.unsent(hash)
            last = says(error, isTaken) ? undefined : before
            if (left > 1 && says(error, isTaken)) continue
            throw error
          }
          // The node may have it or not: the same transaction does no harm twice.
          await broadcast(serializedTransaction).catch((again) => {
            if (!says(again, isKnown) && !says(again, isTaken)) last = before
          })
        }
        return hash
      }
    })
  }

  /** Keeps errors that say nothing about the payment: the packages take them for refusals. */
  const noting = async <A>(attempt: Attempt, work: () => Promise<A>): Promise<A> => {
    try {
      return await work()
    } catch (error) {
      if (!isRevert(packages, error)) attempt.outage = error
      throw error
    }
  }

  const never = () => Promise.reject(new Error("Contracts are not deployed for payers."))

  return (attempt: Attempt): FacilitatorEvmSigner => ({
    getAddresses: () => [account.address],
    readContract: (args) => noting(attempt, () => client.readContract(args as never)),
    verifyTypedData: (args) => noting(attempt, () => client.verifyTypedData(args as never)),
    getCode: (args) => noting(attempt, () => client.getCode(args)),
    writeContract: ({ address, abi, functionName, args, dataSuffix = "0x" }) =>
      noting(attempt, () => {
        const data = viem.encodeFunctionData({ abi: abi as Abi, functionName, args })
        return send(attempt, address, viem.concat([data, dataSuffix]))
      }),
    sendTransaction: never,
    // The chain is read after this, with its own limit: the packages need not wait too.
    waitForTransactionReceipt: () => Promise.reject(new Error("The receipt is awaited elsewhere.")),
  })
}

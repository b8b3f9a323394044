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

/** Readers of a node's refusal of a transaction. */
const makeRefusals = ({ viem }: Packages) => {
  const says =
    (pattern: RegExp) =>
    (error: unknown): boolean =>
      error instanceof viem.BaseError &&
      error.walk((each) => each instanceof viem.RpcRequestError) !== null &&
      pattern.test(error.message)
  const [isAnswer, isKnown] = [says(/./), says(/already (known|imported)/i)]
  return {
    /** The transaction is there already. */
    isKnown,
    /** Its number is another one's. */
    isTaken: says(/nonce too low|underpriced|nonce.*(used|mismatch)/i),
    /** The node answered, and does not take the transaction. */
    isRejected: (error: unknown): boolean => isAnswer(error) && !isKnown(error),
  }
}

export interface Parts {
  readonly packages: Packages
  readonly chainId: number
  readonly client: PublicClient
  readonly account: PrivateKeyAccount
  readonly budget: Gas
  readonly clock: Clock.Clock
}

/** Sends the transactions that carry payments one after the other, each with its own number. */
const makeSend = ({ packages, chainId, client, account, budget, clock }: Parts) => {
  const { viem } = packages
  const { address } = account
  const { isKnown, isTaken, isRejected } = makeRefusals(packages)
  let last: { readonly number: number; readonly at: number } | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  /** The number of the account's next transaction. */
  const next = async (): Promise<number> => {
    const pending = await client.getTransactionCount({ address, blockTag: "pending" })
    const isFresh = last !== undefined && clock.unsafeCurrentTimeMillis() - last.at < unheardMs
    return isFresh ? Math.max(pending, last!.number + 1) : pending
  }

  const broadcast = (serializedTransaction: Hex): Promise<unknown> =>
    client.request({ method: "eth_sendRawTransaction", params: [serializedTransaction] }, { retryCount: 0 })

  return async (attempt: Attempt, to: Hex, data: Hex): Promise<Hex> => {
    const [gas, fees] = await Promise.all([
      client.estimateGas({ account: address, to, data }),
      client.estimateFeesPerGas(),
    ])
    // The packages read this message; it is no outage.
    if (gas > mostGas) throw new viem.ExecutionRevertedError({ message: "The transfer takes too much gas." })
    const limit = (gas * 6n) / 5n
    const { maxFeePerGas, maxPriorityFeePerGas } = fees
    const transaction = { type: "eip1559", chainId, to, data, gas: limit, maxFeePerGas, maxPriorityFeePerGas } as const
    return inTurn(async () => {
      for (let left = maxNonceTries; ; left--) {
        const number = await next()
        const serializedTransaction = await account.signTransaction({ ...transaction, nonce: number })
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
            last = isTaken(error) ? undefined : before
            if (left > 1 && isTaken(error)) continue
            throw error
          }
          // The node may have it or not: the same transaction does no harm twice.
          await broadcast(serializedTransaction).catch((again) => {
            if (!isKnown(again) && !isTaken(again)) last = before
          })
        }
        return hash
      }
    })
  }
}

/** The signer that the packages ask: it sends the transactions that carry payments. */
export const make = (parts: Parts) => {
  const { packages, client, account } = parts
  const { viem } = packages
  const send = makeSend(parts)

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

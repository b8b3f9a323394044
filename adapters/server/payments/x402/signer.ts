import type { FacilitatorEvmSigner } from "@x402/evm"
import type * as Clock from "effect/Clock"
import type { Abi, PrivateKeyAccount, PublicClient } from "viem"
import { isRevert } from "./chain.ts"
import type { Gas } from "./gas.ts"
import type { Packages } from "./packages.ts"
import type { Hex } from "./payload.ts"

/** One payment on its way through the packages, whose errors do not tell these cases apart. */
export interface Attempt {
  /** Nobody waits any more: nothing may be sent. */
  isOver: boolean
  /** The transaction, as soon as the node may have it. */
  sent?: Hex
  /** The error, if the node did not answer or refused for a reason other than the payment. */
  outage?: unknown
  /** Other payments have used up the gas for this hour since the check. */
  isOutOfGas?: true
}

/**
 * The most gas for one payment: a transfer takes less than 100,000. Without a limit a payer whose account is a contract could
 * spend all of ours.
 */
export const maxGas = 400_000n

/** Milliseconds for which a node may not yet count our own transactions. */
const nonceLagMs = 30_000

/** Attempts to send, if another process takes the account's next number. */
const maxNonceTries = 3

/** Tests of a node's refusal of a transaction. */
const makeRefusals = ({ viem }: Packages) => {
  const says =
    (pattern: RegExp) =>
    (error: unknown): boolean =>
      error instanceof viem.BaseError &&
      error.walk((each) => each instanceof viem.RpcRequestError) !== null &&
      pattern.test(error.message)
  const [isAnswer, isKnown] = [says(/./), says(/already (known|imported)/i)]
  return {
    /** The node already has the transaction. */
    isKnown,
    /** Another transaction has its number. */
    isTaken: says(/nonce too low|underpriced|nonce.*(used|mismatch)/i),
    /** The node answered and rejected the transaction. */
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

/** Sends the transactions of payments one after the other, each with its own number. */
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
    const isFresh = last !== undefined && clock.unsafeCurrentTimeMillis() - last.at < nonceLagMs
    return isFresh ? Math.max(pending, last!.number + 1) : pending
  }

  const broadcast = (serializedTransaction: Hex): Promise<unknown> =>
    client.request({ method: "eth_sendRawTransaction", params: [serializedTransaction] }, { retryCount: 0 })

  return async (attempt: Attempt, to: Hex, data: Hex): Promise<Hex> => {
    const [gas, fees] = await Promise.all([
      client.estimateGas({ account: address, to, data }),
      client.estimateFeesPerGas(),
    ])
    // The packages treat this as a refusal of the payment, not as an outage.
    if (gas > maxGas) throw new viem.ExecutionRevertedError({ message: "The transfer takes too much gas." })
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
          // The node may have it or not: sending the same transaction again does no harm.
          await broadcast(serializedTransaction).catch((again) => {
            if (!isKnown(again) && !isTaken(again)) last = before
          })
        }
        return hash
      }
    })
  }
}

/** The signer for the packages: it sends the transactions of payments. */
export const make = (parts: Parts) => {
  const { packages, client, account } = parts
  const { viem } = packages
  const send = makeSend(parts)

  /** Keeps errors that are not about the payment, which the packages would report as refusals. */
  const recordOutage = async <A>(attempt: Attempt, work: () => Promise<A>): Promise<A> => {
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
    readContract: (args) => recordOutage(attempt, () => client.readContract(args as never)),
    verifyTypedData: (args) => recordOutage(attempt, () => client.verifyTypedData(args as never)),
    getCode: (args) => recordOutage(attempt, () => client.getCode(args)),
    writeContract: ({ address, abi, functionName, args, dataSuffix = "0x" }) =>
      recordOutage(attempt, () => {
        const data = viem.encodeFunctionData({ abi: abi as Abi, functionName, args })
        return send(attempt, address, viem.concat([data, dataSuffix]))
      }),
    sendTransaction: never,
    // `takePayment` waits for the receipt itself, with its own limit.
    waitForTransactionReceipt: () => Promise.reject(new Error("The receipt is awaited elsewhere.")),
  })
}

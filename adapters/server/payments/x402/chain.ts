import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { PublicClient } from "viem"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { type Event, type Selectors, signatures, topicOf, type Use, useIn } from "./evidence.ts"
import type { Mined } from "./gas.ts"
import type { Packages } from "./packages.ts"
import type { Hex, Payment } from "./payload.ts"
import { unreachable } from "./refusals.ts"
import { type Settings, Unusable } from "./settings.ts"
import type { Terms } from "./terms.ts"

/** Milliseconds for one answer of the node. */
const timeLimitMs = 3_000

/** Blocks whose events are asked for at once: public nodes refuse more. */
const blocksAtOnce = 1_000n

/** Seconds by which our clock and the chain's may differ. */
const skewSeconds = 600

export type Authorization = Pick<Payment, "from" | "nonce">

export interface Block {
  readonly number: bigint
  /** Epoch seconds. */
  readonly timestamp: bigint
}

export interface Receipt {
  readonly block: bigint
  readonly mined: Mined
  /** Undefined: none; a transaction that is reverted has no events. */
  readonly use: Use | undefined
}

/** An error without what it carries: the node's URL, which may hold a key, and the request. */
export const messageOf = ({ viem }: Packages, error: unknown): string => {
  if (!(error instanceof Error)) return "unknown error"
  if (!(error instanceof viem.BaseError)) return `${error.name}: ${error.message.slice(0, 300)}`
  const answer = error.walk((each) => each instanceof viem.RpcRequestError)
  const said = answer instanceof viem.RpcRequestError ? answer.details : error.shortMessage
  return `${error.name}: ${said.slice(0, 300)}`
}

/** Whether the contract itself refuses; everything else is an outage of the node. */
export const isRevert = ({ viem }: Packages, error: unknown): boolean =>
  error instanceof viem.BaseError &&
  error.walk(
    (each) =>
      each instanceof viem.ContractFunctionRevertedError ||
      each instanceof viem.ContractFunctionZeroDataError ||
      each instanceof viem.ExecutionRevertedError,
  ) !== null

export const clientOf = (
  { viem }: Packages,
  { network, chainId }: Terms,
  { rpcUrl }: Pick<Settings, "rpcUrl">,
): PublicClient => {
  const url = Redacted.value(rpcUrl)
  return viem.createPublicClient({
    chain: viem.defineChain({
      id: chainId,
      name: network,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [url] } },
      // A payment that is sent must be mined within seconds, also when the base fee rises.
      fees: { baseFeeMultiplier: 2 },
    }),
    transport: viem.http(url, { timeout: timeLimitMs, retryCount: 1, retryDelay: 100 }),
    cacheTime: 0,
  })
}

/** The chain as a node of our own choice shows it. Everything fails with `upstream_unavailable` alone. */
export const make = (packages: Packages, terms: Terms, client: PublicClient) => {
  const { viem } = packages
  const { asset } = terms
  const abi = packages.evm.eip3009ABI
  const selectors: Selectors = {
    used: viem.toEventSelector(signatures.used),
    cancelled: viem.toEventSelector(signatures.cancelled),
    transfer: viem.toEventSelector(signatures.transfer),
  }

  const asking = <A>(work: () => Promise<A>): Effect.Effect<A, Failure> =>
    Effect.tryPromise({ try: work, catch: (error) => error }).pipe(
      Effect.tapError((error) => Effect.logWarning(`The node of ${terms.network}: ${messageOf(packages, error)}`)),
      Effect.mapError(() => unreachable("The payment network")),
    )

  const blockOf = (number?: bigint): Effect.Effect<Block, Failure> =>
    asking(() => client.getBlock(number === undefined ? {} : { blockNumber: number })).pipe(
      Effect.map(({ number, timestamp }) => ({ number: number!, timestamp })),
    )

  /** @param block undefined: the newest */
  const isUsed = ({ from, nonce }: Authorization, block?: bigint): Effect.Effect<boolean, Failure> =>
    asking(() =>
      client.readContract({
        address: asset,
        abi,
        functionName: "authorizationState",
        args: [from, nonce],
        ...(block === undefined ? {} : { blockNumber: block }),
      }),
    )

  const balance = (of: Hex): Effect.Effect<bigint, Failure> =>
    asking(() => client.readContract({ address: asset, abi, functionName: "balanceOf", args: [of] }))

  /** The receipt of a transaction; undefined: it is not in a block. */
  const receipt = (hash: Hex, authorization: Authorization): Effect.Effect<Receipt | undefined, Failure> =>
    asking(async () => {
      try {
        return await client.getTransactionReceipt({ hash })
      } catch (error) {
        if (error instanceof viem.TransactionReceiptNotFoundError) return undefined
        throw error
      }
    }).pipe(
      Effect.map((found) =>
        found === undefined
          ? undefined
          : {
              block: found.blockNumber,
              mined: {
                gas: found.gasUsed,
                gasPrice: found.effectiveGasPrice,
                isReverted: found.status === "reverted",
              },
              use: useIn(found.logs as ReadonlyArray<Event>, selectors, asset, authorization),
            },
      ),
    )

  /** The newest block that has the confirmations asked for. */
  const confirmed: Effect.Effect<Block, Failure> = Effect.flatMap(blockOf(), (newest) => {
    const number = newest.number - BigInt(terms.confirmations - 1)
    return terms.confirmations === 1 ? Effect.succeed(newest) : blockOf(number < 0n ? 0n : number)
  })

  /** The first block at or after a second, which is at or before `head`: back in doubled steps, then by halves. */
  const firstSince = (second: bigint, head: Block): Effect.Effect<bigint, Failure> =>
    Effect.gen(function* () {
      let after = head.number
      let before = head.number
      for (let step = 16n; before > 0n; step *= 2n) {
        before = before > step ? before - step : 0n
        if ((yield* blockOf(before)).timestamp < second) break
        after = before
      }
      if (after === 0n) return 0n
      while (after - before > 1n) {
        const middle = (after + before) / 2n
        if ((yield* blockOf(middle)).timestamp < second) before = middle
        else after = middle
      }
      return after
    })

  /** Transactions with a use of the authorization in some blocks. */
  const uses = ({ from, nonce }: Authorization, first: bigint, last: bigint) =>
    asking(() =>
      client.request({
        method: "eth_getLogs",
        params: [
          {
            address: asset,
            topics: [[selectors.used, selectors.cancelled], topicOf(from), nonce],
            fromBlock: viem.numberToHex(first),
            toBlock: viem.numberToHex(last),
          },
        ],
      }),
    ).pipe(Effect.map((logs) => logs.flatMap(({ transactionHash }) => transactionHash ?? [])))

  /**
   * The use of an authorization that is used by block `head`. It fails when the node shows no event of it: nothing is
   * concluded from that.
   *
   * @param since epoch milliseconds; the use is not older
   * @param until epoch milliseconds; it is not younger
   */
  const find = (authorization: Authorization, head: Block, since: number, until: number) =>
    Effect.gen(function* () {
      const within = (first: bigint, last: bigint) =>
        Effect.gen(function* () {
          const [hash] = yield* uses(authorization, first, last)
          return hash === undefined ? undefined : (yield* receipt(hash, authorization))?.use
        })
      // Most that are asked for are minutes old.
      const recent = head.number < blocksAtOnce ? 0n : head.number - blocksAtOnce + 1n
      const newest = yield* within(recent, head.number)
      if (newest !== undefined) return newest
      const end = BigInt(Math.ceil(until / 1_000) + skewSeconds)
      let first = yield* firstSince(BigInt(Math.floor(since / 1_000) - skewSeconds), head)
      while (first < recent) {
        const last = first + blocksAtOnce > recent ? recent - 1n : first + blocksAtOnce - 1n
        const use = yield* within(first, last)
        if (use !== undefined) return use
        if ((yield* blockOf(last)).timestamp > end) break
        first = last + 1n
      }
      yield* Effect.logError(
        `${terms.network}: the authorization ${authorization.nonce} of ${authorization.from} is used, and the node shows no transfer of it`,
      )
      return yield* unreachable("The payment network")
    })

  /** Whether the node is one of the network, and the token has the decimals: prices would be wrong by powers of ten. */
  const fit: Effect.Effect<void, Failure | Unusable> = Effect.all(
    [
      asking(() => client.getChainId()),
      asking(async () => {
        try {
          const decimals = await client.readContract({
            address: asset,
            abi: viem.erc20Abi,
            functionName: "decimals",
          })
          return decimals
        } catch (error) {
          if (isRevert(packages, error)) return undefined
          throw error
        }
      }),
    ],
    { concurrency: 2 },
  ).pipe(
    Effect.flatMap(([chainId, decimals]) => {
      if (chainId !== terms.chainId) {
        return new Unusable({
          setting: "rpcUrl",
          reason: `The node is one of eip155:${chainId}, not of ${terms.network}.`,
        })
      }
      if (decimals === undefined) {
        return new Unusable({ setting: "asset", reason: `There is no token at ${asset} on ${terms.network}.` })
      }
      return decimals === terms.decimals
        ? Effect.void
        : new Unusable({
            setting: "assetDecimals",
            reason: `The token has ${decimals} decimals, not ${terms.decimals}.`,
          })
    }),
  )

  return { fit, isUsed, balance, receipt, confirmed, find, head: blockOf() }
}

export type Chain = ReturnType<typeof make>

/** A setting that the node contradicts, found after the start: an outage to whoever pays. */
export const closed = (unusable: Unusable): Failure =>
  fail("upstream_unavailable", { detail: "Payments are not taken at the moment. Nothing was taken.", cause: unusable })

import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { PublicClient } from "viem"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { type Event, findUse, type Selectors, signatures, toTopic, type Use } from "./evidence.ts"
import type { Mined } from "./gas.ts"
import type { Packages } from "./packages.ts"
import type { Hex, Payment } from "./payload.ts"
import { unreachable } from "./refusals.ts"
import { InvalidX402Settings, type Settings } from "./settings.ts"
import type { Terms } from "./terms.ts"

/** Milliseconds for one answer of the node. */
const timeLimitMs = 3_000

/** Blocks per request of events: public nodes refuse more. */
const blocksPerRequest = 1_000n

/** Confirmations after which a credited payment is looked at again. */
const finalConfirmations = 60

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

/** An error's message without the node's URL, which may hold a key, and without the request. */
export const showError = ({ viem }: Packages, error: unknown): string => {
  if (!(error instanceof Error)) return "unknown error"
  if (!(error instanceof viem.BaseError)) return `${error.name}: ${error.message.slice(0, 300)}`
  const answer = error.walk((each) => each instanceof viem.RpcRequestError)
  const reason = answer instanceof viem.RpcRequestError ? answer.details : error.shortMessage
  return `${error.name}: ${reason.slice(0, 300)}`
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

export const makeClient = (
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

/** Requests to the operator's node. All of them fail only with `upstream_unavailable`. */
const makeNode = (packages: Packages, { asset, confirmations, network }: Terms, client: PublicClient) => {
  const { viem } = packages
  const abi = packages.evm.eip3009ABI
  const selectors: Selectors = {
    used: viem.toEventSelector(signatures.used),
    cancelled: viem.toEventSelector(signatures.cancelled),
    transfer: viem.toEventSelector(signatures.transfer),
  }

  const ask = <A>(work: () => Promise<A>): Effect.Effect<A, Failure> =>
    Effect.tryPromise({ try: work, catch: (error) => error }).pipe(
      Effect.tapError((error) => Effect.logWarning(`The node of ${network}: ${showError(packages, error)}`)),
      Effect.mapError(() => unreachable("The payment network")),
    )

  /** @param blockNumber undefined: the newest */
  const block = (blockNumber?: bigint): Effect.Effect<Block, Failure> =>
    Effect.map(
      ask(() => client.getBlock(ifDefined("blockNumber", blockNumber))),
      ({ number, timestamp }) => ({ number: number!, timestamp }),
    )

  /** @param blockNumber undefined: the newest */
  const isUsed = ({ from, nonce }: Authorization, blockNumber?: bigint): Effect.Effect<boolean, Failure> => {
    const question = { address: asset, abi, functionName: "authorizationState", args: [from, nonce] } as const
    return ask(() => client.readContract({ ...question, ...ifDefined("blockNumber", blockNumber) }))
  }

  const balance = (of: Hex): Effect.Effect<bigint, Failure> =>
    ask(() => client.readContract({ address: asset, abi, functionName: "balanceOf", args: [of] }))

  /** The receipt of a transaction; undefined: it is not in a block. */
  const receipt = (hash: Hex, authorization: Authorization): Effect.Effect<Receipt | undefined, Failure> =>
    ask(async () => {
      try {
        const { blockNumber, gasUsed, effectiveGasPrice, status, logs } = await client.getTransactionReceipt({ hash })
        return {
          block: blockNumber,
          mined: { gas: gasUsed, gasPrice: effectiveGasPrice, isReverted: status === "reverted" },
          use: findUse(logs as ReadonlyArray<Event>, selectors, asset, authorization),
        }
      } catch (error) {
        if (error instanceof viem.TransactionReceiptNotFoundError) return undefined
        throw error
      }
    })

  const blockWith = (count: number): Effect.Effect<Block, Failure> =>
    Effect.flatMap(block(), (newest) => {
      const number = newest.number - BigInt(count - 1)
      return count === 1 ? Effect.succeed(newest) : block(number < 0n ? 0n : number)
    })

  /** Transactions with a use of the authorization in some blocks. */
  const uses = ({ from, nonce }: Authorization, first: bigint, last: bigint) => {
    const topics = [[selectors.used, selectors.cancelled], toTopic(from), nonce]
    const range = { fromBlock: viem.numberToHex(first), toBlock: viem.numberToHex(last) }
    return Effect.map(
      ask(() => client.request({ method: "eth_getLogs", params: [{ address: asset, topics, ...range }] })),
      (logs) => logs.flatMap(({ transactionHash }) => transactionHash ?? []),
    )
  }

  return {
    ...{ ask, block, isUsed, balance, receipt, uses },
    confirmed: blockWith(confirmations),
    /** The newest block that is too deep to be replaced by a re-organisation. */
    final: blockWith(Math.max(confirmations, finalConfirmations)),
  }
}

type Node = ReturnType<typeof makeNode>

/** Finds the first block at or after a second, up to `head`: back in doubling steps, then by bisection. */
const findFirstBlock = ({ block }: Node, second: bigint, head: Block): Effect.Effect<bigint, Failure> =>
  Effect.gen(function* () {
    let after = head.number
    let before = head.number
    for (let step = 16n; before > 0n; step *= 2n) {
      before = before > step ? before - step : 0n
      if ((yield* block(before)).timestamp < second) break
      after = before
    }
    if (after === 0n) return 0n
    while (after - before > 1n) {
      const middle = (after + before) / 2n
      if ((yield* block(middle)).timestamp < second) before = middle
      else after = middle
    }
    return after
  })

/**
 * Finds the use of an authorization that was used by block `head`. Fails if the node shows no event of it, since that proves
 * nothing.
 *
 * @param since epoch milliseconds; the use is not older
 * @param until epoch milliseconds; it is not younger
 */
const find = (node: Node, network: string, authorization: Authorization, head: Block, since: number, until: number) =>
  Effect.gen(function* () {
    const within = (first: bigint, last: bigint) =>
      Effect.gen(function* () {
        const [hash] = yield* node.uses(authorization, first, last)
        return hash === undefined ? undefined : (yield* node.receipt(hash, authorization))?.use
      })
    // Most uses are minutes old.
    const recent = head.number < blocksPerRequest ? 0n : head.number - blocksPerRequest + 1n
    const newest = yield* within(recent, head.number)
    if (newest !== undefined) return newest
    const end = BigInt(Math.ceil(until / 1_000) + skewSeconds)
    let first = yield* findFirstBlock(node, BigInt(Math.floor(since / 1_000) - skewSeconds), head)
    while (first < recent) {
      const last = first + blocksPerRequest > recent ? recent - 1n : first + blocksPerRequest - 1n
      const use = yield* within(first, last)
      if (use !== undefined) return use
      if ((yield* node.block(last)).timestamp > end) break
      first = last + 1n
    }
    yield* Effect.logError(
      `${network}: the authorization ${authorization.nonce} of ${authorization.from} is used, and the node shows no transfer of it`,
    )
    return yield* unreachable("The payment network")
  })

/** Fails unless the node serves the network and the token has the expected decimals: prices would be wrong by powers of ten. */
const checkFit = (
  packages: Packages,
  terms: Terms,
  client: PublicClient,
  { ask }: Node,
): Effect.Effect<void, Failure | InvalidX402Settings> =>
  Effect.gen(function* () {
    const { asset, network } = terms
    const readDecimals = () =>
      client
        .readContract({ address: asset, abi: packages.viem.erc20Abi, functionName: "decimals" })
        .catch((error: unknown) => {
          if (isRevert(packages, error)) return undefined
          throw error
        })
    const [chainId, decimals] = yield* Effect.all([ask(() => client.getChainId()), ask(readDecimals)], {
      concurrency: 2,
    })
    const [setting, reason] =
      chainId !== terms.chainId
        ? (["rpcUrl", `The node is one of eip155:${chainId}, not of ${network}.`] as const)
        : decimals === undefined
          ? (["asset", `There is no token at ${asset} on ${network}.`] as const)
          : decimals !== terms.decimals
            ? (["assetDecimals", `The token has ${decimals} decimals, not ${terms.decimals}.`] as const)
            : []
    if (setting !== undefined) yield* new InvalidX402Settings({ setting, reason })
  })

/** The chain as the operator's node shows it. */
export const make = (packages: Packages, terms: Terms, client: PublicClient) => {
  const node = makeNode(packages, terms, client)
  const { isUsed, balance, receipt, confirmed, final } = node
  return {
    fit: checkFit(packages, terms, client, node),
    isUsed,
    balance,
    receipt,
    confirmed,
    final,
    /** @see find */
    find: (authorization: Authorization, head: Block, since: number, until: number) =>
      find(node, terms.network, authorization, head, since, until),
  }
}

export type Chain = ReturnType<typeof make>

/** The failure for payers while the node contradicts a setting. */
export const misconfigured = (unusable: InvalidX402Settings): Failure =>
  fail("upstream_unavailable", { detail: "Payments are not taken at the moment. Nothing was taken.", cause: unusable })

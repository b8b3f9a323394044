import { randomBytes } from "node:crypto"
import { encodePaymentSignatureHeader } from "@x402/core/http"
import { authorizationTypes, eip3009ABI } from "@x402/evm"
import * as Redacted from "effect/Redacted"
import {
  type Account,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseSignature,
} from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import type { Settings } from "../../../adapters/server/payments/x402/settings.ts"
import { type Anvil, anvil } from "./anvil.ts"
import { contracts } from "./contracts.ts"

/** A signed transfer, and the header in which it is sent. */
export interface Signed {
  readonly authorization: {
    readonly from: Hex
    readonly to: Hex
    readonly value: string
    readonly validAfter: string
    readonly validBefore: string
    readonly nonce: Hex
  }
  readonly signature: Hex
  readonly payload: Readonly<Record<string, unknown>>
  readonly header: string
}

export const nonce = (): Hex => `0x${randomBytes(32).toString("hex")}`

export const seconds = (): number => Math.floor(Date.now() / 1_000)

/** A chain with a token, an account that pays the gas, and one that is paid. */
export const world = async () => {
  const chain: Anvil = await anvil()
  const compiled = contracts()
  const viemChain = defineChain({
    id: chain.chainId,
    name: "test",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [chain.url] } },
  })
  const transport = http(chain.url, { retryCount: 0 })
  const node = createPublicClient({ chain: viemChain, transport, pollingInterval: 20, cacheTime: 0 })
  const give = (to: Hex) => chain.rpc("anvil_setBalance", to, "0x56bc75e2d63100000")
  const wallet = (account: Account) => createWalletClient({ account, chain: viemChain, transport })

  /** An account with money for gas. */
  const rich = async (): Promise<{ readonly key: Hex; readonly account: PrivateKeyAccount }> => {
    const key = generatePrivateKey()
    const account = privateKeyToAccount(key)
    await give(account.address)
    return { key, account }
  }
  const owner = await rich()
  let turn: Promise<unknown> = Promise.resolve()
  /** Sends a transaction after those before it, so that each has its own number, and waits until it is mined. */
  const mined = (send: () => Promise<Hex>) => {
    const receipt = turn.then(async () => node.waitForTransactionReceipt({ hash: await send() }))
    turn = receipt.catch(() => undefined)
    return receipt
  }
  const deploy = async (name: keyof typeof compiled): Promise<Hex> => {
    const { abi, code } = compiled[name]
    const { contractAddress } = await mined(() => wallet(owner.account).deployContract({ abi, bytecode: code }))
    return contractAddress!
  }
  const token = await deploy("Token")
  const payTo = privateKeyToAccount(generatePrivateKey()).address

  /** Calls a function of a contract in a transaction. */
  const call = async (
    name: keyof typeof compiled,
    address: Hex,
    functionName: string,
    args: ReadonlyArray<unknown>,
    by = owner,
  ) => mined(() => wallet(by.account).writeContract({ address, abi: compiled[name].abi, functionName, args }))

  const balance = (of: Hex, at = token) =>
    node.readContract({ address: at, abi: eip3009ABI, functionName: "balanceOf", args: [of] })

  /** An account with units of the token, and money for gas. */
  const payer = async (units: bigint, at = token): Promise<PrivateKeyAccount> => {
    const { account } = await rich()
    if (units > 0n) await call("Token", at, "mint", [account.address, units])
    return account
  }

  /** A payment as a payer signs it; `given` replaces what is signed, `sent` what is sent. */
  const sign = async (
    by: PrivateKeyAccount,
    units: bigint,
    given: Partial<Signed["authorization"]> & { readonly name?: string; readonly token?: Hex } = {},
    sent: Readonly<Record<string, unknown>> = {},
  ): Promise<Signed> => {
    const { name = "Test Dollar", token: verifyingContract = token, ...changed } = given
    const authorization = {
      from: by.address,
      to: payTo,
      value: String(units),
      validAfter: "0",
      validBefore: String(seconds() + 300),
      nonce: nonce(),
      ...changed,
    }
    const { value, validAfter, validBefore } = authorization
    const signature = await by.signTypedData({
      domain: { name, version: "1", chainId: chain.chainId, verifyingContract },
      types: authorizationTypes,
      primaryType: "TransferWithAuthorization",
      message: {
        ...authorization,
        value: BigInt(value),
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
      },
    })
    const payload = {
      x402Version: 2,
      accepted: {
        scheme: "exact",
        network: `eip155:${chain.chainId}`,
        amount: authorization.value,
        asset: verifyingContract,
        payTo,
        maxTimeoutSeconds: 300,
        extra: { name: "Test Dollar", version: "1" },
      },
      payload: { signature, authorization },
      ...sent,
    }
    return { authorization, signature, payload, header: encodePaymentSignatureHeader(payload as never) }
  }

  /** The call of the token that a signed transfer is. */
  const transferOf = ({ authorization: { from, to, value, validAfter, validBefore, nonce }, signature }: Signed) => {
    const { r, s, v } = parseSignature(signature)
    return [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, Number(v), r, s] as const
  }
  const dataOf = (signed: Signed): Hex =>
    encodeFunctionData({ abi: eip3009ABI, functionName: "transferWithAuthorization", args: transferOf(signed) })

  /** Cancels an authorization by the payer's signature. */
  const cancel = async (by: PrivateKeyAccount, { authorization }: Signed) => {
    const signature = await by.signTypedData({
      domain: { name: "Test Dollar", version: "1", chainId: chain.chainId, verifyingContract: token },
      types: {
        CancelAuthorization: [
          { name: "authorizer", type: "address" },
          { name: "nonce", type: "bytes32" },
        ],
      },
      primaryType: "CancelAuthorization",
      message: { authorizer: by.address, nonce: authorization.nonce },
    })
    const { r, s, v } = parseSignature(signature)
    return call("Token", token, "cancelAuthorization", [by.address, authorization.nonce, Number(v), r, s])
  }

  /** Settings of an adapter that has an account of its own to pay the gas. */
  const settings = async (given: Partial<Settings> = {}): Promise<Settings> => ({
    payTo,
    network: `eip155:${chain.chainId}`,
    asset: token,
    assetName: "Test Dollar",
    assetVersion: "1",
    rpcUrl: Redacted.make(chain.url),
    facilitator: given.facilitator ?? { privateKey: Redacted.make((await rich()).key) },
    confirmations: 1,
    keyless: false,
    ...given,
  })

  return {
    ...chain,
    node,
    token,
    payTo,
    owner,
    rich,
    deploy,
    call,
    balance,
    payer,
    sign,
    transferOf,
    dataOf,
    cancel,
    settings,
  }
}

export type World = Awaited<ReturnType<typeof world>>

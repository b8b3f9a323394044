// Proof: takes five seconds or more.
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from "@x402/core/http"
import { parsePaymentRequired } from "@x402/core/schemas"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import { getAddress } from "viem"
import { endpointExtension } from "../../../../../../adapters/server/payments/x402/bazaar.ts"
import { InvalidX402Settings, type Settings } from "../../../../../../adapters/server/payments/x402/settings.ts"
import { minDecimals, toMicros, toUnits } from "../../../../../../adapters/server/payments/x402/terms.ts"
import { make } from "../../../../../../adapters/server/payments/x402/x402.ts"
import { MicroUsd } from "../../../../../../core/account/Money.ts"
import { catalogue } from "../../../../../../core/lanes/all.ts"
import type { CallPayments } from "../../../../../../core/payment/CallPayment.ts"
import { limits, orderOf, payments, refusedBy } from "../../../../chain/paying.ts"
import { type Fate, proxy } from "../../../../chain/proxy.ts"
import { type Signed, seconds, type World, world } from "../../../../chain/world.ts"

const sold = catalogue.get("weather_settlement")

const amounts = [1_000, 1_000_000].map((micros) => MicroUsd(micros))
const elsewhere = "0x000000000000000000000000000000000000dEaD"

let on: World
let node: Awaited<ReturnType<typeof proxy>>
let adapter: CallPayments
let payer: Awaited<ReturnType<World["payer"]>>

beforeAll(async () => {
  on = await world()
  node = await proxy(on.url)
  adapter = await payments(on, { rpcUrl: Redacted.make(node.url) })
  payer = await on.payer(10_000_000n)
})
afterAll(async () => {
  node.stop()
  await on.stop()
})

const signed = (...[given, sent]: [Parameters<World["sign"]>[2]?, Parameters<World["sign"]>[3]?]) =>
  on.sign(payer, 1_000n, given, sent)

/** A payment with one field of the header changed after it was signed. */
const changed = async (path: string, value: unknown): Promise<string> => {
  const copy = structuredClone((await signed()).payload) as Record<string, unknown>
  const steps = path.split(".")
  const last = steps.pop()!
  const at = steps.reduce((found, step) => found[step] as Record<string, unknown>, copy)
  if (value === undefined) delete at[last]
  else at[last] = value
  return encodePaymentSignatureHeader(copy as never)
}

/** Reads a payment and asks the network. True: it was used before. */
const asked = (header: string) => Effect.flatMap(adapter.read(header, amounts), ({ isUsed }) => isUsed)

const headerOf = (made: Promise<Signed>): Promise<string> => made.then(({ header }) => header)

/** An authorization that the chain has already seen. */
const used = async (): Promise<string> => {
  const made = await signed()
  await on.call("Token", on.token, "transferWithAuthorization", on.transferOf(made))
  return made.header
}

const cancelled = async (): Promise<string> => {
  const made = await signed()
  await on.cancel(payer, made)
  return made.header
}

const refusals: ReadonlyArray<readonly [name: string, header: () => string | Promise<string>, expected: string]> = [
  ["an empty header", () => "", "payment_invalid PAYMENT-SIGNATURE"],
  ["no base64", () => "{}", "payment_invalid PAYMENT-SIGNATURE"],
  ["no JSON", () => btoa("x402"), "payment_invalid PAYMENT-SIGNATURE"],
  ["no object", () => btoa("[1]"), "payment_invalid PAYMENT-SIGNATURE"],
  ["nothing", () => btoa("null"), "payment_invalid PAYMENT-SIGNATURE"],
  ["too much", () => btoa(" ".repeat(8_192)), "payment_invalid PAYMENT-SIGNATURE"],
  ["version 1", () => changed("x402Version", 1), "payment_invalid x402Version"],
  ["no terms", () => changed("accepted", undefined), "payment_invalid accepted"],
  ["another scheme", () => changed("accepted.scheme", "upto"), "payment_invalid accepted.scheme"],
  ["another network", () => changed("accepted.network", "eip155:1"), "payment_wrong_network accepted.network"],
  [
    "Solana",
    () => changed("accepted", { scheme: "exact", network: "solana:5e" }),
    "payment_wrong_network accepted.network",
  ],
  ["another token", () => headerOf(signed({ token: elsewhere })), "payment_invalid accepted.asset"],
  ["terms of another recipient", () => changed("accepted.payTo", elsewhere), "payment_invalid accepted.payTo"],
  ["another recipient", () => headerOf(signed({ to: elsewhere })), "payment_invalid payload.authorization.to"],
  ["no payload", () => changed("payload", undefined), "payment_invalid payload"],
  [
    "Permit2",
    () => changed("payload", { signature: `0x${"1".repeat(130)}`, permit2Authorization: {} }),
    "payment_invalid payload.authorization",
  ],
  [
    "a wallet to deploy",
    () => changed("payload.signature", `0x${"1".repeat(130)}${"6492".repeat(16)}`),
    "payment_invalid payload.signature",
  ],
  [
    "a short nonce",
    () => changed("payload.authorization.nonce", "0x12"),
    "payment_invalid payload.authorization.nonce",
  ],
  [
    "a negative value",
    () => changed("payload.authorization.value", "-1000"),
    "payment_invalid payload.authorization.value",
  ],
  [
    "a number as value",
    () => changed("payload.authorization.value", 1000),
    "payment_invalid payload.authorization.value",
  ],
  [
    "a payer who is none",
    () => changed("payload.authorization.from", "me"),
    "payment_invalid payload.authorization.from",
  ],
  ["too little", () => headerOf(on.sign(payer, 999n)), "payment_underpaid payload.authorization.value"],
  ["too much money", () => headerOf(on.sign(payer, 1_001n)), "payment_underpaid payload.authorization.value"],
  ["nothing at all", () => headerOf(on.sign(payer, 0n)), "payment_underpaid payload.authorization.value"],
  ["terms of another amount", () => changed("accepted.amount", "1000000"), "payment_underpaid accepted.amount"],
  [
    "the past",
    () => headerOf(signed({ validBefore: String(seconds()) })),
    "payment_expired payload.authorization.validBefore",
  ],
  [
    "the last moment",
    () => headerOf(signed({ validBefore: String(seconds() + 5) })),
    "payment_expired payload.authorization.validBefore",
  ],
  [
    "tomorrow",
    () => headerOf(signed({ validBefore: String(seconds() + 86_400) })),
    "payment_expired payload.authorization.validBefore",
  ],
  [
    "a later time",
    () => headerOf(signed({ validAfter: String(seconds() + 60) })),
    "payment_expired payload.authorization.validAfter",
  ],
  [
    "a forged signature",
    () => changed("payload.signature", `0x${"1b".repeat(65)}`),
    "payment_invalid payload.signature",
  ],
  ["another token's name", () => headerOf(signed({ name: "Dollar" })), "payment_invalid payload.signature"],
  [
    "a value that is not signed",
    async () =>
      headerOf(
        on.sign(payer, 1_000_000n).then(async (made) => {
          const payload = { ...made.payload, accepted: { ...(made.payload["accepted"] as object), amount: "1000" } }
          const authorization = { ...made.authorization, value: "1000" }
          return {
            ...made,
            header: encodePaymentSignatureHeader({
              ...payload,
              payload: { signature: made.signature, authorization },
            } as never),
          }
        }),
      ),
    "payment_invalid payload.signature",
  ],
  [
    "a payer without money",
    async () => headerOf(on.sign(await on.payer(999n), 1_000n)),
    "payment_invalid payload.authorization.from",
  ],
]

describe("a payment is known as used", () => {
  for (const [name, header] of [
    ["before", used],
    ["up by its payer, who cancelled it", cancelled],
  ] as const) {
    it.live(name, () =>
      Effect.gen(function* () {
        assert.isTrue(yield* asked(yield* Effect.promise(header)))
      }),
    )
  }
})

describe("a payment is refused", () => {
  for (const [name, header, expected] of refusals) {
    it.live(`for ${name}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* refusedBy(asked(yield* Effect.promise(async () => header()))), expected)
      }),
    )
  }

  for (const [name, header] of [
    ["by another key", async () => (await on.sign(await on.payer(1_000n), 1_000n, { from: payer.address })).header],
    ["of no curve", () => changed("payload.signature", `0x${"00".repeat(65)}`)],
    [
      "with one bit changed",
      async () => {
        const { signature } = await signed()
        return changed(
          "payload.signature",
          signature.replace(/.(?=.{10}$)/, (digit) => (digit === "0" ? "1" : "0")),
        )
      },
    ],
    ["of other words", () => headerOf(signed({ name: "Dollar" }))],
  ] as const) {
    it.live(`for a signature ${name}, without one request to the chain`, () =>
      Effect.gen(function* () {
        const forged = yield* Effect.promise(header)
        node.calls.length = 0
        for (let each = 0; each < 20; each++) {
          assert.strictEqual(yield* refusedBy(asked(forged)), "payment_invalid payload.signature")
        }
        assert.lengthOf(node.calls, 0)
        assert.isFalse(yield* asked((yield* Effect.promise(() => signed())).header))
        assert.isAbove(node.calls.length, 0)
      }),
    )
  }

  for (const [name, fate, method] of [
    ["drops calls", "drop", /./],
    ["does not answer", "hang", /./],
    ["does not tell code, which looks like a wrong signature", "drop", /^eth_getCode$/],
    ["limits calls", { error: "rate limit exceeded" }, /^eth_call$/],
    ["answers nonsense", { result: "0x" }, /^eth_call$/],
  ] as const satisfies ReadonlyArray<readonly [string, Fate, RegExp]>) {
    it.live(`as an outage when the node ${name}`, () =>
      Effect.gen(function* () {
        const { header } = yield* Effect.promise(() => signed())
        node.fate = (call) => (method.test(call.method) ? fate : "pass")
        const began = performance.now()
        const found = yield* refusedBy(asked(header)).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              node.fate = () => "pass"
              node.resume()
            }),
          ),
        )
        assert.strictEqual(found, "upstream_unavailable")
        assert.isBelow(performance.now() - began, limits.verify + 1_500)
        assert.isFalse(yield* asked(header))
      }),
    )
  }
})

describe("a payment is read", () => {
  it.live("with its payer, reference, amount and end, and nothing is taken", () =>
    Effect.gen(function* () {
      const before = yield* Effect.promise(() => on.balance(payer.address))
      const { header, authorization } = yield* Effect.promise(() => on.sign(payer, 1_000_000n))
      const { take, isUsed, ...found } = yield* adapter.read(header, amounts)
      assert.isFalse(yield* isUsed)
      assert.deepStrictEqual(found, {
        payer: payer.address.toLowerCase(),
        reference: `x402:eip155:31337:${on.token}:${payer.address}:${authorization.nonce}`.toLowerCase(),
        micros: MicroUsd(1_000_000),
        endsAt: Number(authorization.validBefore) * 1_000,
      })
      assert.strictEqual(yield* Effect.promise(() => on.balance(payer.address)), before)
      assert.strictEqual(
        yield* refusedBy(take(orderOf(1_000))),
        "payment_underpaid payload.authorization.value",
        "an order of another amount",
      )
    }),
  )
})

describe("terms", () => {
  it("are exact in the token's units, and back", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: minDecimals, max: 36 }),
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        (micros, decimals, dust) => {
          const units = toUnits(MicroUsd(micros), decimals)
          assert.strictEqual(units * 1_000_000n, BigInt(micros) * 10n ** BigInt(decimals))
          assert.strictEqual(toMicros(units, decimals), micros)
          // What is paid is never counted as more, and nothing beyond what a number holds is an amount of ours.
          const counted = toMicros(dust, decimals)
          assert.isTrue(toUnits(MicroUsd(counted), decimals) <= dust)
          assert.isTrue(counted === Number.MAX_SAFE_INTEGER || toUnits(MicroUsd(counted + 1), decimals) > dust)
        },
      ),
      { numRuns: 500 },
    )
  })

  it("are a header that the official package reads", () => {
    const accepts = amounts.map(adapter.accept)
    const found = decodePaymentRequiredHeader(
      adapter.required("https://example.com/v1/x?a=ü", accepts, "Pay für this.", sold),
    )
    assert.isTrue(parsePaymentRequired(found).success)
    assert.deepStrictEqual<unknown>(found, {
      x402Version: 2,
      error: "Pay für this.",
      resource: {
        ...{ url: "https://example.com/v1/x?a=ü", description: sold.summary, mimeType: "application/json" },
      },
      extensions: endpointExtension(sold),
      accepts: ["1000", "1000000"].map((amount) => ({
        scheme: "exact",
        network: "eip155:31337",
        amount,
        asset: getAddress(on.token),
        payTo: on.payTo,
        maxTimeoutSeconds: 300,
        extra: { name: "Test Dollar", version: "1" },
      })),
    })
  })
})

describe("settings", () => {
  const secret = "0xnot-a-private-key-of-anybody"
  for (const [name, given, expected] of [
    [
      "an address with a typing error",
      { payTo: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914" },
      "payTo: Expected an address, 0x and 40 hexadecimal digits. Capital letters are its checksum.",
    ],
    ["a network of another kind", { network: "solana:1" }, "network: Expected eip155: and the id of a chain."],
    ["no token", { asset: undefined }, "asset: Name the token: none is known for eip155:31337."],
    ["no name", { assetName: undefined }, "assetName: Name the token as its signatures do (EIP-712)."],
    ["no version", { assetVersion: undefined }, "assetVersion: Give the version in its signatures (EIP-712)."],
    [
      "too few decimals",
      { assetDecimals: 2 },
      "assetDecimals: Expected 6 to 36: prices are whole millionths of a dollar. Got 2.",
    ],
    ["decimals that are not the token's", { assetDecimals: 18 }, "assetDecimals: The token has 6 decimals, not 18."],
    ["no contract", { asset: elsewhere }, `asset: There is no token at ${elsewhere} on eip155:31337.`],
    [
      "a node of another network",
      { network: "eip155:84532" },
      "rpcUrl: The node is one of eip155:31337, not of eip155:84532.",
    ],
    [
      "a key that is none",
      { facilitator: { privateKey: Redacted.make(secret) } },
      "facilitator: Expected a private key: 0x and 64 hexadecimal digits.",
    ],
  ] as ReadonlyArray<readonly [string, Partial<Settings>, string]>) {
    it.live(`with ${name} are refused by name`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(make(yield* Effect.promise(() => on.settings(given)), { limits }))
        assert.isTrue(error instanceof InvalidX402Settings)
        assert.strictEqual(error.message, expected)
        assert.notInclude(JSON.stringify(error), secret)
      }),
    )
  }

  it.live("need no token on Base, whose dollar is known", () =>
    Effect.gen(function* () {
      const base = {
        network: "eip155:8453",
        payTo: elsewhere,
        rpcUrl: Redacted.make("http://127.0.0.1:1"),
        facilitator: { url: "http://127.0.0.1:1" },
        confirmations: 1,
        keyless: true,
      }
      const found = yield* make(base, { limits })
      const { asset, extra, amount } = found.accept(MicroUsd(1_500_000))
      assert.deepStrictEqual(
        [asset, extra, amount],
        ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", { name: "USD Coin", version: "2" }, "1500000"],
      )
      assert.deepStrictEqual([found.provider, found.keyless], ["x402", true])
    }),
  )

  it.live("without the packages say what to install", () =>
    Effect.gen(function* () {
      const packages = () => import(`missing-${"package"}`)
      const error = yield* Effect.flip(make(yield* Effect.promise(() => on.settings()), { packages }))
      const [, reason, command] = /^(.*)\. Install them: npm install (.*)$/.exec(error.message) ?? []
      assert.match(reason ?? "", /^Payments by x402 need packages that do not load: .*missing-package/)
      const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"))
      assert.deepStrictEqual(
        command?.split(" "),
        ["@x402/core", "@x402/evm", "viem"].map((name) => `${name}@${peerDependencies[name]}`),
      )
    }),
  )
})

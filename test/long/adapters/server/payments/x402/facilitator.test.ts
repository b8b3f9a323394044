// Proof: takes five seconds or more.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { CallPayments } from "../../../../../../core/payment/CallPayment.ts"
import { type Answer, facilitatorService } from "../../../../chain/facilitator.ts"
import { limits, offered, openedOf, orderOf, payments, refusedBy } from "../../../../chain/paying.ts"
import { nonce, type Signed, type World, world } from "../../../../chain/world.ts"

let on: World
let service: Awaited<ReturnType<typeof facilitatorService>>
let adapter: CallPayments
let payer: Awaited<ReturnType<World["payer"]>>

beforeAll(async () => {
  on = await world()
  service = await facilitatorService(on)
  adapter = await payments(on, { facilitator: { url: service.url } })
  payer = await on.payer(1_000_000n)
})
afterAll(async () => {
  service.stop()
  await on.stop()
})

const promised = <A>(work: () => Promise<A>) => Effect.promise(work)
const signed = () => promised(() => on.sign(payer, 1_000n))

/** Runs an effect while the service gives other answers. */
const answering = <A, E>(task: "verify" | "settle", answer: Answer, effect: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    service[task] = answer
    return effect
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        service[task] = "own"
      }),
    ),
  )

const failed = (errorReason: string, transaction = "") => ({
  success: false,
  errorReason,
  transaction,
  network: "eip155:31337",
})

const outages: ReadonlyArray<readonly [string, Answer]> = [
  ["is down", "drop"],
  ["does not answer", "hang"],
  ["answers no JSON", { body: "<html>" }],
  ["answers another JSON", { body: { ok: true } }],
  ["fails", { status: 500, body: "no" }],
]

describe("a service that checks payments", () => {
  it.live("is asked with nothing but the payment and the terms", () =>
    Effect.gen(function* () {
      const made = yield* promised(() =>
        on.sign(
          payer,
          1_000n,
          {},
          { extensions: { builder: { info: "x" } }, resource: { url: "https://other.example" } },
        ),
      )
      service.asked.length = 0
      yield* offered(adapter, made, 1_000)
      const [asked] = service.asked
      assert.deepStrictEqual(Object.keys(asked!.paymentPayload), ["x402Version", "accepted", "payload"])
      assert.deepStrictEqual<unknown>(asked!.paymentRequirements, asked!.paymentPayload.accepted)
      assert.deepStrictEqual<unknown>(asked!.paymentRequirements, adapter.accept(orderOf(1_000).micros))
    }),
  )

  for (const [name, answer] of outages) {
    it.live(`and ${name} is an outage`, () =>
      Effect.gen(function* () {
        const made = yield* signed()
        const began = performance.now()
        const found = yield* answering("verify", answer, refusedBy(offered(adapter, made, 1_000)))
        assert.strictEqual(found, "upstream_unavailable")
        assert.isBelow(performance.now() - began, limits.verify + 1_500)
      }),
    )
  }

  for (const [reason, expected] of [
    ["invalid_exact_evm_nonce_already_used", "payment_replayed payload.authorization.nonce"],
    ["invalid_exact_evm_payload_authorization_valid_before", "payment_expired payload.authorization.validBefore"],
    ["insufficient_funds", "payment_invalid payload.authorization.from"],
    ["invalid_exact_evm_signature", "payment_invalid payload.signature"],
    ["invalid_exact_evm_payload_authorization_value", "payment_underpaid payload.authorization.value"],
    ["invalid_exact_evm_recipient_mismatch", "payment_invalid payload.authorization.to"],
    ["invalid_exact_evm_transaction_simulation_failed", "payment_invalid payload.authorization"],
    ["unexpected_verify_error", "upstream_unavailable"],
    ["invalid_network", "upstream_unavailable"],
  ] as const) {
    for (const status of [200, 400]) {
      it.live(`and refuses for ${reason} with status ${status} is believed`, () =>
        Effect.gen(function* () {
          const answer = { status, body: { isValid: false, invalidReason: reason } }
          const found = yield* answering("verify", answer, refusedBy(offered(adapter, yield* signed(), 1_000)))
          assert.strictEqual(found, expected)
        }),
      )
    }
  }

  it.live("and calls a used payment valid is not believed", () =>
    Effect.gen(function* () {
      const made = yield* signed()
      yield* promised(() => on.call("Token", on.token, "transferWithAuthorization", on.transferOf(made)))
      const asked = Effect.flatMap(offered(adapter, made, 1_000), ({ isUsed }) => isUsed)
      assert.isTrue(yield* answering("verify", { body: { isValid: true } }, asked))
    }),
  )
})

/** Takes a payment while the service gives an answer, which may need transactions of others. */
const taken = (answer: (made: Signed) => Promise<Answer>, made: Signed) =>
  Effect.gen(function* () {
    const offer = yield* offered(adapter, made, 1_000)
    const order = orderOf(1_000)
    const began = performance.now()
    const found = yield* answering("settle", yield* promised(() => answer(made)), refusedBy(offer.take(order)))
    assert.isBelow(performance.now() - began, limits.take + 500)
    const facts = yield* adapter.look(order, openedOf(offer))
    return [found, facts.map((fact) => (fact.kind === "paid" ? `paid ${fact.amount.micros}` : fact.kind)).join()]
  })

const succeeded = (transaction: string) => ({ body: { success: true, transaction, network: "eip155:31337" } })
const open = "payment_unconfirmed PAYMENT-SIGNATURE"

describe("a service that sends payments", () => {
  const settlements: ReadonlyArray<
    readonly [string, answer: (made: Signed) => Promise<Answer>, expected: string, facts: string]
  > = [
    ["and is honest", async () => "own", "no failure", "paid 1000"],
    ["and says success with a made-up transaction", async () => succeeded(nonce()), open, ""],
    ["and says success without a transaction", async () => succeeded(""), open, ""],
    [
      "and says success with another payer's payment",
      async () => {
        const other = await on.sign(await on.payer(1_000n), 1_000n)
        const { transactionHash } = await on.call("Token", on.token, "transferWithAuthorization", on.transferOf(other))
        return succeeded(transactionHash)
      },
      open,
      "",
    ],
    [
      "and says success with another payment of the payer",
      async () => {
        const other = await on.sign(payer, 1_000n)
        const { transactionHash } = await on.call("Token", on.token, "transferWithAuthorization", on.transferOf(other))
        return succeeded(transactionHash)
      },
      open,
      "",
    ],
    [
      "and says success with a smaller transfer of the payer",
      async () => {
        const by = { ...on.owner, account: payer }
        const { transactionHash } = await on.call("Token", on.token, "transfer", [on.payTo, 10n], by)
        return succeeded(transactionHash)
      },
      open,
      "",
    ],
    [
      "and says success with a smaller payment that has the same nonce",
      async ({ authorization }) => {
        const less = await on.sign(payer, 10n, { nonce: authorization.nonce })
        const { transactionHash } = await on.call("Token", on.token, "transferWithAuthorization", on.transferOf(less))
        return succeeded(transactionHash)
      },
      "payment_replayed payload.authorization.nonce",
      "paid 10",
    ],
    [
      "and says success with a transaction of no payment",
      async () => succeeded((await on.call("Token", on.token, "mint", [on.payTo, 1_000n])).transactionHash),
      open,
      "",
    ],
    [
      "and says failure after it has sent",
      async () => ({ after: () => failed("unexpected_settle_error") }),
      "no failure",
      "paid 1000",
    ],
    [
      "and says pending after it has sent",
      async () => ({ after: ({ transaction }) => failed("settlement_pending", String(transaction)) }),
      "no failure",
      "paid 1000",
    ],
    ["and answers nonsense after it has sent", async () => ({ after: () => "<html>" }), "no failure", "paid 1000"],
    [
      "and refuses",
      async () => ({ body: failed("insufficient_funds") }),
      "payment_invalid payload.authorization.from",
      "",
    ],
    [
      "and refuses with status 400",
      async () => ({ status: 400, body: failed("invalid_exact_evm_signature") }),
      "payment_invalid payload.signature",
      "",
    ],
    [
      "and says that the nonce is used",
      async () => ({ body: failed("invalid_exact_evm_nonce_already_used") }),
      open,
      "",
    ],
    ["and fails for an unknown reason", async () => ({ body: failed("out_of_luck") }), open, ""],
    ...outages.map(([name, answer]) => [`and ${name}`, async () => answer, open, ""] as const),
  ]
  for (const [name, answer, expected, facts] of settlements) {
    it.live(`${name}: the chain decides`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* taken(answer, yield* signed()), [expected, facts])
      }),
    )
  }

  it.live("and checks nothing: a forged signature is refused before it is asked", () =>
    Effect.gen(function* () {
      const made = yield* promised(() => on.sign(payer, 1_000n, { name: "Dollar" }))
      const found = yield* answering("verify", { body: { isValid: true } }, refusedBy(offered(adapter, made, 1_000)))
      assert.strictEqual(found, "payment_invalid payload.signature")
    }),
  )
})

import { randomUUID } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import * as orders from "../../../adapters/store/money/Orders.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import type { Answer } from "../../../core/endpoint/Answer.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Field from "../../../core/endpoint/Field.ts"
import type * as Lane from "../../../core/endpoint/Lane.ts"
import { LaneSets } from "../../../core/endpoint/LaneSets.ts"
import * as Param from "../../../core/endpoint/Param.ts"
import { fail } from "../../../core/Failure.ts"
import type { RequestContext } from "../../../core/gateway/Call.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import { CallPaymentGate } from "../../../core/payment/CallPaymentGate.ts"
import { PaymentProviders } from "../../../core/payment/PaymentProviders.ts"
import { Payments } from "../../../core/payment/Payments.ts"
import { balanceOf, ledgers, sum } from "../../support/accounts.ts"
import { anyAccounts } from "../../support/anyStore.ts"
import { callNetwork, signed } from "../../support/callNetwork.ts"
import { makeLane } from "../../support/lane.ts"

const price = 1_000

const priced = Endpoint.declare({
  path: "/v1/echo/priced",
  kind: "Data",
  priceMicros: price,
  auth: "key",
  summary: "Says what it was asked",
  example: { n: 1 },
  params: Schema.Struct({ n: Param.integer(1, 9, "A number.") }),
  results: Schema.Struct({ n: Field.integer() }),
})
const unpriced = Endpoint.declare({ ...priced, path: "/v1/echo/unpriced", priceMicros: 0 })
const endpoints = { priced, unpriced }
interface EchoMethods extends Lane.Methods<typeof endpoints> {}
class Echo extends Context.Tag("test/PaidEcho")<Echo, EchoMethods>() {}
const catalogue = Catalogue.make(makeLane("echo", endpoints, Echo, "A lane of this test."))

/** Fails for 2, and gives an answer that is not sold for 3. */
const echo = Layer.succeed(Echo, {
  priced: ({ n }) => said(n),
  unpriced: ({ n }) => said(n),
})
const said = (n: number): Effect.Effect<Answer<{ n: number }>, ReturnType<typeof fail>> =>
  n === 2
    ? Effect.fail(fail("upstream_unavailable"))
    : Effect.succeed({
        results: { n },
        reasoning: ["Counted."],
        citations: [{ step: 1, source: "test", locator: String(n) }],
        confidence: { score: 1, label: "settlement", factors: [] },
        links: [],
        freshness: "live",
        ...(n === 3 ? { billable: false } : {}),
      })

const make = (keyless: boolean) =>
  Effect.gen(function* () {
    const network = callNetwork(keyless)
    const money = Layer.provideMerge(
      Payments.layer.pipe(
        Layer.provide([
          BaseUrl.layer("https://api.test"),
          Layer.succeed(PaymentProviders, { topUps: [], calls: network.calls }),
        ]),
        Layer.provideMerge(orders.layer),
      ),
      anyAccounts,
    )
    const gateway = Gateway.layer(catalogue).pipe(
      Layer.provide([
        BaseUrl.layer("https://api.test"),
        LaneSets.layer(catalogue, { test: echo, live: echo }),
        CallPaymentGate.layer(network.calls),
      ]),
      Layer.provideMerge(money),
      Layer.provide(Gateway.layerDefaults),
      Layer.provide(secrets.layer),
    )
    const context = yield* Layer.build(gateway)
    const run = <A, E>(effect: Effect.Effect<A, E, Layer.Layer.Success<typeof money>>) =>
      Effect.provide(effect, context)
    const { serve } = Context.get(context, Gateway)
    const { account, live, test, agent, capped } = yield* run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id } = yield* accounts.create("owner")
        const key = (environment: "live" | "test", agent?: string) =>
          Effect.map(
            accounts.issueKey({ account: id, environment, tier: "pro", ...(agent === undefined ? {} : { agent }) }),
            ({ plaintext }) => `Bearer ${Redacted.value(plaintext)}`,
          )
        const agents = yield* Agents
        yield* agents.create(id, "free", {})
        yield* agents.create(id, "capped", { monthlyCap: MicroUsd(price - 1) })
        return {
          account: id,
          live: yield* key("live"),
          test: yield* key("test"),
          agent: yield* key("live", "free"),
          capped: yield* key("live", "capped"),
        }
      }),
    )
    const call = (n: number, request: Partial<RequestContext> = {}, endpoint: Endpoint.Any = priced) =>
      serve(
        catalogue.byId.get(endpoint.id)!,
        { _tag: "Text", entries: [["n", String(n)]] },
        { authorization: undefined, ...request },
      )
    const states = run(
      Effect.flatMap(Payments, ({ page }) =>
        Effect.map(page({ limit: 100 }), (all) => all.map(({ state, micros }) => [state, micros])),
      ),
    )
    return { ...network, run, call, states, account, live, test, agent, capped, balance: run(balanceOf(account)) }
  })

/** The payer of a test, and the account's name. */
const payer = `0x${"ab".repeat(20)}`
const payerAccount = `x402:${payer}`

// biome-ignore lint/suspicious/noExplicitAny: a test reads what was served
const body = (served: Served): any => JSON.parse(served.body.toText())
const codeOf = (served: Served): string => body(served).error?.code ?? "none"

const ofPayer = (name = payerAccount) =>
  Effect.flatMap(Accounts, (accounts) => Effect.map(accounts.balance(name), ({ balance }): number => balance))

describe("a call of a key whose wallet is empty", () => {
  it.scoped("answers 402 with the price and top-ups as terms, in the body and as a header", () =>
    Effect.gen(function* () {
      const { call, live, agent } = yield* make(false)
      const served = yield* call(1, { authorization: live })
      assert.strictEqual(served.status, 402)
      const { code, quote } = body(served).error
      assert.strictEqual(code, "insufficient_funds")
      const amounts = (accepts: ReadonlyArray<{ readonly amount: string }>) => accepts.map(({ amount }) => amount)
      assert.deepStrictEqual(amounts(quote.accepts), ["1000", "1000000", "5000000", "20000000"])
      assert.strictEqual(quote.shortfall_micros, price)
      const required = JSON.parse(served.required!)
      assert.deepStrictEqual(required.accepts, quote.accepts)
      assert.strictEqual(required.resource, "https://api.test/v1/echo/priced")
      assert.notProperty(body(yield* call(1, { authorization: agent })).error.quote, "balance_micros")
    }),
  )

  for (const [name, micros, left] of [
    ["its price", price, 0],
    ["a top-up of 5 USD", 5_000_000, 5_000_000 - price],
  ] as const) {
    it.scoped(`is answered with a payment of ${name}: credited, charged, receipted`, () =>
      Effect.gen(function* () {
        const { call, live, balance, states, run, account } = yield* make(false)
        const served = yield* call(1, { authorization: live, payment: signed(payer, micros, "1") })
        assert.deepStrictEqual([served.status, body(served).results], [200, { n: 1 }])
        assert.strictEqual(body(served)._meta.price.charged_micros, price)
        assert.strictEqual(served.receipt, `receipt of ${payer}/1`)
        assert.strictEqual(yield* balance, left)
        assert.deepStrictEqual(yield* states, [["paid", MicroUsd(micros)]])
        const postings = yield* run(Effect.flatMap(Accounts, (accounts) => accounts.journal(account, 10)))
        assert.deepStrictEqual(
          postings.map(({ kind, micros, provider, receipt }) => [kind, micros, provider, receipt]).toSorted(),
          [
            ["charge", -price, undefined, undefined],
            ["credit", micros, "x402", `tx/${payer}/1`],
          ],
        )
        assert.strictEqual(sum(Object.values(yield* run(ledgers))), 0)
      }),
    )
  }

  it.scoped("takes nothing where it is not answered, costs nothing, or may not spend", () =>
    Effect.gen(function* () {
      const { call, live, test, capped, arrived, states, feel } = yield* make(false)
      const payment = signed(payer, price, "1")
      const key = randomUUID()
      for (const [name, code, served] of [
        ["a lane that fails", "upstream_unavailable", call(2, { authorization: live, payment })],
        ["a bad parameter", "invalid_parameter", call(0, { authorization: live, payment })],
        ["an answer that is not sold", "none", call(3, { authorization: live, payment })],
        ["a HEAD", "none", call(1, { authorization: live, payment, head: true })],
        ["a test key", "none", call(1, { authorization: test, payment })],
        ["a free endpoint", "none", call(1, { authorization: live, payment }, unpriced)],
        ["a cap", "agent_budget_exceeded", call(1, { authorization: capped, payment })],
        ["no key, where one is needed", "missing_authorization", call(1, { payment })],
        ["another amount", "payment_underpaid", call(1, { authorization: live, payment: signed(payer, 999, "1") })],
        ["no payment at all", "payment_invalid", call(1, { authorization: live, payment: "AAAA" })],
      ] as const) {
        assert.strictEqual(name === "a HEAD" ? "none" : codeOf(yield* served), code, name)
        assert.strictEqual(arrived.size, 0, name)
      }
      assert.deepStrictEqual(yield* states, [])
      feel("payment_expired")
      const refused = yield* call(1, { authorization: live, payment, idempotencyKey: key })
      assert.deepStrictEqual([refused.status, codeOf(refused)], [402, "payment_expired"])
      assert.lengthOf(body(refused).error.quote.accepts, 4)
      assert.isDefined(refused.required)
      assert.deepStrictEqual(yield* states, [["ended", price]])
      feel("good")
      const answered = yield* call(1, { authorization: live, payment: signed(payer, price, "2"), idempotencyKey: key })
      assert.strictEqual(answered.status, 200)
      const again = yield* call(1, { authorization: live, payment: signed(payer, price, "3"), idempotencyKey: key })
      assert.deepStrictEqual([again.status, again.replayed, again.receipt], [200, true, undefined])
      assert.strictEqual(arrived.size, 1)
    }),
  )

  it.scoped("takes a payment once, however often it is sent", () =>
    Effect.gen(function* () {
      const { call, live, balance, arrived, states } = yield* make(false)
      const payment = signed(payer, price, "1")
      const all = yield* Effect.all(
        Array.from({ length: 10 }, () => call(1, { authorization: live, payment })),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(all.filter(({ status }) => status === 200).length, 1)
      assert.deepStrictEqual([...new Set(all.filter(({ status }) => status !== 200).map(codeOf))], ["payment_replayed"])
      assert.deepStrictEqual([arrived.size, yield* balance, yield* states], [1, 0, [["paid", price]]])
    }),
  )

  for (const mood of ["unconfirmed", "crash"] as const) {
    it.scoped(`gets the money of a payment whose end nobody saw (${mood}): once`, () =>
      Effect.gen(function* () {
        const { call, live, balance, feel, states, run } = yield* make(false)
        const payment = signed(payer, 5_000_000, "1")
        feel(mood)
        const cut = yield* call(1, { authorization: live, payment })
        assert.strictEqual(codeOf(cut), mood === "crash" ? "internal_error" : "payment_unconfirmed")
        assert.deepStrictEqual([yield* states, yield* balance], [[["open", 5_000_000]], 0])
        feel("good")
        // Sent again, it is looked up; so it is by the hourly comparison.
        assert.strictEqual(codeOf(yield* call(1, { authorization: live, payment })), "payment_replayed")
        assert.strictEqual(yield* balance, 5_000_000)
        const found = yield* run(Effect.flatMap(Payments, ({ reconcile }) => reconcile("unproven")))
        assert.deepStrictEqual([found.looked, found.added], [0, 0])
        assert.strictEqual((yield* call(1, { authorization: live })).status, 200)
        assert.strictEqual(yield* balance, 5_000_000 - price)
      }),
    )
  }

  it.scopedLive("is answered when the provider's time is over, though nothing cuts a payment off from outside", () =>
    Effect.gen(function* () {
      const { call, live, feel, states } = yield* make(false)
      feel("silent")
      const served = yield* Effect.disconnect(
        call(1, { authorization: live, payment: signed(payer, price, "1") }),
      ).pipe(Effect.timeout("5 seconds"))
      assert.strictEqual(codeOf(served), "payment_unconfirmed")
      assert.deepStrictEqual(yield* states, [["open", price]])
    }),
  )
})

describe("a call without a key", () => {
  it.scoped("answers 402 with its price, after the parameters are checked", () =>
    Effect.gen(function* () {
      const { call } = yield* make(true)
      assert.strictEqual(codeOf(yield* call(0)), "invalid_parameter")
      const served = yield* call(1)
      assert.deepStrictEqual([served.status, codeOf(served)], [402, "payment_required"])
      assert.deepStrictEqual(
        body(served).error.quote.accepts.map(({ amount }: { amount: string }) => amount),
        [String(price)],
      )
      assert.strictEqual(codeOf(yield* call(1, {}, unpriced)), "missing_authorization")
      assert.strictEqual(codeOf(yield* call(1, { authorization: "Bearer x" })), "invalid_api_key_format")
      // A call that would take nothing makes no payer.
      const head = yield* call(1, { payment: signed(payer, price, "1"), head: true })
      assert.strictEqual(head.status, 402)
      const topUp = yield* call(1, { payment: signed(payer, 5_000_000, "1") })
      assert.strictEqual(codeOf(topUp), "payment_underpaid")
    }),
  )

  it.scoped("is answered for its payment, under the payer's address", () =>
    Effect.gen(function* () {
      const { call, run } = yield* make(true)
      for (const nonce of ["1", "2"]) {
        const served = yield* call(1, { payment: signed(payer, price, nonce) })
        assert.deepStrictEqual([served.status, served.receipt], [200, `receipt of ${payer}/${nonce}`])
        assert.strictEqual(served.limit?.limit, 60)
      }
      assert.strictEqual(yield* run(ofPayer()), 0)
      const rows = yield* run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`
            SELECT a.name, t.status, t.charged_micros FROM audit t JOIN accounts a ON a.id = t.account_id ORDER BY t.at`,
        ),
      )
      const row = { name: payerAccount, status: 200, charged_micros: price }
      assert.deepStrictEqual(rows, [row, row])
      const names = yield* run(
        Effect.flatMap(Accounts, ({ list }) =>
          Effect.map(list({ limit: 1_000 }), (all) => all.map(({ name }) => name).toSorted()),
        ),
      )
      assert.deepStrictEqual(names, ["owner", payerAccount])
    }),
  )

  for (const [name, isSentAgain] of [
    ["looked for when its payment is sent again", true],
    ["looked for by the next call", false],
  ] as const) {
    it.scoped(`uses the money of a payment that was cut off before it takes another: ${name}`, () =>
      Effect.gen(function* () {
        const { call, run, feel, arrived } = yield* make(true)
        feel("crash")
        yield* call(1, { payment: signed(payer, price, "1") })
        feel("good")
        if (isSentAgain) {
          const replayed = yield* call(1, { payment: signed(payer, price, "1") })
          assert.strictEqual(codeOf(replayed), "payment_replayed")
          assert.include(body(replayed).error.message, "0.001")
        }
        yield* TestClock.adjust("61 seconds")
        const served = yield* call(1, { payment: signed(payer, price, "2") })
        assert.deepStrictEqual([served.status, served.receipt], [200, undefined])
        assert.deepStrictEqual([arrived.size, yield* run(ofPayer())], [1, 0])
      }),
    )
  }

  it.scopedLive("is refused where the operator has suspended the payer, or its key was revoked; nothing is taken", () =>
    Effect.gen(function* () {
      const { call, run, arrived } = yield* make(true)
      const payment = (nonce: string) => ({ payment: signed(payer, price, nonce) })
      yield* call(1, payment("1"))
      yield* run(Effect.flatMap(Accounts, ({ suspend }) => suspend(payerAccount)))
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1_100)))
      const served = yield* call(1, payment("2"))
      assert.strictEqual(codeOf(served), "account_suspended")
      assert.strictEqual(arrived.size, 1)
    }),
  )

  it.scoped("makes one account for many first calls, and takes one payment of a payer at a time", () =>
    Effect.gen(function* () {
      const { call, run, arrived, feel, begun, arrive, states } = yield* make(true)
      const payment = (nonce: number) => ({ payment: signed(payer, price, String(nonce)) })
      feel("held")
      const first = yield* Effect.fork(call(1, payment(0)))
      yield* begun
      for (let nonce = 1; nonce < 20; nonce++) {
        const served = yield* call(1, payment(nonce))
        const { error } = body(served)
        assert.deepStrictEqual(
          [served.status, error.code, error.recoverable, error.retry_after_ms],
          [402, "payment_in_progress", true, 2_000],
        )
        assert.lengthOf(error.quote.accepts, 1)
        assert.isDefined(served.required)
      }
      assert.deepStrictEqual([arrived.size, yield* states], [0, [["open", price]]])
      // Another payer does not wait.
      const other = yield* Effect.fork(call(1, { payment: signed(`0x${"cd".repeat(20)}`, price, "1") }))
      while ((yield* states).length < 2) yield* Effect.yieldNow()
      feel("good")
      yield* arrive
      assert.deepStrictEqual([(yield* Fiber.join(first)).status, (yield* Fiber.join(other)).status], [200, 200])
      // The payment that was refused is still good.
      assert.strictEqual((yield* call(1, payment(1))).status, 200)
      assert.deepStrictEqual([arrived.size, yield* run(ofPayer())], [3, 0])
      const names = yield* run(
        Effect.flatMap(Accounts, ({ list }) => Effect.map(list({ limit: 1_000 }), (found) => found.length)),
      )
      assert.strictEqual(names, 3)
    }),
  )

  it.scoped("is told that its payment was used, at any time of the first use", () =>
    Effect.gen(function* () {
      const { call, feel, begun, arrive } = yield* make(true)
      const payment = signed(payer, price, "1")
      feel("held")
      const first = yield* Effect.fork(call(1, { payment }))
      yield* begun
      for (let again = 0; again < 5; again++) {
        assert.strictEqual(codeOf(yield* call(1, { payment })), "payment_replayed")
      }
      yield* arrive
      assert.strictEqual((yield* Fiber.join(first)).status, 200)
      assert.strictEqual(codeOf(yield* call(1, { payment })), "payment_replayed")
    }),
  )

  it.scoped("leaves nothing where it is not answered: no account, no key, no audit row", () =>
    Effect.gen(function* () {
      const { call, run, arrived, states, feel } = yield* make(true)
      const counts = run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`
            SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM wallets) AS wallets,
              (SELECT count(*) FROM api_keys) AS keys, (SELECT count(*) FROM audit) AS calls,
              (SELECT count(*) FROM payers) AS payers`,
        ),
      )
      const before = yield* counts
      const payment = signed(payer, price, "1")
      for (const [n, code, more] of [
        [2, "upstream_unavailable", {}],
        [3, "none", {}],
        [3, "none", { idempotencyKey: randomUUID() }],
        [0, "invalid_parameter", {}],
      ] as const) {
        assert.strictEqual(codeOf(yield* call(n, { payment, ...more })), code)
        assert.deepStrictEqual([yield* counts, yield* states, arrived.size], [before, [], 0])
      }
      feel("upstream_unavailable")
      assert.strictEqual(codeOf(yield* call(1, { payment })), "upstream_unavailable")
      feel("good")
      assert.strictEqual((yield* call(1, { payment: signed(payer, price, "2") })).status, 200)
      const names = yield* run(
        Effect.flatMap(Accounts, ({ list }) =>
          Effect.map(list({ limit: 1_000 }), (all) => all.map(({ name }) => name).toSorted()),
        ),
      )
      assert.deepStrictEqual(names, ["owner", payerAccount])
    }),
  )

  it.scoped("waits longer after each payment that the network reverted, and not after a good one", () =>
    Effect.gen(function* () {
      const { call, feel } = yield* make(true)
      let nonce = 0
      const pay = () => call(1, { payment: signed(payer, price, String(nonce++)) })
      for (const minutes of [10, 20, 30, 40, 50, 60, 60]) {
        feel("reverted")
        assert.strictEqual(codeOf(yield* pay()), "payment_invalid")
        feel("good")
        const served = yield* pay()
        const { code, retry_after_ms } = body(served).error
        assert.deepStrictEqual([served.status, code, retry_after_ms], [429, "rate_limit_exceeded", minutes * 60_000])
        yield* TestClock.adjust(`${minutes} minutes`)
      }
      assert.strictEqual((yield* pay()).status, 200)
      feel("reverted")
      yield* pay()
      yield* TestClock.adjust("10 minutes")
      feel("good")
      assert.strictEqual((yield* pay()).status, 200)
    }),
  )

  it.scoped("may sign another one at once where one was not sent, and is refused if it sends that again", () =>
    Effect.gen(function* () {
      const { call, feel } = yield* make(true)
      const pay = (nonce: string) => call(1, { payment: signed(payer, price, nonce) })
      feel("not sent")
      assert.strictEqual(codeOf(yield* pay("1")), "upstream_unavailable")
      feel("good")
      const { code, hints } = body(yield* pay("1")).error
      assert.deepStrictEqual([code, hints[0].action], ["payment_replayed", "change"])
      assert.strictEqual((yield* pay("2")).status, 200)
    }),
  )

  it.scoped("is not locked out by a crash: its payment is looked for, and what never moved is forgotten", () =>
    Effect.gen(function* () {
      const { call, feel, arrived } = yield* make(true)
      const pay = (nonce: string) => call(1, { payment: signed(payer, price, nonce) })
      feel("crash")
      yield* pay("arrived")
      feel("good")
      assert.strictEqual(codeOf(yield* pay("2")), "payment_in_progress")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* pay("2")).status, 200)
      feel("lost")
      yield* pay("lost")
      feel("good")
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual(codeOf(yield* pay("3")), "payment_in_progress")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* pay("3")).status, 200)
      assert.isFalse(arrived.has(`${payer}/lost`))
    }),
  )

  it.scoped("has nothing to do with an account that somebody named like its payer", () =>
    Effect.gen(function* () {
      const { call, run, arrived } = yield* make(true)
      const squatter = yield* run(
        Effect.flatMap(Accounts, ({ create, credit }) =>
          Effect.tap(create(payer), ({ id }) => credit(id, MicroUsd(5_000_000))),
        ),
      )
      const served = yield* call(1, { payment: signed(payer, price, "1") })
      assert.deepStrictEqual([served.status, served.receipt], [200, `receipt of ${payer}/1`])
      assert.deepStrictEqual([arrived.size, yield* run(ofPayer(squatter.id))], [1, 5_000_000])
      const found = yield* run(Effect.flatMap(Payments, ({ page }) => page({ accountId: squatter.id, limit: 10 })))
      assert.deepStrictEqual(found, [])
    }),
  )
})

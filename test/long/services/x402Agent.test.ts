import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ExactEvmScheme } from "@x402/evm/exact/client"
import { decodePaymentResponseHeader, type PaymentRequired, wrapFetchWithPayment, x402Client } from "@x402/fetch"
import * as Option from "effect/Option"
import { perform } from "../../../adapters/admin/AdminOperation.ts"
import { accountVerbs } from "../../../adapters/admin/accountVerbs.ts"
import { auditVerbs } from "../../../adapters/admin/auditVerbs.ts"
import { orderVerbs } from "../../../adapters/admin/orderVerbs.ts"
import { monthOf } from "../../../core/account/Agent.ts"
import { connect } from "../../adapters/server/mcp/clients.ts"
import { signIn } from "../../adapters/web/dashboard/visitor.ts"
import { type Running, start } from "../../support/running.ts"
import { type World, world } from "../chain/world.ts"

/*
 * An agent pays its way: it knows the address of the service, and has a wallet on a chain. The client is the official one,
 * the chain a real one on this machine, with a dollar token of its own.
 */

let on: World
let service: Running

beforeAll(async () => {
  on = await world()
  service = await start(
    { payments: { stripe: Option.none(), x402: Option.some(await on.settings({ keyless: true })) } },
    { balance: 0 },
  )
})

afterAll(async () => {
  await service.stop()
  await on.stop()
})

/**
 * The official client with a funded wallet. By its defaults it pays with tokens that it knows alone, and chooses the first
 * of the terms.
 *
 * @param amount of the terms to choose, units
 */
const agentWith = async (units: bigint, amount?: string) => {
  const account = await on.payer(units)
  const client = new x402Client((_, terms) => terms.find((each) => each.amount === (amount ?? each.amount))!)
    .register("eip155:*", new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: [{ network: `eip155:${on.chainId}`, asset: on.token }] })
  return { address: account.address.toLowerCase(), pay: wrapFetchWithPayment(fetch, client), account }
}

// biome-ignore lint/suspicious/noExplicitAny: an agent reads what the wire brought
const json = async (path: string): Promise<any> =>
  (await fetch(new URL(path, service.url), { headers: { accept: "application/json" } })).json()

/** The endpoints that cost something, with their examples, as an agent finds them from the address alone. */
const priced = async (): Promise<ReadonlyArray<{ readonly path: string; readonly micros: number }>> => {
  const index = await json("/")
  const document = await json(index.links.openapi)
  const paths = Object.entries(document.paths) as ReadonlyArray<readonly [string, Record<string, never>]>
  return paths.flatMap(([path, { get }]) => {
    const operation = get as unknown as Record<string, unknown> | undefined
    const micros = operation?.["x-charged-micros"]
    if (typeof micros !== "number" || micros === 0) return []
    const query = new URLSearchParams()
    for (const { name, example } of operation!["parameters"] as ReadonlyArray<{ name?: string; example?: unknown }>) {
      if (name !== undefined && example !== undefined) query.set(name, String(example))
    }
    return [{ path: `${path}?${query}`, micros }]
  })
}

/** What the operator's verbs say of an account. */
const booksOf = async (account: string) => {
  const { postings, balance_micros } = await service.run(perform(accountVerbs.walletShow, { account, limit: 100 }))
  const { orders } = await service.run(perform(orderVerbs.ordersList, { account }))
  const { rows } = await service.run(perform(auditVerbs.auditPage, { month: monthOf(Date.now()) }))
  const { accounts } = await service.run(perform(accountVerbs.accountsList, {}))
  const id = accounts.find(({ name }) => name === account)?.id
  return { postings, balance: balance_micros, orders, rows: rows.filter(({ account_id }) => account_id === id) }
}

const sumOf = (rows: ReadonlyArray<{ readonly micros: number }>): number =>
  rows.reduce((total, { micros }) => total + micros, 0)

describe("an agent that has a funded wallet, an official MCP client and no key", () => {
  it.each(["2026-07-28", "2025-11-25"] as const)("pays a tool call over %s, once", async (way) => {
    const account = await on.payer(2_000n)
    const client = await connect(service.url, way, undefined)
    await client.listTools()
    const call = { name: "weather_settlement", arguments: { station: "KNYC" } }
    const refused = await client.callTool(call)
    assert.isTrue(refused.isError)
    const terms = refused.structuredContent as unknown as PaymentRequired
    const [first, second] = refused.content as unknown as ReadonlyArray<{ readonly text: string }>
    assert.deepStrictEqual(JSON.parse(first!.text), terms)
    assert.strictEqual(JSON.parse(second!.text).error.code, "payment_required")
    assert.strictEqual(terms.resource.url, "mcp://tool/weather_settlement")
    const payer = new x402Client((_, accepts) => accepts.find(({ amount }) => amount === "1000")!)
      .register("eip155:*", new ExactEvmScheme(account))
      .setSpendControls({ allowedAssets: [{ network: `eip155:${on.chainId}`, asset: on.token }] })
    const payment = await payer.createPaymentPayload(terms)
    const paid = await client.callTool({ ...call, _meta: { "x402/payment": payment } })
    assert.isUndefined(paid.isError, JSON.stringify(paid))
    assert.isDefined((paid.structuredContent as { readonly results: unknown }).results)
    const receipt = paid._meta!["x402/payment-response"] as { readonly success: boolean; readonly payer: string }
    assert.deepStrictEqual([receipt.success, receipt.payer.toLowerCase()], [true, account.address.toLowerCase()])
    assert.strictEqual(await on.balance(account.address), 1_000n)
    // The same payment once more takes nothing.
    await client.callTool({ ...call, _meta: { "x402/payment": payment } })
    assert.strictEqual(await on.balance(account.address), 1_000n)
    await client.close()
  })

  it("gets the fault of a payment that is none", async () => {
    const client = await connect(service.url, "2026-07-28", undefined)
    for (const payment of [7, "x", {}, { x402Version: 2 }]) {
      const { isError, content } = await client.callTool({
        ...{ name: "weather_settlement", arguments: { station: "KNYC" } },
        _meta: { "x402/payment": payment },
      })
      const texts = content as unknown as ReadonlyArray<{ readonly text: string }>
      assert.isTrue(isError)
      assert.strictEqual(JSON.parse(texts.at(-1)!.text).error.code, "payment_invalid")
    }
    await client.close()
  })
})

describe("an agent that knows the base URL alone and has a funded wallet", () => {
  it("pays its way from a 402 to an answer of every priced endpoint, to the micro", async () => {
    const calls = (await priced()).slice(0, 6)
    assert.isAtLeast(calls.length, 6)
    const cost = sumOf(calls)
    const { address, pay, account } = await agentWith(BigInt(cost) + 1n)
    const receipts: Array<string> = []
    for (const { path, micros } of calls) {
      assert.strictEqual((await fetch(service.url + path)).status, 402, path)
      const before = await on.balance(on.payTo)
      const answer = await pay(service.url + path)
      assert.strictEqual(answer.status, 200, path)
      const { results, _meta } = (await answer.json()) as { results: unknown; _meta: { price: object } }
      assert.isDefined(results)
      assert.propertyVal(_meta.price, "charged_micros", micros)
      const receipt = decodePaymentResponseHeader(answer.headers.get("payment-response")!)
      assert.deepStrictEqual([receipt.success, receipt.payer?.toLowerCase()], [true, address])
      receipts.push(receipt.transaction)
      assert.strictEqual(await on.balance(on.payTo), before + BigInt(micros))
    }
    assert.strictEqual(await on.balance(account.address), 1n)

    const payer = `x402:${address}`
    const books = await booksOf(payer)
    assert.strictEqual(books.balance, 0)
    assert.deepStrictEqual(
      books.orders.map(({ state, micros }) => `${state} ${micros}`).toSorted(),
      calls.map(({ micros }) => `paid ${micros}`).toSorted(),
    )
    const credits = books.postings.filter(({ kind }) => kind === "credit")
    const charges = books.postings.filter(({ kind }) => kind === "charge")
    assert.deepStrictEqual([sumOf(credits), sumOf(charges)], [cost, -cost])
    for (const transaction of receipts) {
      assert.lengthOf(
        credits.filter(({ receipt = "" }) => receipt.includes(transaction)),
        1,
      )
    }
    assert.deepStrictEqual(
      books.rows.map(({ status, charged_micros }) => `${status} ${charged_micros}`).toSorted(),
      calls.map(({ micros }) => `200 ${micros}`).toSorted(),
    )

    // The operator sees the same in the dashboard.
    const operator = await signIn(service, { account: payer })
    const { html } = await operator.get("/dashboard/wallet?lines=transactions")
    for (const transaction of receipts) assert.include(html, transaction)
    const file = (await operator.get("/dashboard/wallet.csv")).html.trim().split("\r\n").slice(1)
    assert.lengthOf(file, 2 * calls.length)
    assert.strictEqual(
      file.reduce((total, line) => total + Number(line.split(",")[3]), 0),
      0,
    )
    const listed = (await operator.get("/dashboard/calls")).html
    for (const { id } of charges) assert.include(listed, id)
  })

  it("is refused when its wallet is too small, and nothing is served", async () => {
    const [call] = await priced()
    const { address, pay, account } = await agentWith(BigInt(call!.micros) - 1n)
    const answer = await pay(service.url + call!.path)
    assert.strictEqual(answer.status, 402)
    const { error } = (await answer.json()) as { error: { code: string } }
    assert.strictEqual(error.code, "payment_invalid")
    assert.strictEqual(await on.balance(account.address), BigInt(call!.micros) - 1n)
    const accounts = await service.run(perform(accountVerbs.accountsList, {}))
    assert.notInclude(
      accounts.accounts.map(({ name }) => name),
      `x402:${address}`,
    )
  })
})

describe("an agent with a key of an empty wallet", () => {
  it("tops the wallet up by a dollar with a call, and its next calls need no payment", async () => {
    const [call] = await priced()
    const { pay, account } = await agentWith(2_000_000n, "1000000")
    const headers = { authorization: `Bearer ${service.account.live.token}` }
    const ask = () => pay(service.url + call!.path, { headers })
    const first = await ask()
    assert.strictEqual(first.status, 200)
    assert.strictEqual(decodePaymentResponseHeader(first.headers.get("payment-response")!).success, true)
    const second = await ask()
    assert.deepStrictEqual([second.status, second.headers.get("payment-response")], [200, null])
    assert.strictEqual(await on.balance(account.address), 1_000_000n)
    assert.strictEqual(await service.balance(), 1_000_000 - 2 * call!.micros)
    const { json } = await service.get("/v1/wallet")
    assert.deepInclude(json.results, {
      balance_micros: 1_000_000 - 2 * call!.micros,
      month_spent_micros: 2 * call!.micros,
      open_orders: [],
    })
    assert.deepStrictEqual(
      json.results.ways_to_pay.map(({ way }: { way: string }) => way),
      ["x402", "operator"],
    )
    const { html } = await (await signIn(service, { account: "tester" })).get("/dashboard/top-up")
    assert.include(html, "By agents")
  })
})

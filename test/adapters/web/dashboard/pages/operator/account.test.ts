import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { verbs } from "../../../../../../adapters/admin/verbs.ts"
import { Accounts } from "../../../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../../../core/account/Money.ts"
import { catalogue } from "../../../../../../core/lanes/all.ts"
import { type Running, start } from "../../../../../support/running.ts"
import { hidden, otherAccount, signIn, type Visitor } from "../../visitor.ts"

let running: Running
let operator: Visitor
let client: Awaited<ReturnType<typeof otherAccount>>
let page: string
beforeAll(async () => {
  running = await start()
  client = await otherAccount(running, "customer-17")
  await running.run(Effect.flatMap(Accounts, ({ credit }) => credit(client.id, MicroUsd(22_950_000))))
  // The session shows another account than the one that is looked for.
  operator = await signIn(running, { operator: true, account: "tester", name: "op" })
  page = `/dashboard/operator/accounts/${client.id}`
}, 120_000)
afterAll(() => running.stop())

const balanceOf = (account: string) =>
  running.run(Effect.flatMap(Accounts, (all) => Effect.map(all.balance(account), ({ balance }) => Number(balance))))

const text = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")

describe("the search for an account", () => {
  it("leads to its page, and has no form that changes another one", async () => {
    const { html } = await operator.get("/dashboard/operator?q=customer-17")
    assert.include(html, `href="${page}"`)
    const actions = [...html.matchAll(/name="action" value="(\w+)"/g)].map(([, name]) => name)
    assert.deepStrictEqual(actions, ["create"])
    assert.notInclude(text(html), "Credit")
  })
})

describe("the page of an account", () => {
  it("credits it in two steps, that name it, the amount and the new balance, and once", async () => {
    const first = await operator.get(page)
    assert.match(first.html, /<h1>customer-17<\/h1>/)
    assert.match(first.html, /<form method="get"[^>]*><input type="hidden" name="do" value="credit"/)
    const step = `${page}?do=credit&micros=20`
    const second = await operator.get(step)
    assert.include(text(second.html), "Credit customer-17 20.00 USD, new balance 42.95 USD")
    assert.strictEqual(await balanceOf(client.id), 22_950_000)
    const body = hidden(second.html, "credit")
    const done = await operator.post(step, body)
    assert.deepStrictEqual([done.status, done.headers.get("location")], [303, page])
    assert.strictEqual(await balanceOf(client.id), 42_950_000)
    assert.include((await operator.post(step, body)).html, "This form was already sent")
    assert.deepStrictEqual([await balanceOf(client.id), await balanceOf("tester")], [42_950_000, 1_000_000])
  })

  it.each(["", "0", "-5", "much", "1e30"])("refuses the amount %j in the first step, at its field", async (amount) => {
    const before = await balanceOf(client.id)
    const { html } = await operator.get(`${page}?do=credit&micros=${encodeURIComponent(amount)}`)
    assert.notInclude(html, 'name="action" value="credit"')
    assert.match(html, /id="credit-micros-error"/)
    assert.strictEqual(await balanceOf(client.id), before)
  })

  it("takes a credit back in two steps, never more than the balance", async () => {
    const { html } = await operator.get(page)
    const [, href = ""] = /href="([^"]*do=reverse[^"]*)"/.exec(html) ?? []
    const step = href.replaceAll("&amp;", "&")
    assert.match(
      text((await operator.get(step)).html),
      /Take back at most 20\.00 USD of customer-17 ?'s credit txn_\w+, balance 42\.95 USD, new balance 22\.95 USD or more/,
    )
    assert.strictEqual((await operator.send(step, "reverse")).status, 303)
    assert.strictEqual(await balanceOf(client.id), 22_950_000)
  })

  it("has a form for every verb that changes something of an account", async () => {
    const { html } = await operator.get(page)
    const named = [...html.matchAll(/name="action" value="(\w+)"/g)].map(([, name]) => name)
    const all = Object.values(verbs(catalogue)).filter(
      ({ path, ...verb }) => /^[^:]*:account(\/[^:]*)?$/.test(path) && "method" in verb && verb.method !== "GET",
    )
    const inSteps = ["wallet_credit", "wallet_reverse", "accounts_suspend"]
    const expected = all
      .map(({ id }) => id)
      .filter((id) => !["orders_begin", "accounts_resume", ...inSteps].includes(id))
    assert.isAbove(expected.length, 4)
    for (const id of expected) assert.include(named, id)
    for (const step of ["do=suspend", 'value="credit"', 'value="reverse"']) assert.include(html, step)
    const tier = await operator.send(page, "accounts_tier", { tier: "pro" })
    assert.strictEqual(tier.status, 200)
    const found = await running.run(Effect.flatMap(Accounts, ({ get }) => get(client.id)))
    assert.strictEqual(found.tier, "pro")
    const made = await operator.send(page, "keys_create", { environment: "live", name: "made here" })
    assert.match(made.html, /svk_live_[0-9A-Za-z]{49}/)
    assert.match((await operator.get(page)).html, /made here \(svk_live_…/)
  })

  it("names what needs attention, and revokes a key", async () => {
    const empty = await otherAccount(running, "empty")
    await running.get("/v1/weather/stations?fields=count", empty.token)
    const at = `/dashboard/operator/accounts/${empty.id}`
    assert.include(text((await operator.get(at)).html), "Wallet : empty, calls with live keys are refused.")
    assert.strictEqual((await operator.send(at, "revoke")).status, 303)
    const key = await running.run(Effect.flatMap(Accounts, ({ key }) => key(empty.key)))
    assert.isDefined(key.revokedAt)
  })
})

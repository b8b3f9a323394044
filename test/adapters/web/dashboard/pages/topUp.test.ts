// Proof: servers that wait for a provider.
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"
import { start } from "../../../../support/running.ts"
import type { ApiState } from "../../../../support/stripe/api.ts"
import { secret } from "../../../../support/stripe/provider.ts"
import { type TakingPayments, takingPayments } from "../../../../support/stripe/running.ts"
import { hidden, otherAccount, type Seen, signIn, type Visitor } from "../visitor.ts"

const path = "/dashboard/top-up"

const log: Array<string> = []
const pages: Array<string> = []
let service: TakingPayments
let owner: Visitor
let other: Visitor

beforeAll(async () => {
  service = await takingPayments({ log })
  await otherAccount(service.running, "other")
  owner = await signIn(service.running, { account: "tester" })
  other = await signIn(service.running, { account: "other" })
}, 120_000)
afterAll(() => service.stop())
afterEach(() => service.host.calm())

const seen = (page: Seen): Seen => {
  pages.push(page.html)
  return page
}
const open = async (query = "", who = owner) => seen(await who.get(path + query))
const send = async (values: Record<string, string>, who = owner) => seen(await who.send(path, "begin", values))

const policy = ({ headers }: Seen): string =>
  /form-action [^;]*/.exec(headers.get("content-security-policy") ?? "")?.[0] ?? ""

/** The words of the notice about the order in the address. */
const notice = ({ html }: Seen): string =>
  (/<p class="notice" role="status">([\s\S]*?)<\/p>/.exec(html)?.[1] ?? "").replace(/<[^>]+>/g, "").trim()

/** Begins a payment by the form; the order's id. */
const begin = async (micros = "20"): Promise<string> => {
  const { status, headers } = await send({ micros })
  assert.strictEqual(status, 303)
  assert.isTrue(headers.get("location")!.startsWith(`${service.host.url}/c/pay/`))
  const [order] = await service.listed()
  return order!.id
}

describe("the page to top up", () => {
  it("has no form where there is no provider", async () => {
    const bare = await start()
    try {
      const page = await (await signIn(bare, { account: "tester" })).get(path)
      assert.deepStrictEqual([page.status, policy(page)], [200, "form-action 'self'"])
      assert.notInclude(page.html, 'value="begin"')
      assert.include(page.html, "Card payments are not set up.")
    } finally {
      await bare.stop()
    }
  })

  it("may lead to the provider, which no other page of the dashboard may", async () => {
    assert.strictEqual(policy(await open()), `form-action 'self' ${service.host.url}`)
    for (const at of ["", "/wallet", "/keys", "/agents", "/usage", "/changes", "/webhooks", "/people"]) {
      const page = await owner.get(`/dashboard${at}`)
      assert.deepStrictEqual([page.status, policy(page)], [200, "form-action 'self'"], at)
    }
  })

  it("begins a payment, and lists it with the way to pay", async () => {
    const id = await begin("12.34")
    const [listed] = await service.listed()
    assert.deepInclude(listed, { state: "open", micros: 12_340_000, credited_micros: 0, provider: "stripe" })
    assert.strictEqual(service.host.standings()[id]!.asked, 1_234)
    const { html } = await open()
    assert.include(html, id)
    assert.match(html, new RegExp(`<a href="${service.host.url}/c/pay/[^"]+">Continue`))
  })

  it.each([
    ["", /1 to 10,000 USD/],
    ["0", /1 to 10,000 USD/],
    ["0.99", /1 to 10,000 USD/],
    ["10000.01", /1 to 10,000 USD/],
    ["-5", /1 to 10,000 USD/],
    ["1e3", /1 to 10,000 USD/],
    ["five", /1 to 10,000 USD/],
    ["5,00", /1 to 10,000 USD/],
    ["20.005", /in whole cents/],
    ["20 <b>", /1 to 10,000 USD/],
  ])("refuses %s at the field, which keeps it", async (micros, why) => {
    const before = [await service.listed(), service.host.requests.length]
    const page = await send({ micros })
    assert.deepStrictEqual([page.status, policy(page)], [422, `form-action 'self' ${service.host.url}`])
    const error = /id="begin-micros-error">([^<]*)</.exec(page.html)?.[1] ?? ""
    assert.match(error, why)
    assert.notInclude(error, "micros")
    assert.match(page.html, /name="micros"[^>]*aria-invalid="true"/)
    if (/^[^<]+$/.test(micros)) assert.include(page.html, `value="${micros}"`)
    assert.notInclude(page.html, "<b>")
    assert.deepStrictEqual([await service.listed(), service.host.requests.length], before)
  })

  it.each<ApiState>(["down", "reset", "limited", "html"])(
    "says so when the provider is %s: nothing is begun, and the same form works later",
    async (api) => {
      const before = await service.listed()
      const form = hidden((await open()).html, "begin")
      form.set("micros", "33.25")
      service.host.switch({ api })
      const page = seen(await owner.post(path, form))
      assert.isAtLeast(page.status, 500)
      assert.match(page.html, /role="alert"/)
      assert.include(page.html, 'value="33.25"')
      assert.strictEqual(policy(page), `form-action 'self' ${service.host.url}`)
      assert.deepStrictEqual(await service.listed(), before)
      service.host.calm()
      const again = hidden(page.html, "begin")
      assert.strictEqual(again.get("form_id"), form.get("form_id"))
      again.set("micros", "33.25")
      assert.strictEqual((await owner.post(path, again)).status, 303)
      assert.lengthOf(await service.listed(), before.length + 1)
    },
  )

  it("makes one order of a form that is sent many times, and leads on to pay it", async () => {
    const before = (await service.listed()).length
    const form = hidden((await open()).html, "begin")
    form.set("micros", "7")
    const all = await Promise.all(Array.from({ length: 5 }, () => owner.post(path, form)))
    const later = seen(await owner.post(path, form))
    assert.lengthOf(
      all.filter(({ status }) => status === 303),
      1,
    )
    const [order, ...rest] = await service.listed()
    assert.lengthOf(rest, before)
    for (const page of [later, ...all.filter(({ status }) => status !== 303)]) {
      assert.strictEqual(page.status, 200, /role="alert">([^<]*)</.exec(page.html)?.[1])
      assert.include(page.html, "This form was already sent")
      assert.include(page.html, `<a class="button" href="${path}?left=${order!.id}">Continue to payment</a>`)
    }
    const page = await open(`?left=${order!.id}`)
    assert.include(notice(page), "7.00 USD not paid. The payment page is still open: Pay 7.00 USD")
  })

  it("takes neither account nor origin nor another provider from the form", async () => {
    await send({ micros: "9", account: "other", origin: "https://evil.example" })
    const asked = service.host.requests.at(-1)!.form as { readonly success_url: string; readonly cancel_url: string }
    const [order] = await service.listed()
    assert.strictEqual(order!.micros, 9_000_000)
    assert.deepStrictEqual(await service.listed("other"), [])
    assert.strictEqual(asked.success_url, `${service.running.url}${path}?order=${order!.id}`)
    assert.strictEqual(asked.cancel_url, `${service.running.url}${path}?left=${order!.id}`)
    const unknown = await send({ micros: "9", provider: "paypal" })
    assert.deepStrictEqual([unknown.status, (await service.listed())[0]!.id], [422, order!.id])
  })
})

describe("the order in the page's address", () => {
  it("of another account is as one that never was", async () => {
    const id = await begin()
    const shown = async (query: string) =>
      (await open(query, other)).html.replace(/(value|data-live-at)="[^"]*"|As of \d\d:\d\d UTC/g, "")
    const asked = service.host.requests.length
    for (const name of ["order", "left"]) {
      const [theirs, none, plain] = [
        await shown(`?${name}=${id}`),
        await shown(`?${name}=txn_01J00000000000000000000000`),
        await shown(""),
      ]
      assert.strictEqual(theirs, none)
      assert.strictEqual(theirs, plain)
      for (const odd of ["", "x".repeat(500), "%00", "'--"]) assert.strictEqual(await shown(`?${name}=${odd}`), plain)
    }
    assert.strictEqual(service.host.requests.length, asked)
  })

  it("is credited by the look on return, when no message came", async () => {
    service.host.switch({ deliver: false })
    const id = await begin("20")
    assert.match(notice(await open(`?order=${id}`)), /^The provider has not confirmed the payment of 20.00 USD yet/)
    service.host.act("pay", id)
    for (let n = 0; n < 3; n++) {
      const page = await open(`?order=${id}`)
      assert.match(notice(page), /^20.00 USD added\. See txn_\w+ in the journal\.$/)
    }
    assert.lengthOf(
      (await service.journal()).filter((line) => line.id === id),
      1,
    )
  })

  it("says that nothing was paid, and goes on, until the page has expired", async () => {
    const id = await begin("5")
    assert.include(notice(await open(`?left=${id}`)), "The payment page is still open: Pay 5.00 USD")
    service.host.switch({ deliver: false })
    service.host.act("expire", id)
    const page = await open(`?left=${id}`)
    assert.include(notice(page), "Expired or failed; nothing was paid.")
    assert.strictEqual((await service.listed())[0]!.state, "ended")
  })

  it("waits for a slow payment, and has no second way to pay it meanwhile", async () => {
    service.host.switch({ deliver: false })
    const id = await begin("6")
    service.host.act("later", id)
    const page = await open(`?order=${id}`)
    assert.include(notice(page), "Some ways to pay take days.")
    assert.notMatch(page.html, new RegExp(`/c/pay/${service.host.standings()[id]!.session}`))
    service.host.act("fail", id)
    assert.include(notice(await open(`?order=${id}`)), "Expired or failed; nothing was paid.")
  })

  it("says what was refunded", async () => {
    service.host.switch({ deliver: false })
    const id = await begin("8")
    service.host.act("pay", id)
    await open(`?order=${id}`)
    service.host.act("refund", id, 300)
    await service.parsed("orders reconcile --all")
    const page = await open(`?order=${id}`)
    assert.match(notice(page), /^8.00 USD added, and 3.00 USD taken back/)
    assert.include(page.html, "3.00 USD refunded")
  })

  it("is shown as it was known when the provider does not answer, within seconds", async () => {
    const id = await begin("4")
    for (const api of ["down", "hanging"] as const) {
      service.host.switch({ api })
      for (const name of ["order", "left"]) {
        const begun = performance.now()
        const page = await open(`?${name}=${id}`)
        assert.strictEqual(page.status, 200)
        assert.include(notice(page), "The provider does not answer at the moment.")
        assert.isBelow(performance.now() - begun, 7_000)
      }
    }
  })
})

describe("what a page of payments says", () => {
  it("is the account's balance, which agrees with the journal", async () => {
    await service.running.run(Effect.flatMap(Accounts, (all) => all.credit("tester", MicroUsd(1))))
    const sum = (await service.journal()).reduce((all, { micros }) => all + micros, 0)
    assert.include((await open()).html, `Balance of tester</span> <strong>${sum / 1e6} USD</strong>`)
    assert.strictEqual(await service.running.balance(), sum)
  })

  it("is neither key nor secret, in no page and no line of the log", () => {
    const said = [...pages, ...log].join("\n")
    assert.isAbove(log.length, 0)
    for (const text of [service.host.key, secret, "sk_test", "whsec_"]) assert.notInclude(said, text)
  })
})

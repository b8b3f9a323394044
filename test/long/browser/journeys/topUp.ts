import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { topUpPath } from "../../../../core/account/Quote.ts"
import { aSecond } from "../../../support/clock.ts"
import type { Listed, TakingPayments } from "../../../support/stripe/running.ts"
import type { Entered } from "../support/entering.ts"
import { micros, rowsOf, sum } from "./sums.ts"

const call = "/v1/weather/signal?station=KNYC"

/** What the browser says of the journeys: a refused form and a provider that does not answer have a status of their own. */
export const mistakes = /status of (422|503)/

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
/** Its words have the amount. */
const payButton = (page: Page) => page.getByRole("button", { name: /^Pay( |$)/ })
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true })
/** What the page says of the order; above it may be that the account is suspended. */
const told = async (page: Page): Promise<string> => (await page.getByRole("status").last().textContent()) ?? ""

/** The journeys of somebody who pays, in the browser and at the provider. */
export const topUps = ({ host, listed, journal, parsed }: TakingPayments) => {
  /** Begins a payment by the form, or by a link of an amount, and stands on the provider's page. */
  const begin = async ({ page, hands, running }: Entered, usd: string, isPicked = false): Promise<Listed> => {
    await page.goto(running.url + topUpPath)
    if (!isPicked) await hands.fill(page.getByLabel("Amount (USD)"), usd)
    else await hands.go(link(page, `${usd} USD`))
    await hands.go(payButton(page))
    assert.strictEqual(new URL(page.url()).origin, host.url)
    assert.strictEqual(await page.locator("h1").textContent(), `Pay ${Number(usd).toFixed(2)} USD`)
    const [order] = await listed()
    assert.deepInclude(order, { state: "open", micros: Number(usd) * 1e6, credited_micros: 0 })
    return order!
  }

  /** Presses a button of the provider's page, and is back here. */
  const back = async ({ page, hands, running }: Entered, name: string): Promise<void> => {
    await hands.go(button(page, name))
    assert.strictEqual(new URL(page.url()).origin, running.url)
  }

  /** An order is credited once, with the amount that the provider has. */
  const isPaid = async (id: string): Promise<Listed> => {
    const order = (await listed()).find((each) => each.id === id)!
    assert.deepInclude(order, { state: "paid", credited_micros: order.micros, taken_back_micros: 0 })
    assert.lengthOf(
      (await journal()).filter((line) => line.id === id),
      1,
    )
    assert.deepInclude(host.standings()[id], { paid: order.micros / 10_000, refunded: 0, disputed: 0 })
    return order
  }

  /** From a refused call to the same call answered: the first payment of an account. */
  const first = async (visit: Entered): Promise<void> => {
    const { page, hands, running } = visit
    const refused = await running.get(call)
    assert.strictEqual(refused.status, 402)
    const { topup_url: place } = refused.json.error.quote
    assert.strictEqual(place, running.url + topUpPath)
    await page.goto(place)
    assert.strictEqual(await page.getByLabel("Amount (USD)").inputValue(), "20")
    const { id } = await begin(visit, "20", true)
    await back(visit, "Pay")
    assert.match(await told(page), /^20\.00 USD added\./)
    assert.include(await told(page), id)
    const { reference } = await isPaid(id)
    assert.isTrue(host.events.some(({ data }) => (data.object as { id: string }).id === reference))
    assert.strictEqual((await running.get(call)).status, 200)
    await hands.go(page.getByRole("main").getByRole("link", { name: "journal" }).first())
    const rows = await rowsOf(page, hands, "Credits and reversals", "Older lines")
    const row = rows.find((cells) => cells.includes(id))!
    assert.deepStrictEqual([row[1], row.at(-2)], ["+20.00 USD", `Credit, stripe ${reference}`])
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      hands.press(link(page, "Export all lines (CSV)")),
    ])
    const chunks: Array<Buffer> = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const [head, ...lines] = Buffer.concat(chunks)
      .toString()
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","))
    const own = lines.find((cells) => cells.includes(id))!
    const cell = (name: string) => own[head!.indexOf(name)]
    assert.deepStrictEqual(
      [cell("kind"), cell("micros"), cell("provider"), cell("receipt")],
      ["credit", "20000000", "stripe", reference],
    )
    // The page, the file, the command line and the store have one sum, which the wallet is.
    const balance = await running.balance()
    await hands.go(link(page, "All days"))
    const days = await rowsOf(page, hands, "Days of the wallet", "Older days")
    assert.strictEqual(sum(days.map((cells) => micros(cells[2]!))), balance)
    assert.strictEqual(sum(lines.map((cells) => Number(cells[head!.indexOf("micros")]))), balance)
    const credited = sum((await journal()).filter(({ provider }) => provider !== undefined).map((line) => line.micros))
    assert.strictEqual(sum((await listed()).map((order) => order.credited_micros)), credited)
    assert.strictEqual(sum(Object.values(host.standings()).map(({ paid }) => paid)) * 10_000, credited)
  }

  /** Leaves the provider's page, and goes on to pay by the link. */
  const cancelled = async (visit: Entered): Promise<void> => {
    const { page, hands, running } = visit
    const { id } = await begin(visit, "5")
    await hands.go(link(page, "Back"))
    assert.strictEqual(page.url(), `${running.url}${topUpPath}?left=${id}`)
    assert.match(await told(page), /^5\.00 USD not paid\./)
    assert.strictEqual((await listed())[0]!.state, "open")
    await hands.go(page.getByRole("status").getByRole("link", { name: "Pay 5.00 USD" }))
    await back(visit, "Pay")
    assert.match(await told(page), /^5\.00 USD added\./)
    await isPaid(id)
  }

  /** The card is declined, and another one is not. */
  const declined = async (visit: Entered): Promise<void> => {
    const { page, hands } = visit
    const { id } = await begin(visit, "2")
    await hands.go(button(page, "Fail"))
    assert.strictEqual(await told(page), "Your card was declined.")
    await host.idle()
    assert.deepInclude((await listed())[0], { id, state: "open", credited_micros: 0 })
    await back(visit, "Pay")
    assert.match(await told(page), /^2\.00 USD added\./)
    await isPaid(id)
  }

  /** A payment that takes days. */
  const delayed = async (visit: Entered): Promise<void> => {
    const { page, hands } = visit
    const { id } = await begin(visit, "3")
    await back(visit, "Pay later")
    assert.match(await told(page), /^The provider has not confirmed the payment of 3\.00 USD yet\./)
    await host.idle()
    assert.deepInclude((await listed())[0], { id, state: "open", credited_micros: 0 })
    host.act("settle", id)
    await host.idle()
    await isPaid(id)
    await hands.go(page.getByRole("status").getByRole("link", { name: "Check again" }))
    assert.match(await told(page), /^3\.00 USD added\./)
  }

  /** The provider's message comes long after the browser, or never. */
  const lost = async (visit: Entered): Promise<void> => {
    const { page } = visit
    host.switch({ deliver: false })
    try {
      const { id } = await begin(visit, "4")
      await back(visit, "Pay")
      assert.match(await told(page), /^4\.00 USD added\./)
      await isPaid(id)
      const other = await begin(visit, "4.5")
      // The window is closed; the payment is made in the application of a bank.
      await page.goto("about:blank")
      host.act("pay", other.id)
      assert.deepInclude((await listed())[0], { id: other.id, state: "open", credited_micros: 0 })
      const { creditedMicros: _, ...found } = await parsed("orders reconcile")
      assert.deepInclude(found, { credited_micros: 4_500_000, mismatched: [], unanswered: [] })
      await isPaid(other.id)
      host.calm()
      host.release()
      await host.idle()
      await isPaid(id)
      await isPaid(other.id)
    } finally {
      host.calm()
    }
  }

  /** Impatient hands make one order, and find the way on to pay it. */
  const twice = async (visit: Entered): Promise<void> => {
    const { page, hands, running } = visit
    const before = (await listed()).length
    await page.goto(running.url + topUpPath)
    await hands.fill(page.getByLabel("Amount (USD)"), "6")
    await hands.goTwice(payButton(page))
    if (new URL(page.url()).origin !== host.url) {
      assert.strictEqual(await page.locator("h1").textContent(), "This form was already sent")
      await hands.go(link(page, "Continue to payment"))
      await hands.go(page.getByRole("status").getByRole("link", { name: "Pay 6.00 USD" }))
    }
    const [{ id } = { id: "" }, ...rest] = await listed()
    assert.lengthOf(rest, before)
    await back(visit, "Pay")
    assert.match(await told(page), /^6\.00 USD added\./)
    await isPaid(id)
  }

  /** What is no amount is refused at its field; where the provider does not answer, nothing is begun. */
  const refused = async (visit: Entered): Promise<void> => {
    const { page, hands, running } = visit
    const before = await listed()
    const field = page.getByLabel("Amount (USD)")
    await page.goto(running.url + topUpPath)
    for (const [text, why] of [
      ["0.5", "1 to 10,000 USD"],
      ["10001", "1 to 10,000 USD"],
      ["20,00", "1 to 10,000 USD"],
      ["20.005", "in whole cents"],
    ] as const) {
      await hands.fill(field, text)
      await hands.go(payButton(page))
      assert.strictEqual(await field.inputValue(), text)
      assert.strictEqual(await field.getAttribute("aria-invalid"), "true")
      assert.include(await page.locator("#begin-micros-error").textContent(), why)
    }
    host.switch({ api: "down" })
    try {
      await hands.fill(field, "33.25")
      await hands.go(payButton(page))
      assert.include(await page.getByRole("alert").textContent(), "does not answer")
      assert.strictEqual(await field.inputValue(), "33.25")
      assert.deepStrictEqual(await listed(), before)
    } finally {
      host.calm()
    }
    await hands.go(payButton(page))
    assert.strictEqual(await page.locator("h1").textContent(), "Pay 33.25 USD")
    assert.lengthOf(await listed(), before.length + 1)
  }

  return { first, cancelled, declined, delayed, lost, twice, refused }
}

/** A refund and a dispute of an account that has spent some of the money: what is missing suspends it. */
export const returned = async (
  { page, hands, running }: Entered,
  { host, listed, journal }: TakingPayments,
  name: string,
  token: string,
): Promise<void> => {
  await page.goto(running.url + topUpPath)
  await hands.fill(page.getByLabel("Amount (USD)"), "10")
  await hands.go(payButton(page))
  await hands.go(button(page, "Pay"))
  const [{ id } = { id: "" }] = await listed(name)
  assert.strictEqual((await running.get(call, token)).status, 200)
  host.act("refund", id, 300)
  await host.idle()
  await page.goto(running.url + topUpPath)
  const state = async () => (await page.locator("table tbody tr").first().textContent()) ?? ""
  assert.include(await state(), "3.00 USD refunded")
  assert.strictEqual(await page.getByText("This account is suspended").isVisible(), false)
  host.act("dispute", id)
  await host.idle()
  await hands.go(page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Wallet" }))
  await page.getByText("This account is suspended").waitFor()
  const days = await rowsOf(page, hands, "Days of the wallet", "Older days")
  assert.strictEqual(sum(days.map((cells) => micros(cells[2]!))), 0)
  await hands.go(page.getByRole("link", { name: "Credits and receipts" }))
  const rows = await rowsOf(page, hands, "Credits and reversals", "Older lines")
  const reversals = rows.filter((cells) => cells.at(-2) === `Reversal of ${id}`).map((cells) => cells[1])
  assert.deepStrictEqual(reversals, ["−6.99 USD", "−3.00 USD"])
  assert.strictEqual(sum((await journal(name)).map((line) => line.micros)), 0)
  assert.deepInclude((await listed(name))[0], {
    state: "returned",
    credited_micros: 10_000_000,
    taken_back_micros: 9_990_000,
  })
  assert.deepInclude(host.standings()[id], { paid: 1_000, refunded: 300, disputed: 700 })
  await page.goto(`${running.url}${topUpPath}?order=${id}`)
  assert.match(await told(page), /^10\.00 USD added, and 9\.99 USD taken back/)
  assert.include(await state(), "9.99 USD refunded")
  // A suspension counts within a second.
  await aSecond()
  assert.strictEqual((await running.get(call, token)).status, 403)
}

/** A viewer sees the payments and has no form; another account sees nothing of an order that its address names. */
export const onlooker = async (
  { page, running }: Entered,
  { listed, host }: TakingPayments,
  isOfAccount: boolean,
): Promise<void> => {
  const [order] = await listed()
  const asked = host.requests.length
  await page.goto(`${running.url}${topUpPath}?order=${order!.id}`)
  assert.strictEqual((await page.getByTitle(order!.id).count()) > 0, isOfAccount)
  if (isOfAccount) {
    assert.strictEqual(await payButton(page).count(), 0)
    await page.getByText("Only owners can begin a payment into a wallet").waitFor()
  } else {
    assert.strictEqual(await page.getByRole("status").count(), 0)
    assert.strictEqual(host.requests.length, asked)
  }
}

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { usd } from "../../../../../core/account/Money.ts"
import { ChangeLog } from "../../../../../core/people/Change.ts"
import { type Running, start } from "../../../../support/running.ts"
import { hidden, otherAccount, signIn, type Visitor } from "../visitor.ts"

const path = "/dashboard/wallet"

let running: Running
let owner: Visitor
let operator: Visitor
let other: string

beforeAll(async () => {
  running = await start()
  other = (await otherAccount(running, "other")).id
  owner = await signIn(running, { account: "tester" })
  operator = await signIn(running, { operator: true, name: "op" })
}, 120_000)
afterAll(() => running.stop())

const low = (account: string) => running.run(Effect.flatMap(Accounts, (accounts) => accounts.lowBalance(account)))

const newest = () =>
  running.run(Effect.flatMap(ChangeLog, ({ page }) => Effect.map(page({ limit: 1 }), ([line]) => line)))

const set = (who: Visitor, text: string) => who.send(path, "threshold", { threshold_micros: text })

describe("the threshold of the wallet's page", () => {
  it("is set in dollars, shown, changed and removed by an owner", async () => {
    assert.include((await owner.get(path)).html, "No threshold is set.")
    for (const [text, micros] of [
      ["5", 5_000_000],
      [" 0.000001 ", 1],
      ["12.5", 12_500_000],
    ] as const) {
      const { status, headers } = await set(owner, text)
      assert.deepStrictEqual([status, headers.get("location")], [303, path])
      assert.strictEqual(Number(await low("tester")), micros)
      const { html } = await owner.get(path)
      assert.include(html, `When the balance falls below <strong>${usd(micros)}</strong>`)
    }
    const { id } = await running.run(Effect.flatMap(Accounts, (accounts) => accounts.get("tester")))
    assert.deepInclude(await newest(), { verb: "wallet_threshold", subject: id, accountId: id })
    assert.strictEqual((await set(owner, "")).status, 303)
    assert.isUndefined(await low("tester"))
    assert.include((await owner.get(path)).html, "No threshold is set.")
  })

  it.each(["0", "-1", "0.0000001", "1e3", "five", "1,5", '"><script>alert(1)</script>'])(
    "is not %s: the form is shown again, with what was typed",
    async (text) => {
      const { status, html } = await set(owner, text)
      assert.strictEqual(status, 422)
      assert.isUndefined(await low("tester"))
      assert.include(html, 'id="threshold-threshold_micros-error"')
      assert.notInclude(html, "<script>alert(1)")
      if (!text.includes("<")) assert.include(html, `value="${text}"`)
    },
  )

  it("is set by an operator for the account that is shown", async () => {
    await set(owner, "3")
    assert.strictEqual((await operator.send(`/dashboard/operator/accounts/${other}`, "show")).status, 303)
    assert.strictEqual((await set(operator, "4")).status, 303)
    assert.deepStrictEqual([await low("other"), await low("tester")], [4_000_000, 3_000_000])
    assert.strictEqual((await set(operator, "")).status, 303)
  })

  it("is of the own account, whatever the form names", async () => {
    const values = hidden((await owner.get(path)).html, "threshold")
    values.set("threshold_micros", "7")
    values.set("account", "other")
    await owner.post(path, values)
    assert.isUndefined(await low("other"))
    assert.strictEqual(await low("tester"), 7_000_000)
  })
})

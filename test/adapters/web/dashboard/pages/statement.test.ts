// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"
import { sum } from "../../../../support/accounts.ts"
import { start } from "../../../../support/running.ts"
import { signIn, type Visitor } from "../visitor.ts"
import { balance, charges, csv, micros, owner, rowsOf, running, startTraffic, turn, written } from "./traffic.ts"

startTraffic()

describe("the wallet", () => {
  /** The rows of its days over all pages: day, line, amount, balance. */
  const daysOf = async (visitor: Visitor) => {
    const rows: Array<ReadonlyArray<string>> = []
    for (let path: string | undefined = "/dashboard/wallet"; path !== undefined; ) {
      const { html } = await visitor.get(path)
      rows.push(...rowsOf(html, "Days of the wallet"))
      path = /<a href="([^"]*)">Older days/.exec(html)?.[1]
    }
    return rows
  }
  const amountIn = (text: string | undefined) => micros(text!.replace(/ USD|,/g, ""))

  it("has days that add up to the balance, and say it at the end of each", async () => {
    const rows = await daysOf(owner)
    const today = written.filter(({ at }) => at >= turn)
    const before = written.filter(({ at }) => at < turn)
    assert.deepStrictEqual(
      rows.map(([, line, amount]) => [amountIn(amount), line]),
      [
        [0 - charges(today), `${today.length} live calls`],
        [balance, "1 credit"],
        [0 - charges(before), `${before.length} live calls`],
      ],
    )
    assert.strictEqual(sum(rows.map(([, , amount]) => amountIn(amount))), await running.balance())
    assert.strictEqual(amountIn(rows[0]![3]), await running.balance())
    // A day unfolds into its endpoints.
    for (const name of ["weather_settlement", "crypto_signal"]) {
      const own = today.filter(({ endpoint }) => endpoint === name)
      const [, calls, spend] = new RegExp(`${name}: (\\d+) calls, ([\\d.]+) USD`).exec(rows[0]![0]!)!
      assert.deepStrictEqual([Number(calls), micros(spend!)], [own.length, charges(own)])
    }
    const credits = rowsOf((await owner.get("/dashboard/wallet?lines=transactions")).html, "Credits and reversals")
    assert.deepStrictEqual(
      credits.map(([, amount, line]) => [amount, line]),
      [["+50.00 USD", "Credit"]],
    )
    assert.strictEqual(
      sum((await csv("/dashboard/wallet.csv")).map((row) => Number(row["micros"]))),
      await running.balance(),
    )
  })

  it("has a statement for each month, which follow from each other and end with the balance", async () => {
    // A credit of which a part was taken back.
    await running.run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        yield* accounts.credit("tester", MicroUsd(3_000_000))
        const [credit] = yield* accounts.journal("tester", 1, undefined, "transactions")
        yield* accounts.reverse("tester", credit!.id, MicroUsd(1_250_000))
      }),
    )
    const journal = await csv("/dashboard/wallet.csv")
    let opening = 0
    for (const month of ["2026-09", "2026-10", "2026-11"]) {
      const rows = await csv(`/dashboard/wallet/statement.csv?month=${month}`)
      const [first, last] = [rows[0]!, rows.at(-1)!]
      assert.deepStrictEqual([first["line"], last["line"]], ["opening", "closing"])
      assert.strictEqual(Number(first["balance_micros"]), opening)
      let running = opening
      for (const row of rows) {
        running += Number(row["amount_micros"])
        assert.strictEqual(Number(row["balance_micros"]), running)
      }
      for (const kind of ["credit", "reversal", "charge"]) {
        const lines = journal.filter((line) => line["kind"] === kind && line["at"]!.startsWith(month))
        const own = rows.filter(({ line }) => line === (kind === "charge" ? "charges" : kind))
        assert.strictEqual(
          sum(own.map((row) => Number(row["amount_micros"]))),
          sum(lines.map((line) => Number(line["micros"]))),
          `${kind} of ${month}`,
        )
      }
      // The page says the same.
      const { html, status } = await owner.get(`/dashboard/wallet/statement?month=${month}`)
      assert.strictEqual(status, 200)
      const shown = rowsOf(html, "Statement of").map(([, , , after]) => amountIn(after))
      assert.deepStrictEqual(
        shown,
        rows.slice(0, -1).map((row) => Number(row["balance_micros"])),
      )
      opening = running
    }
    assert.strictEqual(opening, await running.balance())
    const days = await daysOf(owner)
    assert.strictEqual(sum(days.map(([, , amount]) => amountIn(amount))), opening)
    assert.isTrue(days.some(([, line, amount]) => amountIn(amount) === -1_250_000 && line === "1 reversal"))
  })

  it("says how it is credited, and whom to ask where that is known", async () => {
    const { html } = await owner.get("/dashboard/top-up")
    assert.include(html, "The operator of this service credits the account")
    assert.notInclude(html, "Ask")
    const asked = await start({ securityContact: (await import("effect/Option")).some("mailto:ops@example.com") })
    const visitor = await signIn(asked, { account: "tester" })
    assert.include(
      (await visitor.get("/dashboard/top-up")).html,
      '<a href="mailto:ops@example.com">ops@example.com</a>',
    )
    await asked.stop()
  })
})

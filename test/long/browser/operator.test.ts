import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../core/account/Accounts.ts"
import { otherAccount } from "../../adapters/web/dashboard/visitor.ts"
import { aSecond } from "../../support/clock.ts"
import { jobOf, operationOf } from "../../support/operation.ts"
import { type Running, start } from "../../support/running.ts"
import { entering } from "./support/entering.ts"
import { findings } from "./support/findings.ts"

let running: Running
beforeAll(async () => {
  const jobs = [jobOf("retention", Effect.succeed("deleted 7 replies"))]
  running = await start({}, { operation: await Effect.runPromise(operationOf(jobs)) })
}, 120_000)
afterAll(() => running.stop())

const { enter, as } = entering(() => running)

const paid = "/v1/weather/signal?station=KNYC"

/** Refused forms answer 422, which the console calls an error. */
const refusals = /status of (404|422)/

describe("an operator", () => {
  it(
    "credits an account, suspends it within a second, resumes it and runs a job; an owner has no such page",
    { timeout: 60_000 },
    () =>
      as(
        "suspend",
        { operator: true, name: "op" },
        async ({ page }) => {
          const root = `${running.url}/dashboard/operator`
          const client = await otherAccount(running, "client")
          const status = async () => (await running.get(paid, client.token)).status
          const balance = () =>
            running.run(
              Effect.flatMap(Accounts, (all) => Effect.map(all.balance(client.id), ({ balance }) => Number(balance))),
            )
          const suspend = page.getByRole("button", { name: "Suspend client" })
          const resume = page.getByRole("button", { name: "Resume client" })

          await page.goto(`${root}?q=client`)
          await page.getByRole("link", { name: "client", exact: true }).click()
          await page.getByRole("heading", { name: "client" }).waitFor()
          const itself = page.url()
          assert.strictEqual(await status(), 402)
          await page.getByLabel("Amount (USD)").first().fill("1")
          await page.getByRole("button", { name: "Continue" }).first().click()
          await page.getByText("Credit client 1.00 USD, new balance 1.00 USD").waitFor()
          const screen = await page.context().newCDPSession(page)
          assert.deepStrictEqual(await findings(page, screen), [], "the second step")
          await page.getByRole("button", { name: "Credit 1.00 USD" }).click()
          await page.waitForURL(itself)
          assert.deepStrictEqual([await status(), await balance()], [200, 990_000])
          await page.getByRole("button", { name: "Show the dashboard of client" }).click()
          await page.getByRole("heading", { name: "Overview" }).waitFor()

          await page.goto(itself)
          await page.getByRole("link", { name: "Suspend client" }).click()
          await page.getByRole("link", { name: "Cancel" }).click()
          assert.strictEqual(await status(), 200)
          await page.getByRole("link", { name: "Suspend client" }).click()
          await suspend.click()
          await resume.waitFor()
          await aSecond()
          const { json } = await running.get(paid, client.token)
          assert.deepStrictEqual([json.error.code, json.error.recoverable], ["account_suspended", true])
          const left = await balance()
          assert.strictEqual(await status(), 403)
          assert.strictEqual(await balance(), left)
          for (const path of ["/dashboard", "/dashboard/operator", new URL(itself).pathname]) {
            await page.goto(running.url + path)
            assert.include(await page.locator("main").textContent(), "This account is suspended since")
            assert.deepStrictEqual(await findings(page, screen), [], path)
          }

          await page.goto(itself)
          await resume.click()
          await page.getByRole("link", { name: "Suspend client" }).waitFor()
          await aSecond()
          assert.strictEqual(await status(), 200)
          assert.strictEqual(await balance(), left - 10_000)

          await page.goto(`${root}/service`)
          await page.getByRole("button", { name: "Run retention" }).click()
          await page.waitForURL(/job=retention/)
          await page.getByText("deleted 7 replies").first().waitFor()

          await page.context().clearCookies()
          await enter(page, { account: client.id, name: "olga" })
          for (const part of ["", "/service", "/changes"]) {
            assert.strictEqual((await page.goto(root + part))?.status(), 404, part)
          }
          assert.strictEqual((await page.goto(itself))?.status(), 404)
        },
        refusals,
      ),
  )
})

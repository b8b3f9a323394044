import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { topUpPath } from "../../../core/account/Quote.ts"
import { otherAccount } from "../../adapters/web/dashboard/visitor.ts"
import { type TakingPayments, takingPayments } from "../../support/stripe/running.ts"
import { statesOf } from "../../support/stripe/states.ts"
import { mistakes, onlooker, returned, topUps } from "./journeys/topUp.ts"
import { type Entered, entering } from "./support/entering.ts"
import { findings } from "./support/findings.ts"
import { byKeyboard, byMouse, withoutScript } from "./support/hands.ts"

const owner = { account: "tester" }

const ways = [
  ["by the mouse", byMouse],
  ["by the keyboard alone", byKeyboard],
  ["without script", withoutScript],
] as const

describe.each(ways)("an owner who pays by card, %s", (name, way) => {
  let service: TakingPayments
  const { as } = entering(() => service.running, way)
  const journey = (choose: (of: ReturnType<typeof topUps>) => (visit: Entered) => Promise<void>) =>
    as(`top up ${name}`, owner, (visit) => choose(topUps(service))(visit), mistakes)

  beforeAll(async () => {
    service = await takingPayments()
  }, 120_000)
  afterAll(() => service.stop())

  it("comes from a refused call and goes with the same call answered: all books agree to the micro", () =>
    journey(({ first }) => first))

  it("leaves the provider's page and goes on to pay", () => journey(({ cancelled }) => cancelled))

  it("is declined and tries again", () => journey(({ declined }) => declined))

  it("waits for a slow payment, and is credited when it arrives", () => journey(({ delayed }) => delayed))

  it("is credited by the look on return or by a reconciliation, when no message comes", () =>
    journey(({ lost }) => lost))

  it("makes one order by two presses", () => journey(({ twice }) => twice))

  it("is told at the field what is no amount, and that the provider does not answer", () =>
    journey(({ refused }) => refused))

  it("sees what was refunded and disputed, and that the account is suspended for what is missing", async () => {
    const { token } = await otherAccount(service.running, "spender")
    await as(`returned ${name}`, { account: "spender" }, (visit) => returned(visit, service, "spender", token))
  })

  it("is no viewer, and not of another account", async () => {
    await otherAccount(service.running, "stranger")
    const viewer = { ...owner, name: "vic", role: "viewer" } as const
    await as(`viewer ${name}`, viewer, (visit) => onlooker(visit, service, true))
    await as(`stranger ${name}`, { account: "stranger" }, (visit) => onlooker(visit, service, false))
  })
})

describe("the page to top up, in every state", () => {
  it("fits every window and can be read by everybody", { timeout: 300_000 }, async () => {
    const service = await takingPayments()
    try {
      const states = await statesOf(service)
      const { as } = entering(() => service.running)
      const found: Array<string> = []
      const look = async ({ page, hands }: Entered) => {
        const { url } = service.running
        const screen = await page.context().newCDPSession(page)
        const note = async (name: string) => {
          for (const finding of await findings(page, screen)) found.push(`${name}, ${finding}`)
        }
        for (const [name, path] of [...Object.entries(states), ["wallet", "/dashboard/wallet"]] as const) {
          assert.strictEqual((await page.goto(url + path))?.status(), 200)
          if (name !== "wallet") assert.isTrue(await page.getByRole("status").isVisible(), name)
          await note(name)
        }
        await page.goto(url + topUpPath)
        await hands.fill(page.getByLabel("Amount (USD)"), "0.5")
        await hands.go(page.getByRole("button", { name: /^Pay( |$)/ }))
        await note("refused")
        service.host.switch({ api: "down" })
        await hands.fill(page.getByLabel("Amount (USD)"), "5")
        await hands.go(page.getByRole("button", { name: /^Pay( |$)/ }))
        await page.getByRole("alert").waitFor()
        await note("provider down")
        await page.goto(url + states.left)
        await page.getByText("The provider does not answer").waitFor()
        await note("not known")
      }
      await as("top-up states", owner, look, mistakes)
      assert.deepStrictEqual([...new Set(found)], [])
    } finally {
      await service.stop()
    }
  })
})

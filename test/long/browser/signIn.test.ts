import { readFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Page } from "playwright-core"
import { parseTrustedProxies, type Trusts } from "../../../adapters/server/http/clientAddress.ts"
import { linkOf } from "../../adapters/web/dashboard/visitor.ts"
import * as processes from "../../support/processes.ts"
import { type Running, start } from "../../support/running.ts"
import { type IdentityProvider, identityProvider, keyPair } from "../support/identityProvider.ts"
import { visit } from "./support/page.ts"

let running: Running
let identities: IdentityProvider

beforeAll(async () => {
  identities = await identityProvider()
  const trusts = parseTrustedProxies(["127.0.0.1"])
  running = await start({
    signIn: { provider: Option.some(identities.settings), isOpen: false },
    network: { trusts: trusts as Trusts, maxConnections: 10_000, maxPerAddress: 256 },
  })
  identities.serve(running.url)
}, 120_000)
afterAll(async () => {
  await running.stop()
  identities.stop()
})

let addresses = 0

/** A browser at an address of its own, since one begins ten sign-ins in a minute. */
const elsewhere = () => ({ extraHTTPHeaders: { "x-forwarded-for": `198.51.100.${++addresses}` } })

/** Refusals are answers with a status of their own. */
const refusals = /status of (400|404|422|503)/

const heading = (page: Page) => page.locator("h1").textContent()

const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** The names of the cookies that sign somebody in. */
const sessions = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name.startsWith("session-")).map(({ name }) => name)

const button = (page: Page) => page.getByRole("link", { name: /^Sign in with/ })

/** Comes with an invitation, as somebody of the provider does the first time. */
const join = async (page: Page, name: string): Promise<void> => {
  identities.subject = name
  await page.goto(`${running.url}/dashboard/enter`)
  await page.getByText("I have an invitation").click()
  await page.getByLabel("Invitation link").fill(await linkOf(running, { account: "tester", name }))
  await page.getByRole("button", { name: /^Continue to/ }).click()
  await button(page).click()
  await page.waitForURL(`${running.url}/dashboard`)
}

describe("a sign-in at the identity provider", () => {
  it("joins with an invitation, comes back to the page that was asked for, and to no other place", () =>
    visit("oidc", elsewhere(), async ({ page }) => {
      await join(page, "ann")
      assert.strictEqual(await heading(page), "Overview")
      assert.include(await page.locator(".account").textContent(), "Name of ann, owner")
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.waitForURL(/enter/)
      assert.deepStrictEqual(await sessions(page), [])
      await page.goto(`${running.url}/dashboard/calls?status=failed`)
      await button(page).click()
      await page.waitForURL(/calls/)
      assert.strictEqual(pathOf(page), "/dashboard/calls?status=failed")
      assert.lengthOf(await sessions(page), 1)
      for (const to of ["https://evil.example/", "//evil.example", "/docs"]) {
        // No page is left that would ask for its stream without a session.
        await page.goto("about:blank")
        await page.context().clearCookies()
        await page.goto(`${running.url}/dashboard/enter?return_to=${encodeURIComponent(to)}`)
        await button(page).click()
        await page.waitForURL(`${running.url}/dashboard`)
      }
      await page.goto(`${running.url}/dashboard/changes`)
      for (const text of ["people join", "sign in"]) assert.isAbove(await page.getByText(text).count(), 0, text)
    }))

  it("says that a form was not sent whose session had ended, and comes back to its page", () =>
    visit(
      "oidc form",
      elsewhere(),
      async ({ page }) => {
        await join(page, "kay")
        await page.goto(`${running.url}/dashboard/agents/new`)
        await page.getByLabel("Name").fill("typed in vain")
        await page.context().clearCookies({ name: /^session/ })
        await page.getByRole("button", { name: "Create agent" }).click()
        await page.getByText("Your session has ended, and your form was not sent.").waitFor()
        await button(page).click()
        await page.waitForURL(/agents\/new$/)
        assert.strictEqual(await page.getByLabel("Name").inputValue(), "")
      },
      /status of 40\d|ERR_/,
    ))

  it("of an operator who ceases to be one ends the other browser's session", () =>
    visit(
      "demoted",
      elsewhere(),
      async ({ page }) => {
        identities.subject = "root"
        await page.goto(`${running.url}/dashboard/operator`)
        await button(page).click()
        await page.waitForURL(/operator/)
        assert.strictEqual(await heading(page), "Operator")
        const second = await page.context().browser()!.newContext()
        try {
          identities.operators.delete("root")
          const other = await second.newPage()
          await other.goto(`${running.url}/dashboard/enter`)
          await button(other).click()
          await other.getByText("You are not a member of an account").waitFor()
          assert.deepStrictEqual(await sessions(other), [])
        } finally {
          identities.operators.add("root")
          await second.close()
        }
        await page.goto(`${running.url}/dashboard/operator`)
        assert.strictEqual(new URL(page.url()).pathname, "/dashboard/enter")
      },
      refusals,
    ))
})

describe("a wrong answer of the provider begins no session:", () => {
  const own = keyPair()

  /** Signs in while the provider does something wrong; the page says so and there is no session. */
  const refused = (name: string, wrong: () => void | Promise<void>, again?: (page: Page) => Promise<void>) =>
    it(name, () =>
      visit(
        `wrong ${name}`,
        elsewhere(),
        async ({ page }) => {
          identities.subject = "ann"
          await page.goto(`${running.url}/dashboard/keys`)
          try {
            await wrong()
            await button(page).click()
            await page.waitForURL(/oidc\/callback|dashboard\/keys/)
            if (again !== undefined) await again(page)
            assert.include(page.url(), "/dashboard/oidc/callback")
            assert.strictEqual(await heading(page), "That did not work")
            assert.deepStrictEqual(await sessions(page), [])
            await page.goto(`${running.url}/dashboard/keys`)
            assert.strictEqual(new URL(page.url()).pathname, "/dashboard/enter")
          } finally {
            identities.back = undefined
            identities.asked = undefined
            identities.forged = undefined
          }
        },
        refusals,
      ),
    )

  const back = (change: (to: URL) => void) => () => {
    identities.back = change
  }
  const asking = (name: string) => () => {
    identities.asked = (url) => url.searchParams.set(name, "x".repeat(43))
  }
  const forging = (claims: Readonly<Record<string, unknown>>) => () => {
    let nonce = ""
    identities.asked = (url) => {
      nonce = url.searchParams.get("nonce")!
      identities.forged = identities.token(own, { nonce, ...claims })
    }
  }

  refused(
    "another state",
    back((to) => to.searchParams.set("state", "x")),
  )
  refused(
    "no state",
    back((to) => to.searchParams.delete("state")),
  )
  refused(
    "a foreign issuer",
    back((to) => to.searchParams.set("iss", "https://evil.example")),
  )
  refused(
    "no issuer",
    back((to) => to.searchParams.delete("iss")),
  )
  refused(
    "a guessed code",
    back((to) => to.searchParams.set("code", "x")),
  )
  refused(
    "an error",
    back((to) => {
      to.searchParams.delete("code")
      to.searchParams.set("error", "access_denied")
    }),
  )
  refused("another nonce", asking("nonce"))
  refused("another verifier", asking("code_challenge"))
  refused("a token by another key", forging({}))
  refused(
    "a sign-in that took too long",
    back(() => void running.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE sign_ins SET expires_at = 1`))),
  )

  let came = ""
  refused(
    "the same answer again",
    back((to) => {
      came = to.href
    }),
    async (page) => {
      assert.strictEqual(pathOf(page), "/dashboard/keys")
      // The page keeps asking for what is new, and would be refused without its cookie.
      await page.goto("about:blank")
      const kept = (await page.context().cookies()).filter(({ name }) => name.startsWith("sign-in-"))
      await page.context().clearCookies()
      await page.context().addCookies(kept)
      await page.goto(came)
    },
  )
  refused(
    "an answer to another browser",
    back((to) => {
      came = to.href
      to.searchParams.set("state", "x")
    }),
    async (page) => {
      await page.goto("about:blank")
      await page.context().clearCookies()
      await page.goto(came)
    },
  )
})

describe("a link", () => {
  const enter = () => `${running.url}/dashboard/enter`
  const link = async (name: string) => `${enter()}#${await linkOf(running, { account: "tester", name })}`
  const field = (page: Page) => page.getByLabel("Sign-in link")
  const signIn = async (page: Page) => {
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.waitForURL(`${running.url}/dashboard`)
  }

  it("that is opened in a tab which shows the sign-in page fills its code in, again and again", () =>
    visit("link in the address bar", {}, async ({ page }) => {
      await page.goto(enter())
      await page.evaluate(() => Reflect.set(globalThis, "isSamePage", true))
      for (const name of ["first", "second"]) {
        const address = await link(name)
        // As the address bar does with an address that differs in its fragment alone.
        await page.goto(address)
        await page.waitForURL(enter())
        assert.strictEqual(await field(page).inputValue(), address.split("#")[1])
      }
      assert.isTrue(await page.evaluate(() => Reflect.get(globalThis, "isSamePage")), "the page was not loaded again")
      await signIn(page)
      assert.include(await page.locator(".account").textContent(), "second, owner")
    }))

  for (const javaScriptEnabled of [true, false]) {
    it(`that is pasted whole signs in, ${javaScriptEnabled ? "with" : "without"} script`, () =>
      visit(`link in the field ${javaScriptEnabled}`, { javaScriptEnabled }, async ({ page }) => {
        await page.goto(enter())
        await field(page).fill(` ${await link("pat")} `)
        await signIn(page)
        assert.include(await page.locator(".account").textContent(), "pat, owner")
      }))
  }

  it("that is an invitation is pasted whole too", () =>
    visit("invitation in the field", {}, async ({ page }) => {
      identities.subject = "ina"
      await page.goto(enter())
      await page.getByText("I have an invitation").click()
      await page.getByLabel("Invitation link").fill(await link("ina"))
      await page.getByRole("button", { name: /^Continue to/ }).click()
      await button(page).click()
      await page.waitForURL(`${running.url}/dashboard`)
      assert.include(await page.locator(".account").textContent(), "Name of ina, owner")
    }))

  it("is asked for by a command that exists", () =>
    visit("words of the sign-in page", {}, async ({ page }) => {
      await page.goto(enter())
      const commands = await page.locator("main code").allTextContents()
      assert.deepStrictEqual(commands, [
        "market-signals dashboard link --account NAME",
        "npm run cli -- dashboard link --account NAME",
      ])
      const { bin } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"))
      const [program, family, verb] = commands[0]!.split(" ")
      assert.property(bin, program!)
      const help = processes.start("services/cli.ts", [family!, verb!, "--help"], {})
      assert.strictEqual(await help.ended, 0)
    }))
})

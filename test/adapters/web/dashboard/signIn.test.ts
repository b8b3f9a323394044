import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { returnTo, withReturn } from "../../../../adapters/web/dashboard/signIn.ts"
import { type Running, start } from "../../../support/running.ts"
import { enter, entering, linkOf, ours, visitorOf } from "./visitor.ts"

let running: Running
beforeAll(async () => {
  running = await start()
}, 120_000)
afterAll(() => running.stop())

/** Signs in with a link from the page at an address, as a browser without script does. */
const enterAt = async (address: string): Promise<Response> => {
  const html = await (await fetch(running.url + address)).text()
  const form = /<form method="post" action="\/dashboard\/enter"[\s\S]*?<\/form>/.exec(html)![0]
  const to = /name="return_to" value="([^"]*)"/.exec(form)![1]!.replaceAll("&amp;", "&")
  const body = new URLSearchParams({ return_to: to, code: await linkOf(running, { account: "tester" }) })
  return fetch(`${running.url}/dashboard/enter`, { method: "POST", body, headers: entering, redirect: "manual" })
}

describe("a page that needs a sign-in", () => {
  it.each(["/dashboard/keys", "/dashboard/calls?status=failed&from=2026-11-01", "/dashboard/webhooks/dead-letters"])(
    "%s is where one is after it",
    async (page) => {
      const first = await fetch(running.url + page, { redirect: "manual" })
      const entered = await enterAt(first.headers.get("location")!)
      assert.deepStrictEqual([entered.status, entered.headers.get("location")], [303, page])
      const visitor = visitorOf(running.url, entered.headers.get("set-cookie")!.split(";")[0]!)
      assert.strictEqual((await visitor.get(page)).status, 200)
      // Who is signed in already goes there at once.
      const at = `/dashboard/enter?return_to=${encodeURIComponent(page)}`
      assert.strictEqual((await visitor.get(at)).headers.get("location"), page)
    },
  )

  it("is kept by a wrong code, and by a form that was sent without a session", async () => {
    const refused = await fetch(`${running.url}/dashboard/enter`, {
      method: "POST",
      body: new URLSearchParams({ return_to: "/dashboard/agents", code: "AAAA-AAAA-AAAA-AAAA" }),
      headers: entering,
    })
    assert.strictEqual(refused.status, 422)
    assert.include(await refused.text(), 'name="return_to" value="/dashboard/agents"')
    const post = await fetch(`${running.url}/dashboard/agents?x=1`, {
      method: "POST",
      body: new URLSearchParams({ action: "pause" }),
      headers: ours,
      redirect: "manual",
    })
    assert.strictEqual(
      post.headers.get("location"),
      "/dashboard/enter?return_to=%2Fdashboard%2Fagents%3Fx%3D1&unsent=1",
    )
    const page = await (await fetch(running.url + post.headers.get("location")!)).text()
    assert.include(page, "your form was not sent")
  })
})

describe("a browser that keeps no cookies", () => {
  it("is refused before its link is used", async () => {
    const code = await linkOf(running, { account: "tester" })
    const page = await fetch(`${running.url}/dashboard/enter`)
    assert.match(page.headers.get("set-cookie")!, /^cookies-\d+=on; Path=\/; HttpOnly; SameSite=Lax$/)
    const body = new URLSearchParams({ code })
    const refused = await fetch(`${running.url}/dashboard/enter`, { method: "POST", body, headers: ours })
    assert.strictEqual(refused.status, 422)
    const text = await refused.text()
    assert.include(text, "Allow cookies for this address")
    assert.include(text, "Your link was not used")
    assert.strictEqual((await enter(running.url, code)).status, 303)
  })
})

const elsewhere = [
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/dashboard//evil.example",
  "/dashboard/../docs",
  "/dashboard/%2e%2e/docs",
  "/dashboard.evil.example",
  "/dashboardevil",
  "/docs",
  "/dashboard/enter",
  "/dashboard/sign-out",
  "/dashboard/oidc/begin",
  "javascript:alert(1)",
  " /dashboard/keys",
  "/dashboard/keys\r\nset-cookie: x=1",
  `/dashboard/${"a".repeat(1_000)}`,
]

describe("a place of others", () => {
  it.each(elsewhere)("%j leads to the first page", async (to) => {
    assert.strictEqual(returnTo(to), "/dashboard")
    const entered = await enterAt(`/dashboard/enter?return_to=${encodeURIComponent(to)}`)
    assert.strictEqual(entered.headers.get("location"), "/dashboard")
  })

  it.each(["/dashboard/calls?next=//evil.example", "/dashboard/calls?a=<script>", "/dashboard/calls?a=%0d%0ab#c"])(
    "in the query %s leads to no other origin",
    (to) => {
      assert.match(returnTo(to), /^\/dashboard\/calls$/)
      assert.strictEqual(new URL(returnTo(to), "http://ours").origin, "http://ours")
    },
  )

  it("is in no address that has no need of it", () => {
    assert.strictEqual(withReturn("/dashboard/enter", "/dashboard"), "/dashboard/enter")
    assert.strictEqual(returnTo(null), "/dashboard")
  })
})

describe("many wrong codes from one address", () => {
  it("are refused for a minute, and do not lock out a right one", async () => {
    const wrong = (at: number) => enter(running.url, `AAAA-AAAA-AAAA-${String(at).padStart(4, "2")}`)
    const statuses = new Set<number>()
    for (let at = 0; at < 70; at++) statuses.add((await wrong(at)).status)
    assert.deepStrictEqual([...statuses], [422, 429])
    const right = await enter(running.url, await linkOf(running, { account: "tester" }))
    assert.deepStrictEqual([right.status, right.headers.get("location")], [303, "/dashboard"])
    assert.strictEqual((await wrong(70)).status, 429)
  })
})

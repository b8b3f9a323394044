import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { allPages } from "../../../../adapters/web/dashboard/pages/all.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { ChangeLog } from "../../../../core/people/Change.ts"
import { newestCall } from "../../../support/newestCall.ts"
import { type Running, start } from "../../../support/running.ts"
import { enter, hidden, linkOf, otherAccount, ours, signIn, type Visitor } from "./visitor.ts"

let running: Running
let owner: Visitor
let operator: Visitor
let stranger: Visitor
let other: Awaited<ReturnType<typeof otherAccount>>
let agent: string
let webhook: string
let call: string

beforeAll(async () => {
  running = await start({ webhooks: { allowHosts: ["127.0.0.1:9"] } })
  other = await otherAccount(running, "other")
  call = await newestCall(running)
  owner = await signIn(running, { account: "tester" })
  stranger = await signIn(running, { account: "other", name: "sam" })
  operator = await signIn(running, { operator: true, name: "op" })
  agent = await running.run(
    Effect.flatMap(Agents, ({ create }) => Effect.map(create("tester", "bot", {}), ({ id }) => id)),
  )
  webhook = await running.run(
    Effect.flatMap(Webhooks, ({ create }) =>
      Effect.map(create("tester", "http://127.0.0.1:9/", ["agent.budget_warning"]), ({ webhook: { id } }) => id),
    ),
  )
}, 120_000)
afterAll(() => running.stop())

/** Lines of the log. */
const lines = () =>
  running.run(Effect.flatMap(ChangeLog, ({ page }) => Effect.map(page({ limit: 1_000 }), (all) => all.length)))

const paths = () =>
  allPages(catalogue).map(({ path }) =>
    path
      .replace(":account", running.account.id)
      .replace(":key", running.account.live.id)
      .replace(":agent", agent)
      .replace(":webhook", webhook)
      .replace(":endpoint", "weather_signal")
      .replace(":call", call),
  )

describe("signing in", () => {
  it.each([
    ["a page of another site", { "sec-fetch-site": "cross-site" }, 400],
    ["another port of this machine", { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:1" }, 400],
    ["an opaque origin", { origin: "null" }, 400],
    ["neither header", {}, 400],
    ["a lying origin beside a right header", { "sec-fetch-site": "same-origin", origin: "http://evil.example" }, 400],
  ] as const)("from %s is refused", async (_, headers, status) => {
    const code = await linkOf(running, { account: "tester" })
    const refused = await enter(running.url, code, headers)
    assert.deepStrictEqual([refused.status, refused.headers.get("set-cookie")], [status, null])
  })

  it("takes an origin of our own where a browser sends no fetch metadata", async () => {
    const code = await linkOf(running, { account: "tester" })
    assert.strictEqual((await enter(running.url, code, { origin: running.url })).status, 303)
  })

  it("sets a cookie that script cannot read, and no other header keeps it", async () => {
    const { headers } = await enter(running.url, await linkOf(running, { account: "tester" }))
    const cookie = headers.get("set-cookie")!
    assert.match(cookie, /^session-\d+=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/)
    assert.strictEqual(headers.get("cache-control"), "no-store")
  })
})

describe("every page", () => {
  it("leads to the sign-in without a session, and from there back", async () => {
    for (const path of paths()) {
      const response = await fetch(running.url + path, { redirect: "manual" })
      const to = path === "/dashboard" ? "" : `?return_to=${encodeURIComponent(path)}`
      assert.deepStrictEqual([response.status, response.headers.get("location")], [303, `/dashboard/enter${to}`], path)
    }
  })

  it("is whole for an owner, and not for the cache", async () => {
    for (const { path, audience } of allPages(catalogue)) {
      const shown = paths()[allPages(catalogue).findIndex((each) => each.path === path)]!
      const { status, headers, html } = await owner.get(shown)
      assert.strictEqual(status, audience === "operator" ? 404 : 200, shown)
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.include(headers.get("content-security-policy"), "trusted-types 'none'")
      assert.isNull(headers.get("access-control-allow-origin"))
      assert.isBelow(html.length, 60_000)
      assert.notMatch(html, / style="| on[a-z]+="/)
    }
  })
})

describe("a form", () => {
  it("makes a key, once, and the key is shown once", async () => {
    const path = "/dashboard/keys/new"
    const body = hidden((await owner.get(path)).html, "create")
    body.set("environment", "live")
    const made = await owner.post(path, body)
    assert.strictEqual(made.status, 200)
    const token = /svk_live_[0-9A-Za-z]{49}/.exec(made.html)![0]
    assert.strictEqual((await running.get("/v1/weather/settlement?station=KNYC", token)).status, 200)
    const before = await lines()
    const key = /\/dashboard\/keys\/(key_\w+)/.exec(made.html)![1]!
    const again = await owner.post(path, body)
    assert.strictEqual(again.status, 200)
    assert.include(again.html, "This form was already sent")
    assert.include(again.html, `<a href="/dashboard/keys/${key}">${key}</a>`)
    assert.include(again.html, "shown once")
    assert.notInclude(again.html, token)
    assert.strictEqual(await lines(), before)
    // Two at once: one makes the key, the other says so.
    const body2 = hidden((await owner.get(path)).html, "create")
    body2.set("environment", "test")
    const both = await Promise.all([owner.post(path, body2), owner.post(path, body2)])
    assert.deepStrictEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    assert.lengthOf(
      both.filter(({ html }) => /svk_test_[0-9A-Za-z]{49}/.test(html)),
      1,
    )
    assert.lengthOf(
      both.filter(({ html }) => html.includes("This form was already sent")),
      1,
    )
    assert.strictEqual(await lines(), before + 1)
    // The form of another session is not this one's: its id says nothing to a stranger.
    const stolen = hidden((await stranger.get(path)).html, "create")
    stolen.set("form_id", body.get("form_id")!)
    stolen.set("environment", "test")
    const foreign = await stranger.post(path, stolen)
    assert.strictEqual(foreign.status, 422)
    assert.notInclude(foreign.html, key)
    for (const shown of paths()) assert.notInclude((await owner.get(shown)).html, token)
  })

  it.each([
    ["from another site", {}, { "sec-fetch-site": "cross-site" }, 400],
    ["without the token of its session", { form_token: "" }, ours, 400],
    ["with an unknown action", { action: "constructor" }, ours, 400],
    ["with a form id of another form", { form_id: "x" }, ours, 400],
  ] as const)("%s changes nothing", async (_, values, headers, status) => {
    const before = await lines()
    const refused = await owner.send("/dashboard/agents/new", "create", { name: "no", ...values }, headers)
    assert.deepStrictEqual([refused.status, await lines()], [status, before])
  })

  it("with the token of another session changes nothing", async () => {
    const body = hidden((await stranger.get("/dashboard/agents/new")).html, "create")
    body.set("name", "no")
    assert.strictEqual((await owner.post("/dashboard/agents/new", body)).status, 400)
  })

  it.each([
    ["an empty name", { name: "" }, "create-name-error"],
    ["a cap that is no amount", { name: "x", monthly_cap_micros: "5 $" }, "create-monthly_cap_micros-error"],
    ["a name with a tag", { name: "<script>alert(1)</script>" }, undefined],
  ] as const)("with %s is shown again with its values", async (_, values, id) => {
    const { status, html } = await owner.send("/dashboard/agents/new", "create", values)
    assert.strictEqual(status, 422)
    if (id !== undefined) assert.include(html, `id="${id}"`)
    assert.notInclude(html, "<script>alert")
  })

  it("chooses no tier", async () => {
    const { status } = await owner.send("/dashboard/keys/new", "create", {
      environment: "live",
      tier: "enterprise",
      rpm: "9",
    })
    assert.strictEqual(status, 422)
  })

  it("pauses, resumes, caps and revokes an agent", async () => {
    const path = `/dashboard/agents/${agent}`
    const { get } = await running.run(Agents)
    const now = () => running.run(Effect.map(get(agent), (found) => found.agent))
    assert.strictEqual((await owner.send(path, "pause")).status, 303)
    assert.strictEqual((await now()).status, "paused")
    assert.strictEqual((await owner.send(path, "resume")).status, 303)
    await owner.send(path, "caps", { monthly_cap_micros: "5.25", budget_cap_micros: "" })
    assert.deepInclude(await now(), { status: "active", monthlyCap: MicroUsd(5_250_000) })
    assert.strictEqual((await owner.send(path, "revoke", { confirm: "bat" })).status, 422)
    assert.strictEqual((await now()).status, "active")
  })
})

describe("what belongs to another account", () => {
  it("is shown to an operator, who credits and looks at any account", async () => {
    assert.strictEqual((await operator.get("/dashboard")).headers.get("location"), "/dashboard/operator")
    assert.strictEqual((await operator.send(`/dashboard/operator/accounts/${other.id}`, "show")).status, 303)
    assert.strictEqual((await operator.get(`/dashboard/keys/${other.key}`)).status, 200)
    assert.strictEqual(
      (await operator.send(`/dashboard/operator/accounts/${other.id}?do=credit&micros=2.5`, "credit")).status,
      303,
    )
    const found = await running.run(Effect.flatMap(Accounts, (accounts) => accounts.balance(other.id)))
    assert.deepInclude(found, { balance: MicroUsd(2_500_000) })
  })
})

describe("a form of an account that is no longer shown", () => {
  it("changes nothing", async () => {
    const visitor = await signIn(running, { operator: true, account: "tester", name: "two tabs" })
    const body = hidden((await visitor.get("/dashboard/agents/new")).html, "create")
    body.set("name", "stray")
    await visitor.send(`/dashboard/operator/accounts/${other.id}`, "show")
    const before = await lines()
    assert.deepStrictEqual([(await visitor.post("/dashboard/agents/new", body)).status, await lines()], [400, before])
  })
})

describe("signing out", () => {
  it("ends the session and drops the cookie", async () => {
    const visitor = await signIn(running, { account: "tester", name: "zed" })
    const body = hidden((await visitor.get("/dashboard/people")).html, "invite")
    const left = await visitor.post("/dashboard/sign-out", body)
    assert.strictEqual(left.status, 303)
    assert.match(left.headers.get("set-cookie")!, /=; .*Max-Age=0$/)
    assert.strictEqual((await visitor.get("/dashboard")).headers.get("location"), "/dashboard/enter")
  })
})

describe("guessing", () => {
  it("is refused the sixth time in a minute", async () => {
    const statuses = new Set<number>()
    for (let tries = 0; tries < 8; tries++) statuses.add((await enter(running.url, "AAAA-AAAA-AAAA-AAAA")).status)
    assert.isTrue(statuses.has(429))
  })

  it("of one link locks out nobody else behind the address; of many it does, for a moment", async () => {
    const good = await linkOf(running, { account: "tester", name: "neighbour" })
    assert.strictEqual((await enter(running.url, good)).status, 303)
    let tries = 0
    for (; tries < 400; tries++) {
      const code = `BBBB-BBBB-BBBB-${String(tries).padStart(4, "0")}`
      if ((await enter(running.url, code)).status === 429) break
    }
    assert.isAtLeast(tries, 40)
    assert.isBelow(tries, 400)
  })
})

describe("a dashboard under a public URL with https", () => {
  it("tells browsers to stay there, and has no cookie for a name of this machine that a proxy passes on", async () => {
    const served = await start({
      http: { host: "127.0.0.1", port: 0, baseUrl: Option.some("https://api.example.com") },
    })
    try {
      for (const path of ["/dashboard/enter", "/docs", "/nowhere"]) {
        const { headers } = await fetch(served.url + path)
        assert.strictEqual(headers.get("strict-transport-security"), "max-age=31536000", path)
        assert.isNull((await fetch(running.url + path)).headers.get("strict-transport-security"), path)
      }
      const code = await linkOf(served, { account: "tester" })
      const through = await enter(served.url, code, { ...ours, "x-forwarded-for": "203.0.113.9" })
      assert.deepStrictEqual([through.status, through.headers.get("set-cookie")], [403, null])
      const local = await enter(served.url, code)
      assert.notInclude(local.headers.get("set-cookie")!, "Secure")
    } finally {
      await served.stop()
    }
  })
})

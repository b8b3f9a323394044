import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Webhook } from "standardwebhooks"
import { Webhooks } from "../../../../../core/events/Webhooks.ts"
import { agentKey } from "../../../../support/agentKey.ts"
import { delivering } from "../../../../support/delivering.ts"
import { answering, ok, type Receiver, receiver } from "../../../../support/receiver.ts"
import { type Running, start } from "../../../../support/running.ts"
import { hidden, type Seen, signIn, type Visitor } from "../visitor.ts"

const both = ["agent.budget_warning", "agent.budget_exceeded"] as const
const attack = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"

let to: Receiver
let running: Running
let owner: Visitor
let stopDelivery: () => Promise<void>

beforeAll(async () => {
  to = await receiver()
  const changes = { webhooks: { allowHosts: [to.host] } }
  running = await start(changes)
  stopDelivery = delivering(running, changes)
  owner = await signIn(running, { account: "tester" })
}, 120_000)
afterAll(async () => {
  await stopDelivery()
  await running.stop()
  await to.stop()
})

const form = "/dashboard/webhooks/new"
const secretIn = ({ html }: Seen): string => /whsec_[\w+/=]+/.exec(html.replaceAll("&#x2F;", "/"))![0]
const list = () => running.run(Effect.flatMap(Webhooks, (webhooks) => webhooks.list("tester")))

/** A webhook at a path of its own, made by the form. */
const make = async (name: string) => {
  const url = `${to.url}/${name}`
  const seen = await owner.send(form, "create", { url, events: both })
  assert.strictEqual(seen.status, 200)
  const { id } = (await list()).find((webhook) => webhook.url === url)!
  const received = () => to.received.filter(({ path }) => path === `/${name}`)
  return {
    id,
    path: `/dashboard/webhooks/${id}`,
    secret: secretIn(seen),
    html: seen.html,
    received,
    until: (count: number) => to.until(() => received().length >= count),
  }
}

/** Waits until a page says something: a delivery's end is stored shortly after its answer. */
const shows = async (path: string, text: string | RegExp): Promise<string> => {
  for (;;) {
    const { html } = await owner.get(path)
    if (typeof text === "string" ? html.includes(text) : text.test(html)) return html
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Both events of an agent whose one call a month takes it to its cap. */
const spend = async (name: string) => {
  const key = await agentKey(running, name, 10_000)
  for (let calls = 0; calls < 12; calls++) {
    if ((await running.get("/v1/weather/settlement?station=KNYC", key)).status !== 200) break
  }
}

describe("the form of a webhook", () => {
  it("asks for events as boxes", async () => {
    const { html } = await owner.get(form)
    for (const type of both)
      assert.match(html, new RegExp(`<input type="checkbox" name="events" value="${type}" checked`))
  })

  it("makes one and shows its secret once, with how to verify", async () => {
    const { id, html, secret, path } = await make("made")
    for (const text of ["createHmac", "hmac.new", "hmac.New", "openssl"]) assert.include(html, text)
    for (const each of [path, "/dashboard/webhooks", "/dashboard/changes", "/dashboard"]) {
      const seen = await owner.get(each)
      assert.strictEqual(seen.status, 200)
      assert.notInclude(seen.html, secret)
      if (each === "/dashboard/webhooks") assert.include(seen.html, `${path}"`)
    }
    assert.deepInclude(
      (await list()).find((webhook) => webhook.id === id),
      { events: both, status: "active" },
    )
  })

  it.each([
    ["no event", { url: "https://hooks.example/in", events: [] }, "create-events"],
    ["a reserved event", { url: "https://hooks.example/in", events: ["job.failed"] }, "job.failed"],
    ["a private address", { url: "http://10.0.0.1/", events: both }, "create-url-error"],
    ["no URL", { url: attack, events: both }, "create-url-error"],
  ] as const)("with %s is shown again", async (_, values, text) => {
    const before = (await list()).length
    const { status, html } = await owner.send(form, "create", values)
    assert.deepStrictEqual([status, (await list()).length], [422, before])
    assert.include(html, text)
    assert.include(html, 'class="error"')
    assert.notInclude(html, attack)
  })
})

describe("a webhook", () => {
  it("sends a test event, whose attempt is shown", async () => {
    to.answers(answering(200, {}, attack))
    const { path, received, until, secret } = await make("test")
    assert.strictEqual((await owner.send(path, "test", { type: both[1] })).status, 303)
    await until(1)
    const [{ body, headers }] = received() as [ReturnType<typeof received>[number]]
    new Webhook(secret).verify(body, headers as Record<string, string>)
    const html = await shows(path, "delivered")
    assert.match(html, /1 attempt: 200, \d+ ms/)
    assert.include(html, "&lt;script>alert(1)")
    assert.notInclude(html, "<script>alert(1)")
    assert.notInclude(html, "<img")
    // A test is no event of the account.
    assert.notInclude(html, ">Replay<")
    assert.match((await owner.get("/dashboard/webhooks")).html, /delivered/)
  })

  it("pauses: events wait, and are sent when it is resumed", async () => {
    to.answers(ok)
    const { path, received, until } = await make("pause")
    assert.strictEqual((await owner.send(path, "pause")).status, 303)
    await owner.send(path, "test")
    assert.include((await owner.get(path)).html, "waiting")
    assert.strictEqual(received().length, 0)
    assert.strictEqual((await owner.send(path, "resume")).status, 303)
    await until(1)
  })

  it("rotates its secret: both sign until the overlap ends", async () => {
    to.answers(ok)
    const { path, received, until, secret } = await make("rotate")
    const rotated = await owner.send(path, "rotate", { overlap_seconds: "3600" })
    assert.strictEqual(rotated.status, 200)
    const next = secretIn(rotated)
    assert.notStrictEqual(next, secret)
    assert.include((await owner.get(path)).html, "signs too until")
    await owner.send(path, "test")
    await until(1)
    const [{ body, headers }] = received() as [ReturnType<typeof received>[number]]
    for (const each of [secret, next]) new Webhook(each).verify(body, headers as Record<string, string>)
    assert.strictEqual((await owner.send(path, "rotate", { overlap_seconds: "86401" })).status, 422)
  })

  it("that answers 410 is disabled; its dead letters are listed, and sent again after resuming", async () => {
    to.answers(answering(410, {}, attack))
    const { path, id, received, until } = await make("gone")
    await spend("spender")
    await until(1)
    let html = await shows(path, "its receiver answered 410 Gone")
    assert.notInclude(html, ">Replay")
    html = await shows("/dashboard/webhooks/dead-letters", "answered 410 Gone")
    assert.notInclude(html, attack)
    to.answers(ok)
    const before = received().length
    assert.strictEqual((await owner.send(path, "resume")).status, 303)
    const dead = hidden((await owner.get("/dashboard/webhooks/dead-letters")).html, "replay")
    assert.deepStrictEqual([dead.get("webhook"), (dead.get("event") ?? "").length], [id, 36])
    const again = await owner.post("/dashboard/webhooks/dead-letters", dead)
    assert.deepStrictEqual([again.status, again.headers.get("location")], [303, path])
    await until(before + 1)
    await shows(path, "delivered")
    // The other one, by the button for all.
    const all = hidden((await owner.get(path)).html, "replay")
    all.delete("event")
    all.set("dead_letters", "true")
    assert.strictEqual((await owner.post(path, all)).status, 303)
    await until(before + 2)
    assert.strictEqual(
      new Set(
        received()
          .slice(before)
          .map((each) => each.id),
      ).size,
      2,
    )
    // Of the event that was answered 410; the other one may never have been sent before.
    const events = [...new Set(received().map(({ id: event }) => event))]
    const pages = await Promise.all(events.map((event) => owner.get(`${path}?event=${event}`)))
    assert.isTrue(pages.some((page) => page.html.includes("&lt;img src=x onerror=alert(1)>")))
    for (const page of pages) assert.notInclude(page.html, "<img")
    assert.include((await owner.send(path, "replay", { dead_letters: "true", event: "" })).html, "Nothing was queued")
    const foreign = await owner.send(path, "replay", {
      event: "00000000-0000-4000-8000-000000000000",
      dead_letters: [],
    })
    assert.strictEqual(foreign.status, 422)
  })

  it("is deleted only with its host", async () => {
    const { path, id } = await make("deleted")
    assert.strictEqual((await owner.send(path, "delete", { confirm: "elsewhere.example" })).status, 422)
    assert.isTrue((await list()).some((webhook) => webhook.id === id))
    const gone = await owner.send(path, "delete", { confirm: to.host })
    assert.deepStrictEqual([gone.status, gone.headers.get("location")], [303, "/dashboard/webhooks"])
    assert.isFalse((await list()).some((webhook) => webhook.id === id))
    assert.strictEqual((await owner.get(path)).status, 404)
  })
})

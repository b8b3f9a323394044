// Proof: takes five seconds or more.
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { defaultBounds } from "../../../../adapters/web/dashboard/live/events.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { People } from "../../../../core/people/People.ts"
import { type Running, start } from "../../../support/running.ts"
import { type Opened, openStream, type Shown } from "./stream.ts"
import { otherAccount, ours, signIn, type Visitor } from "./visitor.ts"

const paid = "/v1/weather/signal?station=KNYC"

let running: Running
let owner: Visitor
let agent: string
const open: Array<Opened> = []

const watch = async (visitor: Visitor, headers: Record<string, string> = ours): Promise<Opened> => {
  const opened = await openStream(running.url, { cookie: visitor.cookie, ...headers })
  open.push(opened)
  return opened
}

beforeAll(async () => {
  running = await start({}, { balance: 1_000_000 })
  owner = await signIn(running, { account: "tester" })
  agent = await running.run(
    Effect.flatMap(Agents, ({ create }) =>
      Effect.map(create("tester", "bot", { monthlyCap: MicroUsd(50_000) }), ({ id }) => id),
    ),
  )
}, 120_000)
afterAll(async () => {
  for (const { close } of open) close()
  await running.stop()
})

const key = (named: string | undefined) =>
  running.run(
    Effect.flatMap(Accounts, ({ issueKey }) =>
      Effect.map(
        issueKey({
          account: "tester",
          environment: "live",
          tier: "pro",
          ...(named === undefined ? {} : { agent: named }),
        }),
        ({ plaintext }) => Redacted.value(plaintext),
      ),
    ),
  )

/** The live elements of a page: name and text. */
const placesOf = (html: string): ReadonlyArray<readonly [name: string, text: string]> =>
  [
    ...html.matchAll(
      /<(span|time)( class="[^"]*")? data-live="([^"]*)">(?:<(?:meter|span)[^>]*>(?:[●▲]<\/span>|<\/meter>)? <span>)?([^<]*)</g,
    ),
  ].map(([, , , name, text]) => [name!, text!])

describe("a stream", () => {
  it("says what every page says, in the same words", async () => {
    await running.get(paid, await key(agent))
    const stream = await watch(owner)
    assert.strictEqual(stream.status, 200)
    assert.strictEqual(stream.headers["content-type"], "text/event-stream; charset=utf-8")
    assert.strictEqual(stream.headers["cache-control"], "no-store")
    await stream.until("calls", "1")
    const names = new Set<string>()
    for (const path of [
      "/dashboard",
      "/dashboard/keys",
      `/dashboard/keys/${running.account.live.id}`,
      "/dashboard/agents",
      `/dashboard/agents/${agent}`,
      "/dashboard/wallet",
    ]) {
      const { html } = await owner.get(path)
      assert.isAbove(placesOf(html).length, 0, path)
      assert.strictEqual(placesOf(html).length, html.split("data-live=").length - 1, path)
      for (const [name, text] of placesOf(html)) {
        assert.strictEqual(stream.values[name]?.text, text, `${name} of ${path}`)
        names.add(name)
      }
      for (const [, name, text] of html.matchAll(/data-live-unless="([^=]*)=([^"]*)"/g)) {
        assert.strictEqual(stream.values[name!]?.text, text, `${name} of ${path}`)
      }
    }
    // And pages show all that it says, but the newest rows, and what else a list is compared with.
    const said = Object.keys(stream.values).filter((name) => !name.startsWith("newest.") && name !== "attention")
    assert.deepStrictEqual([...names].sort(), said.sort())
    stream.close()
  })

  it("says what changes, and only that", async () => {
    const stream = await watch(owner)
    await stream.next("values")
    const { html } = await owner.get("/dashboard/calls")
    const [, newest] = /data-live-unless="newest.call=([^"]*)"/.exec(html)!
    assert.strictEqual((await running.get(paid)).status, 200)
    // Statements of one reading may see a call's commit or not: the next reading has the rest.
    const changed: Record<string, Shown> = {}
    while (Object.keys(changed).length < 6) Object.assign(changed, JSON.parse(await stream.next("values")))
    assert.deepStrictEqual(
      Object.keys(changed).sort(),
      ["balance", "calls", `${running.account.live.id}.used`, "month", "newest.call", "newest.posting"].sort(),
    )
    assert.deepStrictEqual(
      ["balance", "month", "calls"].map((name) => changed[name]?.text),
      ["0.98 USD", "0.02 USD", "2"],
    )
    assert.notStrictEqual(changed["newest.call"]?.text, newest)
    await running.run(Effect.flatMap(Agents, ({ pause }) => pause(agent)))
    assert.deepStrictEqual(JSON.parse(await stream.next("values")), {
      [`${agent}.state`]: { text: "paused", badge: { tone: "stopped", mark: "■" } },
    })
    await running.run(Effect.flatMap(Agents, ({ resume }) => resume(agent)))
    await stream.until(`${agent}.state`, "active")
    stream.close()
  })

  it("shows spend under a cap, and a cap that is removed", async () => {
    const stream = await watch(owner)
    await stream.until(`${agent}.live.month`, "0.01 USD of 0.05 USD")
    const meter = { value: 10_000, max: 50_000, high: 40_000 }
    assert.deepStrictEqual(stream.values[`${agent}.live.month`]?.meter, meter)
    await running.run(Effect.flatMap(Agents, ({ setCaps }) => setCaps(agent, { monthlyCap: null })))
    await stream.until(`${agent}.live.month`, "0.01 USD, no cap")
    assert.isUndefined(stream.values[`${agent}.live.month`]?.meter)
    stream.close()
  })

  it("is of the account that its session shows", async () => {
    await otherAccount(running, "other")
    const visitor = await signIn(running, { account: "other", name: "sam" })
    const stream = await watch(visitor)
    await stream.until("balance", "0.00 USD")
    assert.notInclude(JSON.stringify(stream.values), agent)
    stream.close()
  })
})

describe("who may watch", () => {
  it.each([
    ["without a session", {}, 401],
    ["with an unknown one", { cookie: `session-1=${"0".repeat(64)}` }, 401],
    ["from a page of another port", { ...ours, "sec-fetch-site": "same-site" }, 403],
    ["from another site", { origin: "http://evil.example" }, 403],
    ["under another name of this machine", { host: "evil.example" }, 403],
  ] as const)("%s: nobody", async (_, headers, status) => {
    const isSession = status === 403
    const stream = await openStream(running.url, { ...(isSession ? { cookie: owner.cookie } : {}), ...headers })
    assert.strictEqual(stream.status, status)
    assert.isAbove((await stream.text()).length, 0)
  })

  it("an operator without an account has nothing to watch", async () => {
    assert.strictEqual((await watch(await signIn(running, { operator: true, name: "idle" }))).status, 404)
  })

  it("other methods are refused", async () => {
    const stream = await openStream(running.url, { cookie: owner.cookie, ...ours }, "POST")
    assert.deepStrictEqual([stream.status, stream.headers["allow"]], [405, "GET, HEAD"])
  })

  it("HEAD says whether a stream would be opened, and opens none", async () => {
    for (const [cookie, status] of [
      [owner.cookie, 200],
      ["session-1=none", 401],
    ] as const) {
      const head = await openStream(running.url, { cookie, ...ours }, "HEAD")
      await head.ended
      assert.deepStrictEqual([head.status, await head.text()], [status, ""])
    }
  })

  it("a session has four streams, and a fifth when one of them is closed", async () => {
    const visitor = await signIn(running, { account: "tester", name: "many" })
    const all: Array<Opened> = []
    for (let at = 0; at < defaultBounds.perSession; at++) all.push(await watch(visitor))
    assert.deepStrictEqual(
      all.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const refused = await watch(visitor)
    assert.deepStrictEqual([refused.status, refused.headers["retry-after"]], [429, "60"])
    all[0]!.close()
    let again = await watch(visitor)
    while (again.status === 429) again = await watch(visitor)
    assert.strictEqual(again.status, 200)
    for (const { close } of [...all, again]) close()
  })
})

describe("the end", () => {
  it("comes when the session is signed out elsewhere", async () => {
    const visitor = await signIn(running, { account: "tester", name: "leaver" })
    const stream = await watch(visitor)
    await stream.next("values")
    const before = performance.now()
    await running.run(
      Effect.gen(function* () {
        const people = yield* People
        const session = yield* people.session(visitor.cookie.split("=")[1]!)
        if (session !== undefined) yield* people.end(session.person.id, session.id)
      }),
    )
    assert.strictEqual(await stream.next("over"), "signed out")
    await stream.ended
    assert.isBelow(performance.now() - before, defaultBounds.lookMs + 1_500)
    assert.strictEqual((await watch(visitor)).status, 401)
  })

  it("comes when an operator looks at another account", async () => {
    const visitor = await signIn(running, { operator: true, account: "tester", name: "looker" })
    const stream = await watch(visitor)
    await stream.next("values")
    const other = await running.run(Effect.flatMap(Accounts, ({ get }) => get("other")))
    assert.strictEqual((await visitor.send(`/dashboard/operator/accounts/${other.id}`, "show")).status, 303)
    assert.strictEqual(await stream.next("over"), "other account")
    await stream.ended
  })

  it("comes when the session has been idle for too long: watching is no use of it", async () => {
    const visitor = await signIn(running, { account: "tester", name: "idler" })
    const seenAt = (at?: number) =>
      running.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const token = visitor.cookie.split("=")[1]!
          const session = yield* Effect.flatMap(People, ({ glance }) => glance(token))
          if (at !== undefined) yield* sql`UPDATE sessions SET seen_at = ${at} WHERE id = ${session!.id}`
          return session?.seenAt
        }),
      )
    const long = Date.now() - 11 * 3_600_000
    await seenAt(long)
    const stream = await watch(visitor)
    await stream.next("values")
    await running.get(paid)
    await stream.next("values")
    assert.strictEqual(await seenAt(), long)
    await seenAt(Date.now() - 12 * 3_600_000)
    assert.strictEqual(await stream.next("over"), "signed out")
  })

  it("comes at once when the server stops", async () => {
    const short = await start()
    const visitor = await signIn(short, { account: "tester" })
    const stream = await openStream(short.url, { cookie: visitor.cookie, ...ours })
    await stream.next("values")
    const before = performance.now()
    await short.stop()
    await stream.ended
    assert.isBelow(performance.now() - before, 2_000)
  })
})

import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { People } from "../../../../core/people/People.ts"
import { type Running, start } from "../../../support/running.ts"
import { otherAccount, signIn, type Visitor } from "./visitor.ts"

const paid = "/v1/weather/signal?station=KNYC"

let running: Running
let owner: Visitor
let agent: string
let account: string

beforeAll(async () => {
  running = await start({}, { balance: 1_000_000 })
  owner = await signIn(running, { account: "tester" })
  account = await running.run(Effect.flatMap(Accounts, ({ get }) => Effect.map(get("tester"), ({ id }) => id)))
  agent = await running.run(
    Effect.flatMap(Agents, ({ create }) =>
      Effect.map(create("tester", "bot", { monthlyCap: MicroUsd(50_000) }), ({ id }) => id),
    ),
  )
}, 120_000)
afterAll(() => running.stop())

type Values = Readonly<Record<string, { readonly text: string; readonly meter?: object; readonly badge?: object }>>

const ask = (cookie: string, ids: ReadonlyArray<string> = [], of = account, headers: Record<string, string> = {}) =>
  fetch(
    `${running.url}/dashboard/live.json?${new URLSearchParams([["account", of], ...ids.map((id) => ["id", id])])}`,
    {
      headers: { cookie, ...headers },
    },
  )

const read = async (visitor: Visitor, ids: ReadonlyArray<string> = [], of = account): Promise<Values> =>
  (await ask(visitor.cookie, ids, of)).json() as Promise<Values>

/** Asks until a value has a text: values are read at most once a second. */
const until = async (name: string, text: string, ids: ReadonlyArray<string> = []): Promise<Values> => {
  for (;;) {
    const values = await read(owner, ids)
    if (values[name]?.text === text) return values
    await new Promise((done) => setTimeout(done, 100))
  }
}

const key = (named: string) =>
  running.run(
    Effect.flatMap(Accounts, ({ issueKey }) =>
      Effect.map(issueKey({ account: "tester", environment: "live", tier: "pro", agent: named }), ({ plaintext }) =>
        Redacted.value(plaintext),
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

/** The ids of the agents and keys that a page shows. */
const idsIn = (html: string): ReadonlyArray<string> => [
  ...new Set(placesOf(html).flatMap(([name]) => (name.includes(".") ? name.split(".", 1) : []))),
]

describe("the values of open pages", () => {
  it("are what every page says, in the same words, and no others", async () => {
    await running.get(paid, await key(agent))
    await until("calls", "1")
    const names = new Set<string>()
    const ids = new Set<string>()
    for (const path of [
      "/dashboard",
      "/dashboard/keys",
      `/dashboard/keys/${running.account.live.id}`,
      "/dashboard/agents",
      `/dashboard/agents/${agent}`,
      "/dashboard/wallet",
    ]) {
      const { html } = await owner.get(path)
      const values = await read(owner, idsIn(html))
      assert.isAbove(placesOf(html).length, 0, path)
      assert.strictEqual(placesOf(html).length, html.split("data-live=").length - 1, path)
      for (const [name, text] of placesOf(html)) {
        assert.strictEqual(values[name]?.text, text, `${name} of ${path}`)
        names.add(name)
      }
      for (const [, name, text] of html.matchAll(/data-live-unless="([^=]*)=([^"]*)"/g)) {
        assert.strictEqual(values[name!]?.text, text, `${name} of ${path}`)
      }
      for (const id of idsIn(html)) ids.add(id)
    }
    const said = Object.keys(await read(owner, [...ids])).filter(
      (name) => !name.startsWith("newest.") && name !== "attention",
    )
    assert.deepStrictEqual([...names].sort(), said.sort())
    assert.notInclude(Object.keys(await read(owner)).join(), agent)
  })

  it("follow a charge, a pause and a cap", async () => {
    const newest = (await read(owner))["newest.call"]?.text
    assert.strictEqual((await running.get(paid)).status, 200)
    const values = await until("balance", "0.98 USD")
    assert.deepStrictEqual([values["month"]?.text, values["calls"]?.text], ["0.02 USD", "2"])
    assert.notStrictEqual(values["newest.call"]?.text, newest)
    const month = `${agent}.live.month`
    assert.deepStrictEqual((await read(owner, [agent]))[month], {
      text: "0.01 USD of 0.05 USD",
      meter: { value: 10_000, max: 50_000, high: 40_000 },
    })
    await running.run(
      Effect.flatMap(Agents, ({ pause, setCaps }) =>
        Effect.zipRight(pause(agent), setCaps(agent, { monthlyCap: null })),
      ),
    )
    const paused = await until(`${agent}.state`, "paused", [agent])
    assert.deepStrictEqual(paused[`${agent}.state`]?.badge, { tone: "stopped", mark: "■" })
    assert.deepStrictEqual(paused[month], { text: "0.01 USD, no cap" })
    await running.run(Effect.flatMap(Agents, ({ resume }) => resume(agent)))
    await until(`${agent}.state`, "active", [agent])
  })

  it("are sent again only when one has changed", async () => {
    const { headers } = await ask(owner.cookie)
    assert.deepStrictEqual(
      ["content-type", "cache-control"].map((name) => headers.get(name)),
      ["application/json", "no-store"],
    )
    const tag = { "if-none-match": headers.get("etag")! }
    const same = await ask(owner.cookie, [], account, tag)
    assert.deepStrictEqual([same.status, await same.text()], [304, ""])
    assert.strictEqual((await running.get(paid)).status, 200)
    await until("calls", "3")
    assert.strictEqual((await ask(owner.cookie, [], account, tag)).status, 200)
  })

  it("are of the account that the session shows", async () => {
    await otherAccount(running, "other")
    const visitor = await signIn(running, { account: "other", name: "sam" })
    const { id } = await running.run(Effect.flatMap(Accounts, ({ get }) => get("other")))
    const values = await read(visitor, [agent], id)
    assert.strictEqual(values["balance"]?.text, "0.00 USD")
    assert.notInclude(JSON.stringify(values), agent)
    assert.strictEqual((await ask(visitor.cookie, [agent])).status, 404)
  })
})

describe("who may watch", () => {
  it.each([
    ["without a session", {}, 401],
    ["with an unknown one", { cookie: `session-1=${"0".repeat(64)}` }, 401],
  ] as const)("%s: nobody", async (_, headers, status) => {
    const answer = await fetch(`${running.url}/dashboard/live.json?account=${account}`, { headers })
    assert.strictEqual(answer.status, status)
  })

  it("an operator without an account has nothing to watch", async () => {
    assert.strictEqual((await ask((await signIn(running, { operator: true, name: "idle" })).cookie)).status, 404)
  })

  it("nobody after the session is signed out elsewhere", async () => {
    const visitor = await signIn(running, { account: "tester", name: "leaver" })
    assert.strictEqual((await ask(visitor.cookie)).status, 200)
    await running.run(
      Effect.gen(function* () {
        const people = yield* People
        const session = yield* people.session(visitor.cookie.split("=")[1]!)
        if (session !== undefined) yield* people.endSession(session.person.id, session.id)
      }),
    )
    assert.strictEqual((await ask(visitor.cookie)).status, 401)
  })

  it("nobody of the account that an operator has left", async () => {
    const visitor = await signIn(running, { operator: true, account: "tester", name: "looker" })
    assert.strictEqual((await ask(visitor.cookie)).status, 200)
    const other = await running.run(Effect.flatMap(Accounts, ({ get }) => get("other")))
    assert.strictEqual((await visitor.send(`/dashboard/operator/accounts/${other.id}`, "show")).status, 303)
    assert.strictEqual((await ask(visitor.cookie)).status, 404)
  })

  it("nobody whose session has been idle for too long: watching is no use of it", async () => {
    const visitor = await signIn(running, { account: "tester", name: "idler" })
    const seenAt = (at?: number) =>
      running.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const session = yield* Effect.flatMap(People, ({ peekSession }) => peekSession(visitor.cookie.split("=")[1]!))
          if (at !== undefined) yield* sql`UPDATE sessions SET seen_at = ${at} WHERE id = ${session!.id}`
          return session?.seenAt
        }),
      )
    const long = Date.now() - 11 * 3_600_000
    await seenAt(long)
    assert.strictEqual((await ask(visitor.cookie)).status, 200)
    assert.strictEqual(await seenAt(), long)
    await seenAt(Date.now() - 12 * 3_600_000)
    assert.strictEqual((await ask(visitor.cookie)).status, 401)
  })
})

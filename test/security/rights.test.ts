// Proof: takes five seconds or more.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { type Any, compile } from "../../adapters/admin/AdminOperation.ts"
import { verbs } from "../../adapters/admin/verbs.ts"
import { exampleTarget } from "../../adapters/describe/operation.ts"
import { allPages } from "../../adapters/web/dashboard/pages/all.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { Ledger } from "../../core/account/Ledger.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { AlertStore } from "../../core/alerts/AlertStore.ts"
import { Alerts } from "../../core/alerts/Alerts.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { Event } from "../../core/events/Event.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { withAccount } from "../../core/lanes/account/Account.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { People } from "../../core/people/People.ts"
import * as App from "../../services/app.ts"
import { signIn, unseen, type Visitor, visitorOf } from "../adapters/web/dashboard/visitor.ts"
import { newestCall } from "../support/newestCall.ts"
import { type Running, settings, start } from "../support/running.ts"

/*
 * Every surface × every state of who asks. The surfaces are derived: endpoints, pages, files and verbs from their values, and
 * every other path of the server has to be named here. The rules themselves: test/core/rights/Rights.test.ts.
 */

/** The states of a key. */
const states = [
  ...["good", "test", "agent", "sibling", "scoped", "other lane", "other account"],
  ...["no money", "capped", "paused", "suspended", "removed", "anonymous"],
] as const
type State = (typeof states)[number]

let server: Running
const tokens = new Map<State, string>([["anonymous", ""]])
let buyer: string
let owner: Visitor
let viewer: Visitor
let removed: Visitor
let stranger: Visitor
let operator: Visitor

/** A key, and what it is of. */
const issue = (
  account: string,
  state: State,
  more: { readonly agent?: string; readonly scopes?: ReadonlyArray<string>; readonly environment?: "test" } = {},
) =>
  Effect.flatMap(Accounts, (accounts) =>
    Effect.map(
      accounts.issueKey({ account, environment: "live", tier: "enterprise", rpm: 100_000, ...more }),
      ({ plaintext, key }) => {
        tokens.set(state, Redacted.value(plaintext))
        return key.id
      },
    ),
  )

const prepared = Effect.gen(function* () {
  const [accounts, agents] = [yield* Accounts, yield* Agents]
  const { id: account } = server.account
  const agentOf = (name: string, caps = {}) => Effect.map(agents.create(account, name, caps), ({ id }) => id)
  yield* issue(account, "good")
  yield* issue(account, "test", { environment: "test" })
  buyer = yield* agentOf("buyer")
  yield* issue(account, "agent", { agent: buyer })
  yield* issue(account, "sibling", { agent: yield* agentOf("sibling") })
  yield* issue(account, "scoped", { scopes: ["weather"] })
  yield* issue(account, "other lane", { scopes: ["none"] })
  yield* issue(account, "capped", { agent: yield* agentOf("capped", { monthlyCap: MicroUsd(0) }) })
  yield* issue(account, "paused", { agent: yield* agentOf("paused") })
  yield* agents.pause(yield* Effect.map(agents.findIn(account, "paused"), (found) => found!.id))
  yield* accounts.revokeKey(yield* issue(account, "removed"))
  for (const state of ["other account", "no money", "suspended"] as const) {
    const { id } = yield* accounts.create(state.replace(" ", "-"))
    if (state !== "no money") yield* accounts.credit(id, MicroUsd(10_000_000))
    yield* issue(id, state)
  }
  yield* accounts.suspend("suspended")
})

beforeAll(async () => {
  server = await start({}, { balance: 100_000_000 })
  await server.run(prepared)
  owner = await signIn(server, { account: "tester" })
  viewer = await signIn(server, { account: "tester", name: "vic", role: "viewer" })
  removed = await signIn(server, { account: "tester", name: "rem" })
  stranger = await signIn(server, { account: "other-account", name: "sam" })
  operator = await signIn(server, { operator: true, name: "op" })
  await server.run(
    Effect.gen(function* () {
      const people = yield* People
      const all = yield* people.members(server.account.id, { limit: 10 })
      yield* people.setRole(server.account.id, all.find(({ person }) => person.name === "rem")!.person.id, undefined)
    }),
  )
}, 120_000)
afterAll(() => server.stop())

/** The error with which a state's calls of an endpoint fail; undefined: with none that is about rights. */
const refusal = (state: State, { lane, endpoint }: Catalogue.Entry): string | undefined => {
  const isPaid = lane.about === "market" && Endpoint.charge(endpoint) > 0
  switch (state) {
    case "anonymous":
      return "missing_authorization"
    case "removed":
      return "invalid_api_key"
    case "suspended":
      return "account_suspended"
    case "paused":
      return "agent_paused"
    case "other lane":
      return lane.about === "caller" ? undefined : "insufficient_scope"
    case "scoped":
      return lane.about === "caller" || lane.name === "weather" ? undefined : "insufficient_scope"
    case "capped":
      if (lane.about === "account") return "insufficient_scope"
      return isPaid ? "agent_budget_exceeded" : undefined
    case "no money":
      if (lane.about === "account") return "insufficient_scope"
      return isPaid ? "insufficient_funds" : undefined
    default:
      // A key has the scope `manage` only if it was made with it.
      return lane.about === "account" ? "insufficient_scope" : undefined
  }
}

const ofRights = new Set(states.flatMap((state) => catalogue.entries.map((entry) => refusal(state, entry))))

const charges = () =>
  server.run(Effect.flatMap(Ledger, (ledger) => Effect.map(ledger.balance(server.account.id), Number)))

const request = (endpoint: Endpoint.Any): readonly [path: string, init: RequestInit] => {
  const example = endpoint.example as Readonly<Record<string, unknown>>
  if (Endpoint.methodOf(endpoint) === "POST") {
    return [
      endpoint.path,
      { method: "POST", body: JSON.stringify(example), headers: { "content-type": "application/json" } },
    ]
  }
  if (Endpoint.methodOf(endpoint) === "DELETE") return [exampleTarget(endpoint), { method: "DELETE" }]
  const query = new URLSearchParams(Object.entries(example).map(([name, value]) => [name, String(value)]))
  return [`${endpoint.path}?${query}`, {}]
}

/** Keyed endpoints that MCP has no tool of. */
const noTool = new Set(["sec_filing", "key", "plan_estimate"])

const keyed = withAccount(catalogue).entries.filter(({ endpoint }) => endpoint.auth === "key")

describe.sequential("a call over HTTP and over MCP", () => {
  it.each(keyed.map((entry) => [entry.endpoint.id, entry] as const))("of %s", async (_, entry) => {
    for (const state of states) {
      const [path, init] = request(entry.endpoint)
      const before = await charges()
      const { status, json } = await server.get(path, tokens.get(state)!, init)
      const code: string | undefined = status < 400 ? undefined : json.error.code
      const expected = refusal(state, entry)
      assert.strictEqual(ofRights.has(code) ? code : undefined, expected, state)
      if (state === "test" || expected !== undefined) assert.strictEqual(await charges(), before, state)
      if (expected === undefined) continue
      assert.notProperty(json, "results", state)
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call" }
      const params = { name: entry.endpoint.id, arguments: entry.endpoint.example }
      const answer = await fetch(`${server.url}/mcp`, {
        method: "POST",
        body: JSON.stringify({ ...body, params }),
        headers: {
          ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
          ...(state === "anonymous" ? {} : { authorization: `Bearer ${tokens.get(state)}` }),
        },
      })
      assert.include(await answer.text(), noTool.has(entry.endpoint.id) ? "Unknown tool" : code!, state)
    }
  })
})

/** Events as they are stored: of the account and of its agent `buyer`, about two lanes. */
const fired = async () => {
  const calls = { weather: "/v1/weather/settlement?station=KNYC", markets: "/v1/markets/edge?domain=nfl" }
  return server.run(
    Effect.gen(function* () {
      const [alerts, store] = [yield* Alerts, yield* AlertStore]
      const ids: Array<string> = []
      for (const [lane, call] of Object.entries(calls)) {
        for (const agent of [undefined, "buyer"]) {
          const threshold = lane === "markets" ? { threshold: 1 } : {}
          const alert = yield* alerts.create({
            account: server.account.id,
            call,
            ...threshold,
            ...ifDefined("agent", agent),
          })
          const [watched] = (yield* store.active).filter(({ id }) => id === alert.id)
          yield* store.remember(watched!, { above: [] }, { at: 1, changes: [] })
          const name = `${lane} of ${agent ?? "account"}`
          const id = `00000000-0000-4000-8000-00000000000${ids.length}`
          const event: Event<"alert.fired"> = {
            ...{ id, type: "alert.fired", at: Date.now(), livemode: true },
            data: {
              ...{
                alert_id: alert.id,
                name,
                kind: "edge",
                call,
                crossing: 1,
                crossed_at: "",
                changes: [],
                results: {},
              },
              ...{ key_id: alert.keyId, ...ifDefined("agent_id", alert.agentId) },
            },
          }
          assert.isTrue(yield* store.fire({ ...watched!, version: watched!.version + 1 }, event))
          yield* alerts.remove(alert.id)
          ids.push(`${event.at}-${id}`)
        }
      }
      return ids
    }),
  )
}

/** The names of the events that a stream brings within some of its looks, or why there is none. */
const follow = async (token: string, lastId: string, ms = 1_300): Promise<string | ReadonlyArray<string>> => {
  const stop = new AbortController()
  const response = await fetch(`${server.url}/v1/alerts/events`, {
    signal: stop.signal,
    headers: { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), "last-event-id": lastId },
  })
  if (response.status !== 200) return (await response.json()).error.code as string
  let text = ""
  setTimeout(() => stop.abort(), ms)
  try {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) text += piece
  } catch {}
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!).data.name)
}

describe.sequential("the stream of alerts", () => {
  let ids: ReadonlyArray<string>
  const all = ["weather of account", "weather of buyer", "markets of account", "markets of buyer"]
  const everything = "0-11111111-0000-4000-8000-000000000000"
  beforeAll(async () => {
    ids = await fired()
  })

  /** What each state is shown of what the account bought. */
  const shown: Readonly<Record<State, string | ReadonlyArray<string>>> = {
    good: all,
    agent: ["weather of buyer", "markets of buyer"],
    scoped: ["weather of account", "weather of buyer"],
    sibling: [],
    "other lane": [],
    "other account": [],
    "no money": [],
    capped: [],
    test: "insufficient_scope",
    paused: "agent_paused",
    suspended: "account_suspended",
    removed: "invalid_api_key",
    anonymous: "missing_authorization",
  }

  it.each(states)("shows to a key that is %s what it may read, and each event once", async (state) => {
    assert.deepEqual(await follow(tokens.get(state)!, everything), shown[state])
  })

  it("goes on after the event that a reader names, and does not send it again", async () => {
    assert.deepStrictEqual(await follow(tokens.get("good")!, ids[1]!, 2_200), all.slice(2))
  })

  it("ends when its agent is paused", async () => {
    const { pause, resume } = await server.run(Agents)
    const response = await fetch(`${server.url}/v1/alerts/events`, {
      headers: { authorization: `Bearer ${tokens.get("agent")}` },
    })
    assert.strictEqual(response.status, 200)
    await server.run(pause(buyer))
    // The end of the body, not of the test's patience.
    await response.text()
    await server.run(resume(buyer))
  })
})

/** The pages with what their paths name. */
const paths = async () => {
  const call = await newestCall(server)
  const names: Readonly<Record<string, string>> = {
    ...{ account: server.account.id, key: server.account.live.id, agent: buyer, endpoint: "weather_signal", call },
  }
  return allPages(catalogue).map((page) => ({
    page,
    path: page.path.replace(/:(\w+)/g, (whole, name: string) => names[name] ?? whole),
  }))
}

describe.sequential("a page, its files and its forms", () => {
  it("are for members of the account and operators, forms for those who may run their verb", async () => {
    const [gone, ended] = [visitorOf(server.url, "session=none"), removed]
    for (const { page, path } of await paths()) {
      // A webhook is made by no call of this test: its page says so to everybody.
      const isThere = !path.includes(":")
      for (const visitor of [gone, ended]) assert.strictEqual((await visitor.get(path)).status, 303, path)
      for (const visitor of [owner, viewer]) {
        const { status } = await visitor.get(path)
        assert.include(page.audience === "operator" || !isThere ? [404] : [200, 303], status, path)
      }
      if (page.path.includes(":") && !page.path.includes(":endpoint")) {
        assert.strictEqual((await stranger.get(path)).status, 404, path)
      }
      for (const ending of Object.keys(page.downloads ?? {})) {
        for (const visitor of [gone, ended]) assert.strictEqual((await visitor.get(path + ending)).status, 303, path)
        assert.strictEqual((await viewer.get(path + ending)).status, 200, path)
        assert.notInclude((await stranger.get(path + ending)).html, server.account.live.id, path)
      }
      const { html } = await viewer.get("/dashboard")
      for (const [name, { verb }] of Object.entries(page.actions ?? {})) {
        for (const visitor of [gone, ended]) {
          assert.include([303, 400], (await visitor.post(path, unseen(html, name))).status, `${path} ${name}`)
        }
        if (verb === undefined || verb.leastRole === "viewer") continue
        assert.strictEqual((await viewer.post(path, unseen(html, name))).status, 404, `${path} ${name}`)
      }
    }
  })

  it("tell their values to the session's account alone", async () => {
    for (const [visitor, status] of [
      [visitorOf(server.url, "session=none"), 401],
      [removed, 401],
      [operator, 404],
      [stranger, 404],
      [viewer, 200],
    ] as const) {
      assert.strictEqual((await visitor.get(`/dashboard/live.json?account=${server.account.id}`)).status, status)
    }
  })
})

describe("verbs", () => {
  it.each(Object.values(verbs(catalogue)).map((verb) => [verb.id, verb] as const))(
    "%s is there for the roles that may run it",
    async (_, verb) => {
      const ids = { webhook: "whk_none", alert: "alt_none", account: server.account.id }
      const params = Object.fromEntries(
        [...Endpoint.pathParamNames(verb)].map((name) => [name, ids[name as "alert"] ?? "none"]),
      )
      const { account: __, ...own } = params
      for (const role of ["viewer", "owner"] as const) {
        const actor = { who: "test", member: { accountId: server.account.id, role } }
        const isTheirs = verb.leastRole === "viewer" || verb.leastRole === role
        if (isTheirs && Endpoint.methodOf(verb) !== "GET") continue
        const done = await server.run(Effect.either(compile(verb as Any)({ _tag: "Json", value: own }, actor)))
        const isRefused = Either.isLeft(done) && done.left.code === "not_found" && done.left.detail === undefined
        assert.strictEqual(isRefused, !isTheirs, `${role}: ${JSON.stringify(done)}`)
      }
    },
  )
})

describe("every path of the server", () => {
  it("is an endpoint, a page of the dashboard, or named here", async () => {
    const routes = await server.run(Effect.scoped(App.routes(settings())))
    const pages = new Set(
      allPages(catalogue).flatMap(({ path, downloads }) => [
        path,
        ...Object.keys(downloads ?? {}).map((ending) => path + ending),
      ]),
    )
    const others = routes.map(({ path }) => path).filter((path) => !pages.has(path as `/dashboard${string}`))
    const named: Readonly<Record<string, ReadonlyArray<string>>> = {
      "the tests above": ["/mcp", "/v1/alerts/events", "/dashboard/live.json"],
      "its session is the key's that opened it": ["/mcp/sse", "/mcp/messages"],
      "sealedRights.test.ts": ["/v1/proof/inclusion"],
      "a session begins and ends": ["/dashboard/enter", "/dashboard/sign-out"],
      "the same for everybody": [
        ...["/record", "/v1/proof/checkpoint", "/v1/proof/consistency", "/v1/proof/leaves", "/v1/proof/verifier.mjs"],
        ...["checkpoint", "inclusion", "consistency", "leaves"].map((name) => `/record/demo/v1/proof/${name}`),
        ...["", "/markets", "/challengers/:model", "/manifest.json"].map((path) => `/scoreboard${path}`),
        ...["csv", "ndjson", "json", "parquet"].map((type) => `/scoreboard/settled.${type}`),
        ...["/forecasts", "/install"],
        ...["weather", "nfl", "mlb", "crypto", "markets"].map((lane) => `/${lane}/:subject`),
      ],
    }
    assert.sameMembers([...new Set(others)], Object.values(named).flat())
  })
})

import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Running, start } from "../../../../support/running.ts"
import { signIn, type Visitor } from "../visitor.ts"
import { assertSmallAndQuick, readAllPages } from "./longLists.ts"

const many = 10_000

let running: Running
let owner: Visitor

const idOf = (n: number): string => `agt_0${String(n).padStart(25, "0")}`

/** Ten thousand agents, a third of them revoked, each with spend, in the order of their ids. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = Date.now()
  const rows = Array.from({ length: many }, (_, n) => ({
    id: idOf(n),
    account_id: running.account.id,
    name: n % 100 === 0 ? `Crew ${n / 100}` : `bot ${n}`,
    status: n % 3 === 0 ? "revoked" : n % 3 === 1 ? "active" : "paused",
    monthly_cap_micros: 5_000_000,
    budget_cap_micros: null,
    created_at: now - many + n,
  }))
  const month = new Date(now).toISOString().slice(0, 7)
  const spent = rows.map(({ id }, n) => ({ agent_id: id, livemode: 1, month, micros: n }))
  for (let at = 0; at < many; at += 500) {
    yield* sql`INSERT INTO agents ${sql.insert(rows.slice(at, at + 500))}`
    yield* sql`INSERT INTO agent_spend ${sql.insert(spent.slice(at, at + 500))}`
  }
})

beforeAll(async () => {
  running = await start()
  await running.run(fill)
  owner = await signIn(running, { account: "tester" })
}, 120_000)
afterAll(() => running.stop())

/** The ids of the agents that a page lists; revoked ones are folded below the first page. */
const idsIn = (html: string): ReadonlyArray<string> => [
  ...new Set([...html.split("<details>")[0]!.matchAll(/href="\/dashboard\/agents\/(agt_\w+)"/g)].map(([, id]) => id!)),
]

const walk = (first: string) => readAllPages(owner, first, "agents", idsIn)

describe("an account with 10,000 agents", () => {
  it("has pages that stay small and quick", { timeout: 60_000 }, async () => {
    const paths = [
      "",
      "/agents",
      "/agents?state=ended",
      "/agents?q=nothing-has-this",
      "/agents?q=Crew",
      `/agents/${idOf(1)}`,
      "/keys",
      `/keys/${running.account.live.id}`,
      "/calls",
      "/playground/weather_signal",
    ]
    await assertSmallAndQuick(owner, paths)
  })

  it("lists every agent once, page by page, the revoked apart", { timeout: 120_000 }, async () => {
    const all = (isRevoked: boolean) =>
      Array.from({ length: many }, (_, n) => n)
        .filter((n) => (n % 3 === 0) === isRevoked)
        .map(idOf)
        .toReversed()
    const [open, ended] = [await walk("/dashboard/agents"), await walk("/dashboard/agents?state=ended")]
    assert.deepStrictEqual(open, all(false))
    assert.deepStrictEqual(ended, all(true))
    // Crew 1, 10 to 19: of the eleven, those that are not revoked.
    const crew = [1, ...Array.from({ length: 10 }, (_, n) => 10 + n)].filter((n) => (n * 100) % 3 !== 0)
    assert.sameMembers(
      [...(await walk("/dashboard/agents?q=cREW+1"))],
      crew.map((n) => idOf(n * 100)),
    )
  })

  it("shows spend against caps, and pauses where one is", async () => {
    const path = `/dashboard/agents?cursor=${idOf(5)}`
    const { html } = await owner.get(path)
    assert.deepStrictEqual(idsIn(html), [4, 2, 1].map(idOf))
    assert.include(html, "0.000004 USD of 5.00 USD")
    const { status, headers } = await owner.send(path, "pause", { agent: idOf(4) })
    assert.deepStrictEqual([status, headers.get("location")], [303, path])
    assert.include((await owner.get(`/dashboard/agents/${idOf(4)}`)).html, "paused")
    const name = await owner.get("/dashboard/agents/bot%204")
    assert.strictEqual(name.status, 404)
  })

  it("makes a key of any of them by its name", async () => {
    const { html } = await owner.send("/dashboard/keys/new", "create", { agent: "bot 4", environment: "test" })
    assert.match(html, /svk_test_/)
  })
})

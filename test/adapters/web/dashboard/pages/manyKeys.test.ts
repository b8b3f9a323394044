import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Agents } from "../../../../../core/account/Agents.ts"
import { day, dayOf } from "../../../../../core/time.ts"
import { type Running, start } from "../../../../support/running.ts"
import { signIn, type Visitor } from "../visitor.ts"
import { assertSmallAndQuick, readAllPages } from "./longLists.ts"

const many = 10_000

let running: Running
let owner: Visitor
let agent: string

/** Ten thousand keys, a third of them revoked, a tenth of an agent, in the order of their ids. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = Date.now()
  const { id } = yield* (yield* Agents).create("tester", "crowd", {})
  const rows = Array.from({ length: many }, (_, n) => ({
    id: `key_0${String(n).padStart(25, "0")}`,
    account_id: running.account.id,
    hash: `hash ${n}`,
    last_four: String(n).padStart(4, "0").slice(-4),
    name: n % 100 === 0 ? `Batch ${n / 100}` : null,
    environment: n % 2 === 0 ? "live" : "test",
    tier: "pro",
    per_minute: 600,
    agent_id: n % 10 === 0 ? id : null,
    created_at: now - many + n,
    revoked_at: n % 3 === 0 ? now : null,
  }))
  for (let at = 0; at < many; at += 500) yield* sql`INSERT INTO api_keys ${sql.insert(rows.slice(at, at + 500))}`
  return id
})

beforeAll(async () => {
  running = await start()
  agent = await running.run(fill)
  owner = await signIn(running, { account: "tester" })
  for (let calls = 0; calls < 3; calls++) await running.get("/v1/weather/settlement?station=KNYC")
}, 120_000)
afterAll(() => running.stop())

/** The ids of the keys that a page lists. */
const idsIn = (html: string): ReadonlyArray<string> => [
  ...new Set([...html.matchAll(/href="\/dashboard\/keys\/(key_\w+)"/g)].map(([, id]) => id!)),
]

describe("an account with 10,000 keys", () => {
  it("has pages that stay small and quick", { timeout: 60_000 }, async () => {
    const paths = [
      "",
      "/keys",
      "/keys?state=ended",
      "/keys?q=nothing-has-this",
      "/keys?q=Batch",
      `/keys/${running.account.live.id}`,
      "/usage?group=key",
      "/calls",
      `/calls?key=${running.account.live.id}`,
      `/agents/${agent}`,
    ]
    await assertSmallAndQuick(owner, paths)
  })

  it("lists every key once, page by page", { timeout: 120_000 }, async () => {
    const walk = (first: string) => readAllPages(owner, first, "keys", idsIn)
    const ended = await walk("/dashboard/keys?state=ended")
    assert.lengthOf(ended, Math.ceil(many / 3))
    assert.deepStrictEqual(ended, [...new Set(ended)].toSorted().toReversed())
    const batches = await walk("/dashboard/keys?q=bATCH+1")
    // Batch 1, 10 to 19: of the eleven, those that are not revoked.
    const expected = [1, ...Array.from({ length: 10 }, (_, n) => 10 + n)].filter((n) => (n * 100) % 3 !== 0)
    assert.lengthOf(batches, expected.length)
    const crowd = await walk("/dashboard/keys?q=crowd")
    assert.lengthOf(crowd, many / 10 - Math.ceil(many / 30))
  })

  it("shows the keys that spend most, the others as one row, and each key on one page", async () => {
    const at = Date.now() - (Date.now() % day) - day
    const row = { account_id: running.account.id, span: day, start: at, livemode: 1 }
    const own = (n: number) => ({ kind: "key", name: `key_0${String(n).padStart(25, "0")}`, calls: 1 })
    const total = (many * (many + 1)) / 2
    const before = await owner.get("/dashboard/usage?group=key")
    assert.notInclude(before.html, " others")
    await running.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = Array.from({ length: many }, (_, n) => ({ ...row, ...own(n), charged_micros: n + 1 }))
        for (let at = 0; at < many; at += 500) {
          yield* sql`INSERT INTO usage_sums ${sql.insert(rows.slice(at, at + 500))}`
        }
        const status = { kind: "status", name: "2xx", calls: many, charged_micros: total }
        yield* sql`INSERT INTO usage_sums ${sql.insert([{ ...row, ...status }])}`
      }),
    )
    const query = `group=key&from=${dayOf(at)}&to=${dayOf(at)}`
    const seen: Array<string> = []
    let path: string | undefined = `/dashboard/usage?${query}`
    for (let pages = 0; pages < 4 && path !== undefined; pages++) {
      const { html } = await owner.get(path)
      const ids = idsIn(html)
      assert.lengthOf(ids, 50, path)
      seen.push(...ids)
      assert.include(html, "9,950 others")
      // The total is that of all keys, whichever are shown.
      const [foot] = /<tfoot>[\s\S]*?<\/tfoot>/.exec(html)!
      assert.match(foot, new RegExp(`>${total / 1e6}0* USD<`))
      path = /<a href="([^"]+)">Next/.exec(html)?.[1]?.replaceAll("&amp;", "&")
    }
    const largest = Array.from({ length: 200 }, (_, n) => own(many - 1 - n).name)
    assert.deepStrictEqual(seen, largest)
    const { html } = await owner.get(`/dashboard/usage?${query}&after=9950`)
    assert.include(html, "Previous")
    assert.notInclude(html, "Next")
    assert.strictEqual(idsIn(html).at(-1), own(0).name)
    assert.strictEqual((await owner.get(`/dashboard/usage?${query}&after=x`)).status, 400)
  })

  it("names the keys of its calls", async () => {
    const { html } = await owner.get("/dashboard/calls")
    assert.include(html, `/dashboard/keys/${running.account.live.id}`)
    assert.include(html, `…${running.account.live.token.slice(-4)}`)
    const wrong = await owner.get("/dashboard/calls?key=key_00000000000000000000000000x")
    assert.strictEqual(wrong.status, 400)
    assert.include((await owner.get("/dashboard/calls.csv")).html, `…${running.account.live.token.slice(-4)}`)
  })
})

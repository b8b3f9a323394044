// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import { escapeFormula } from "../../../../../core/csv/write.ts"
import { capitalize } from "../../../../../core/text.ts"
import { iso } from "../../../../../core/time.ts"
import {
  agent,
  type Call,
  charges,
  count,
  micros,
  ndjson,
  operator,
  owner,
  rowsOf,
  running,
  startTraffic,
  stranger,
  turn,
  viewer,
  written,
} from "./traffic.ts"

startTraffic()

describe("the page of calls", () => {
  const filters: ReadonlyArray<readonly [string, () => string, (call: Call) => boolean]> = [
    ["nothing", () => "", () => true],
    ["an endpoint", () => "?endpoint=crypto_signal", ({ endpoint }) => endpoint === "crypto_signal"],
    ["an agent", () => `?agent=${agent}`, ({ agentId }) => agentId === agent],
    ["a key", () => `?key=${running.account.live.id}`, ({ keyId }) => keyId === running.account.live.id],
    ["failed", () => "?status=failed", ({ status }) => status >= 400],
    ["an exact status", () => "?status=404", ({ status }) => status === 404],
    ["an outcome", () => "?code=not_found", ({ status }) => status === 404],
    ["live keys", () => "?mode=live", () => true],
    ["test keys", () => "?mode=test", () => false],
    ["a status and a day", () => "?status=5xx&from=2026-11-01", ({ status, at }) => status >= 500 && at >= turn],
  ]
  it.each(filters)(
    "with %s leads through all of them, 50 at a time, as the export has them",
    async (_, query, passes) => {
      const lines = await ndjson(owner, query())
      const expected = written.filter(passes).toReversed()
      assert.deepStrictEqual(
        lines.map(({ at, charged_micros: charged, status }) => ({ at, charged, status })),
        expected.map(({ at, charged, status }) => ({ at: iso(at), charged, status })),
      )
      let seen = 0
      for (let path: string | undefined = `/dashboard/calls${query()}`; path !== undefined; ) {
        const { html, status } = await owner.get(path)
        assert.strictEqual(status, 200)
        assert.isBelow(html.length, 60_000)
        for (const [, fold = ""] of html.matchAll(/<tr>(<th scope="row"><time[\s\S]*?)<\/tr>/g)) {
          const [, status] = /<\/span> (\d{3})/.exec(fold)!
          const [, endpoint] = /data-label="Call"><a href="[^"]*">([^<]*)<\/a>/.exec(fold)!
          const [, charged] = /data-label="Charged">([^<]*) USD/.exec(fold)!
          const own = [...(fold.split("<details>")[1] ?? "").matchAll(/calls\/(req_\w+)/g)].map(([, id]) => id)
          const calls = expected.slice(seen, seen + Math.max(1, own.length))
          assert.deepStrictEqual(
            { endpoint, status, charged: micros(charged!), own },
            {
              endpoint: capitalize(calls[0]!.endpoint.replaceAll("_", " ")),
              status: String(calls[0]!.status),
              charged: charges(calls),
              own: calls.length === 1 ? [] : calls.map(({ id }) => id),
            },
          )
          // The row after it differs.
          const after = expected[seen + calls.length]
          const isPageEnd = (seen + calls.length) % 50 === 0
          const of = ({ endpoint, keyId, status }: Call) => `${endpoint} ${keyId} ${status}`
          for (const each of calls) assert.strictEqual(of(each), of(calls[0]!))
          if (after !== undefined && !isPageEnd) assert.notStrictEqual(of(after), of(calls[0]!))
          seen += calls.length
        }
        path = /<a href="([^"]*)">Older calls/.exec(html)?.[1]?.replaceAll("&amp;", "&")
      }
      assert.strictEqual(seen, expected.length)
    },
  )

  it("names the key's end and the agent", async () => {
    const [row] = rowsOf((await owner.get(`/dashboard/calls?agent=${agent}`)).html, "Calls")
    assert.match(row![4]!, /^svk_live_…\w{4}bot$/)
  })
})

describe("a file", () => {
  const files = [
    "/dashboard/calls.csv",
    "/dashboard/calls.ndjson",
    "/dashboard/wallet.csv",
    "/dashboard/wallet/statement.csv",
    "/dashboard/usage.csv",
  ]
  it("is not for anybody without a session, and not for an operator without an account", async () => {
    for (const path of files) {
      const response = await fetch(running.url + path, { redirect: "manual" })
      assert.deepStrictEqual([response.status, response.headers.get("location")], [303, "/dashboard/enter"], path)
      assert.strictEqual((await operator.get(path)).status, 404)
    }
  })

  it("has the own account's rows alone", async () => {
    assert.deepStrictEqual(await ndjson(stranger), [])
    for (const filter of [`key=${running.account.live.id}`, `agent=${agent}`]) {
      for (const path of ["/dashboard/calls", "/dashboard/calls.csv", "/dashboard/calls.ndjson"]) {
        const { status, html } = await stranger.get(`${path}?${filter}`)
        assert.strictEqual(status, 400, path)
        assert.include(html, "The account has no")
      }
    }
    assert.deepStrictEqual(
      (await stranger.get("/dashboard/wallet.csv")).html,
      "at,id,kind,micros,endpoint,reverses,provider,receipt\r\n",
    )
    assert.strictEqual((await ndjson(viewer)).length, count)
  })

  it("is an attachment that nobody keeps", async () => {
    for (const path of files) {
      const { headers } = await owner.get(path)
      assert.match(headers.get("content-disposition")!, /^attachment; filename="\w+\.\w+"$/)
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.isNull(headers.get("access-control-allow-origin"))
    }
    const { status, html } = await owner.send("/dashboard/agents/new", "create", { name: "x" }, {})
    assert.strictEqual(status, 400, html)
  })

  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["a=1", "a=1"],
    ["", ""],
  ])("keeps %j text in a spreadsheet", (text, cell) => {
    assert.strictEqual(escapeFormula(text), cell)
  })
})

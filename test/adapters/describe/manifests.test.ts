import { assert, describe, it } from "@effect/vitest"
import { countsJson, type DocumentSite, mcp, security, serverCard } from "../../../adapters/describe/manifests.ts"
import { catalogue } from "../../../core/lanes/all.ts"

const site = (changes: Partial<DocumentSite> = {}): DocumentSite =>
  ({ baseUrl: "https://api.example.com", catalogue, surface: { endpoints: [] }, ...changes }) as DocumentSite

describe("the pointer to MCP", () => {
  it("names the events of the deprecated transport only where it is served", () => {
    assert.notProperty(mcp(site()), "sse")
    const { sse } = mcp(site({ mcp: { legacySse: true } })) as { readonly sse: Readonly<Record<string, unknown>> }
    assert.deepStrictEqual([sse["url"], sse["deprecated"]], ["https://api.example.com/mcp/sse", true])
  })

  it("counts the tools of the served toolsets alone", () => {
    const all = mcp(site())
    const some = mcp(site({ mcp: { legacySse: false, toolsets: ["weather"] } }))
    assert.isBelow(some["tools_count"] as number, all["tools_count"] as number)
    assert.deepStrictEqual(some["toolsets"], ["weather"])
  })
})

describe("the card for registries", () => {
  it.each([
    ["https://api.example.com", "com.example.api/market-signals"],
    ["http://127.0.0.1:8000", "127.0.0.1/market-signals"],
    ["http://[::1]:8000", "1/market-signals"],
  ])("of %s is %s", (baseUrl, name) => assert.strictEqual(serverCard(site({ baseUrl }))["name"], name))

  it("has a remote for each transport", () => {
    const types = (card: Readonly<Record<string, unknown>>) =>
      (card["remotes"] as ReadonlyArray<{ readonly type: string }>).map(({ type }) => type)
    assert.deepStrictEqual(types(serverCard(site())), ["streamable-http"])
    assert.deepStrictEqual(types(serverCard(site({ mcp: { legacySse: true } }))), ["streamable-http", "sse"])
  })
})

it("the catalogue is counted as it is priced, beside the figures", () => {
  const priced = [...catalogue.byId.values()].map(({ endpoint }) => endpoint.priceMicros)
  const found = countsJson(catalogue, { station_days: 5 })
  assert.strictEqual(found["free_endpoints"], priced.filter((micros) => micros === 0).length)
  assert.strictEqual(found["lowest_paid_micros"], Math.min(...priced.filter((micros) => micros > 0)))
  assert.strictEqual(found["station_days"], 5)
})

it("the contact for security ends half a year after the start", () => {
  const lines = security("https://api.example.com", "mailto:a@b.c", Date.UTC(2026, 0, 1)).split("\n")
  assert.includeMembers(lines, ["Contact: mailto:a@b.c", "Expires: 2026-06-30T00:00:00.000Z"])
})

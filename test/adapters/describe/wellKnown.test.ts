import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { overStdio } from "../../../adapters/describe/clients.ts"
import * as Manifests from "../../../adapters/describe/manifests.ts"
import { versions } from "../../../adapters/describe/versions.ts"
import * as Mcp from "../../../adapters/server/mcp/mod.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { codes } from "../../../core/Failure.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import * as Release from "../../../core/release.ts"
import { type Running, start } from "../../support/running.ts"
import { reading, site, startSite } from "../web/docs/site.ts"

let running: Running
beforeAll(async () => {
  running = await startSite()
  // Generating the mock board takes seconds, on a busy machine half a minute: no page's time limit includes it.
  await fetched("/v1/markets/performance")
}, 120_000)
afterAll(() => running.stop())

const { fetched, json, text } = reading(() => running)

describe("/.well-known/mcp", () => {
  it("matches the protocol's own answer", async () => {
    const { authentication, stdio, sse, ...rest } = await json("/.well-known/mcp")
    assert.deepStrictEqual(rest, {
      name: Release.name,
      version: Release.version,
      description: Release.description,
      url: `${site}/mcp`,
      transports: ["stdio", "streamable-http", "http+sse"],
      protocol_versions: Mcp.Protocol.protocolVersions,
      capabilities: Mcp.Protocol.capabilities,
      tools_count: Catalogue.live(catalogue).length + 3,
      toolsets: ["weather", "football", "baseball", "crypto", "markets", "manage"],
      docs_url: `${site}/docs`,
      install_url: `${site}/install`,
    })
    assert.deepStrictEqual(sse, { url: `${site}/mcp/sse`, messages_url: `${site}/mcp/messages`, deprecated: true })
    assert.strictEqual(authentication.scheme, "bearer")
    // Nothing is named that cannot be started where the reader is.
    assert.isUndefined(stdio)
  })

  it("names the program that passes messages on where the server hands it out", () => {
    const of = (baseUrl: string, ...paths: ReadonlyArray<string>) => {
      const surface = { endpoints: [] } as never
      const served = (path: string) => paths.includes(path)
      return Manifests.mcp({ baseUrl, catalogue, surface, freshness: {}, served, mcp: { legacySse: false } })
    }
    const url = "https://api.example.com"
    assert.deepStrictEqual(of(url, "/install", "/install/market-signals-mcp.tgz")["stdio"], {
      ...overStdio(url, "")["market-signals"],
      env: ["MARKET_SIGNALS_KEY"],
    })
    assert.strictEqual(of(url, "/install")["install_url"], `${url}/install`)
    assert.notProperty(of(url, "/install"), "stdio")
    assert.notProperty(of(url), "install_url")
  })

  it("names no transport that is switched off", async () => {
    const other = await start({ mcp: { legacySse: false, allowedHosts: [], toolsets: [] } })
    const { transports, sse } = (await other.get("/.well-known/mcp", "")).json
    await other.stop()
    assert.deepStrictEqual([transports, sse], [["stdio", "streamable-http"], undefined])
  })

  it("counts the tools of the served toolsets", async () => {
    const other = await start({ mcp: { legacySse: true, allowedHosts: [], toolsets: ["crypto"] } })
    const { tools_count, toolsets } = (await other.get("/.well-known/mcp", "")).json
    await other.stop()
    assert.deepStrictEqual([tools_count, toolsets], [6, ["crypto"]])
  })

  it("has a card for registries, under the host's reversed name", async () => {
    const { name, version, remotes } = await json("/.well-known/mcp/server-card")
    assert.deepStrictEqual([name, version], [`com.example.api/${Release.name}`, Release.version])
    assert.deepStrictEqual(
      remotes.map(({ type, url }: { type: string; url: string }) => [type, url]),
      [
        ["streamable-http", `${site}/mcp`],
        ["sse", `${site}/mcp/sse`],
      ],
    )
  })
})

describe("/.well-known/agent-capabilities", () => {
  it("is small, and names tools, prices and figures as they are", async () => {
    const raw = await text("/.well-known/agent-capabilities")
    assert.isBelow(Buffer.byteLength(raw), 20_000)
    const { tools, figures, limits, data_freshness } = JSON.parse(raw)
    assert.deepStrictEqual(
      tools.map(({ name, path, price }: { name: string; path: string; price: { micros: number } }) => [
        name,
        path,
        price.micros,
      ]),
      Catalogue.live(catalogue).map(({ endpoint: { id, path, priceMicros } }) => [id, path, priceMicros]),
    )
    assert.deepStrictEqual(figures, {
      endpoints: Catalogue.counts(catalogue).endpoints,
      free_endpoints: Catalogue.counts(catalogue).free,
      lowest_paid_micros: 1_000,
    })
    assert.deepStrictEqual(limits.calls_per_minute, {
      indie: 60,
      studio: 600,
      pro: 6_000,
      enterprise: "per key",
      without_key: 60,
    })
    assert.strictEqual(data_freshness.weather, "mock")
  })

  it("leads to schemas and examples that answer", async () => {
    const { tools, documents } = await json("/.well-known/agent-capabilities")
    for (const { input, output } of tools) for (const path of [input, output]) await json(path)
    for (const path of Object.values<string>(documents)) assert.strictEqual((await fetched(path)).status, 200, path)
    const { example } = tools.find(({ name }: { name: string }) => name === "weather_settlement")
    assert.strictEqual((await running.get(example)).status, 200)
  })
})

describe("the documents of browsers and crawlers", () => {
  it("is there: a catalogue of the APIs whose links all answer, robots.txt, a site map of pages, an icon", async () => {
    const catalogued = await fetched("/.well-known/api-catalog")
    assert.match(
      catalogued.headers.get("content-type")!,
      /^application\/linkset\+json; profile="https:\/\/www.rfc-editor/,
    )
    const { linkset } = (await catalogued.json()) as { readonly linkset: ReadonlyArray<Record<string, unknown>> }
    assert.deepStrictEqual(
      linkset.map(({ anchor }) => anchor),
      [`${site}/v1`, `${site}/mcp`],
    )
    const links = linkset.flatMap(({ anchor: _, ...relations }) => Object.values(relations).flat()) as ReadonlyArray<{
      readonly href: string
      readonly type: string
    }>
    assert.isAbove(links.length, 7)
    const map = await text("/sitemap.xml")
    const pages = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, href]) => ({ href: href!, type: "text/html" }))
    assert.isAbove(pages.length, 8)
    for (const { href, type } of [...links, ...pages]) {
      const answer = await fetch(running.url + new URL(href).pathname, { headers: { accept: type } })
      assert.strictEqual(answer.status, 200, href)
      assert.include(answer.headers.get("content-type")!, type, href)
    }
    assert.include(await text("/robots.txt"), `Sitemap: ${site}/sitemap.xml`)
    assert.strictEqual((await fetched("/favicon.ico")).headers.get("content-type"), "image/svg+xml")
  })
})

describe("/.well-known/security.txt", () => {
  it("has a contact and ends within a year", async () => {
    const lines = (await text("/.well-known/security.txt")).split("\n")
    assert.strictEqual(lines[0], "Contact: mailto:security@example.com")
    const ends = Date.parse(lines.find((line) => line.startsWith("Expires: "))!.slice("Expires: ".length))
    assert.isAbove(ends, Date.now() + 90 * 86_400_000)
    assert.isBelow(ends, Date.now() + 365 * 86_400_000)
    assert.include(lines, `Canonical: ${site}/.well-known/security.txt`)
  })

  it("is not there without a contact", async () => {
    const other = await start()
    assert.strictEqual((await other.get("/.well-known/security.txt", "")).status, 404)
    await other.stop()
  })
})

describe("llms.txt", () => {
  it("has the form of llmstxt.org, and every link on this host answers", async () => {
    const raw = await text("/llms.txt")
    const [title, , quote] = raw.split("\n")
    assert.deepStrictEqual([title, quote], [`# ${Release.name}`, `> ${Release.description}`])
    const sections = raw.split(/^## /m).slice(1)
    assert.isAbove(sections.length, 5)
    const links = new Set<string>()
    for (const section of sections) {
      for (const line of section
        .split("\n")
        .slice(1)
        .filter((each) => each !== "")) {
        const [, url] = /^- \[[^\]]+\]\((https:[^)]+)\): \S.*$/.exec(line) ?? assert.fail(line)
        links.add(url!)
      }
    }
    for (const url of links) {
      assert.isTrue(url.startsWith(site), url)
      const [path, anchor] = url.slice(site.length).split("#")
      const page = await text(path!)
      if (anchor !== undefined) assert.include(page, `id="${anchor}"`)
    }
  })

  it("comes with the full reference", async () => {
    const raw = await text("/llms-full.txt")
    for (const { endpoint } of catalogue.entries) {
      assert.include(raw, `### ${Endpoint.methodOf(endpoint)} ${endpoint.path}\n`)
      for (const name of Object.keys(endpoint.params.fields)) assert.include(raw, `- \`${name}\` (`)
    }
    for (const code of Object.keys(codes)) assert.include(raw, `- \`${code}\` (`)
    assert.include(raw, "an integer from 5 to 1440, default 60")
  })
})

describe("/schemas/v1", () => {
  it("lists schemas that name themselves and refer to each other", async () => {
    const { schemas, version, released } = await json("/schemas/v1")
    assert.match(version, /^\d+\.\d+\.\d+$/)
    assert.strictEqual(released, versions[0]!.date ?? "unreleased")
    const { "x-schema-version": documented, "x-schema-released": day } = await json("/openapi.json")
    assert.deepStrictEqual([documented, day], [version, released])
    const known = new Set(schemas.map(({ url }: { url: string }) => url))
    for (const { name, url } of schemas) {
      const path = url.slice(site.length)
      const schema = await json(path)
      assert.deepStrictEqual([schema.$id, schema.title], [url, name])
      assert.strictEqual(schema.$comment, `Schemas ${version}, ${released}`)
      for (const [, ref] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) assert.isTrue(known.has(ref), ref)
    }
    assert.strictEqual((await fetched("/schemas/v1/Nothing.json")).status, 404)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { type Guide, guidePath } from "../../../../../adapters/describe/guides.ts"
import { emptySite, type Site } from "../../../../../adapters/server/http/Site.ts"
import { type Json, read } from "../../../../../adapters/web/docs/reference/operations.ts"
import { ofCommon, ofGroup, ofGuide, overview } from "../../../../../adapters/web/docs/reference/pages.tsx"
import { demoKey } from "../../../../../core/account/ApiKey.ts"

const at = "https://a.example"
const inDashboard: Site = { ...emptySite, served: (path) => path === "/dashboard" }

const operation = (tag: string, id: string, more: Json = {}): Json => ({
  get: { operationId: id, tags: [tag], summary: `Summary of ${id}`, ...more },
})

const sold: Json = {
  security: [{ key: [] }],
  "x-charged-micros": 2_000,
  "x-codeSamples": [{ source: `curl ${at}/v1/sky/now` }],
  parameters: [
    { name: "station", in: "query", description: "Where.", schema: {}, example: "KNYC" },
    { name: "unit", in: "query", description: "Which.", schema: {} },
  ],
  "x-error-codes": ["not_found", "storage_unavailable"],
}

const guides: ReadonlyArray<Guide> = [
  {
    ...{ name: "time", chapter: "Every call", path: guidePath("time"), title: "Days", summary: "When `day` begins." },
    text: "# Days\n\nWhen `day` begins.\n\n## By lane\n\nIt is [there](/dashboard) and [nowhere](/nope) else.",
  },
]

/** Two groups; `more` changes the operation of the first. */
const documentation = (more: Json = {}) => ({ guides, reference: reference(more) })

const reference = (more: Json = {}) =>
  read({
    info: { title: "Skies", version: "1.2.3", description: `\`curl ${at}\`\n\nFirst rule.\n\nSecond rule.` },
    tags: [
      { name: "sky", description: "Of the sky." },
      { name: "sea", description: "Of the sea." },
    ],
    paths: {
      "/v1/sky/now": operation("sky", "sky_now", { ...sold, ...more }),
      "/v1/sea/now": operation("sea", "sea_now"),
    },
  })

const shownGroup = (more: Json = {}, site = inDashboard) => {
  const all = documentation(more)
  return ofGroup(all, all.reference.groups[0]!, site, at, new Map())
}

/** The links of the list at the side; the current page's with a star. */
const side = (html: string) =>
  [
    ...html
      .slice(html.indexOf('class="side"'), html.indexOf("</nav>", html.indexOf('class="side"')))
      .matchAll(/<a href="([^"]*)"( aria-current="\w+")?>/g),
  ].map(([, to, current]) => `${to}${current === undefined ? "" : "*"}`)

describe("the list at the side", () => {
  const others = ["/docs/common", "/errors"]

  it("names every guide and group, and marks the page that is shown", () => {
    const html = overview(documentation(), emptySite, "https://api.test")
    const inGuides = ["/docs#guides", "/docs/guides/time"]
    assert.deepStrictEqual(side(html), ["/docs*", ...inGuides, ...others, "/docs/sky", "/docs/sea"])
  })

  it("has the operations of the group that is shown alone", () => {
    assert.deepStrictEqual(side(shownGroup()), [
      "/docs",
      "/docs#guides",
      ...others,
      "/docs/sky*",
      "#sky_now",
      "/docs/sea",
    ])
  })
})

describe("the first page", () => {
  it("has the line of each client, each guide, and each group with its prices", () => {
    const html = overview(documentation(), { ...emptySite, served: () => true }, "https://api.test")
    for (const name of ["curl", "Python", "Cursor"]) assert.match(html, new RegExp(`<label[^>]*>.*?${name}</label>`))
    assert.include(html, '<a href="/docs/guides/time">Days</a><p class="soft">When <code>day</code> begins.</p>')
    assert.include(html, '<a class="lane" href="/docs/sky">sky</a>')
    assert.lengthOf(html.match(/<td[^>]*>0\.002 USD<\/td>/g) ?? [], 1)
  })
})

describe("a page beside those of groups", () => {
  it("is a guide: its parts in order, with links to what is served alone", () => {
    const html = ofGuide(documentation(), guides[0]!, inDashboard)
    assert.include(
      html,
      '<h1>Days</h1><div class="listing"><p>When <code>day</code> begins.</p><h2 id="by-lane">By lane</h2>',
    )
    assert.include(html, '<a href="/dashboard">there</a> and nowhere else')
    assert.deepStrictEqual(side(html).slice(0, 3), ["/docs", "/docs#guides*", "/docs/guides/time*"])
  })

  it("is what many operations have", () => {
    for (const id of ["common", "fields", "errors"]) assert.include(ofCommon(documentation(), emptySite), `id="${id}"`)
  })
})

describe("the section of an operation", () => {
  const link = "/dashboard/playground/sky_now?station=KNYC"

  it("is shown with the demo key, but for what that key may not do; a path has its parameters", () => {
    assert.include(shownGroup(), demoKey)
    const remove = {
      ...{ operationId: "alerts_delete", tags: ["manage"], summary: "Delete" },
      ...{ ...sold, parameters: [{ name: "alert", in: "path", schema: {}, example: "alt_0" }] },
    }
    const all = {
      guides,
      reference: read({ info: {}, tags: [{ name: "manage" }], paths: { "/v1/alerts/{alert}": { delete: remove } } }),
    }
    const html = ofGroup(all, all.reference.groups[0]!, inDashboard, at, new Map())
    assert.notInclude(html, demoKey)
    assert.include(html.replaceAll("<wbr/>", ""), `${at}/v1/alerts/alt_0`)
  })

  it("leads to its form in the dashboard, with the example's parameters", () => {
    assert.include(shownGroup(), `<a href="${link}">Run it with your key</a>`)
    const without = shownGroup({ parameters: [] })
    assert.include(without, '<a href="/dashboard/playground/sky_now">Run it with your key</a>')
  })

  it.each<readonly [string, string]>([
    ["without a dashboard", shownGroup({}, emptySite)],
    ["without a price", shownGroup({ "x-charged-micros": undefined })],
    ["without a call", shownGroup({ "x-codeSamples": [] })],
    ["without a key", shownGroup({ security: [] })],
    ["that is deprecated", shownGroup({ deprecated: true })],
    ["in development", shownGroup({ "x-status": "development" })],
  ])("leads nowhere %s", (_, html) => {
    assert.notInclude(html, "Run it with your key")
  })

  it("is marked by who may call it, and how long", () => {
    const marks = ["no key", "in development", "deprecated"]
    const marked = (more: Json) => marks.filter((mark) => new RegExp(`badge[^>]*>${mark}<`).test(shownGroup(more)))
    assert.deepStrictEqual(marked({}), [])
    assert.deepStrictEqual(marked({ security: [] }), ["no key"])
    assert.deepStrictEqual(marked({ "x-status": "development" }), ["in development"])
    assert.deepStrictEqual(marked({ deprecated: true }), ["deprecated"])
  })

  it("lists parameters, body and errors where it has some", () => {
    const full = shownGroup()
    assert.include(full, "Parameters of sky_now")
    assert.include(full, "2 error codes of its own")
    assert.notInclude(full, "fields and errors")
    assert.notInclude(full, "Body:")
    const body = { content: { "application/json": { schema: { type: "object" } } } }
    const other = shownGroup({ parameters: [], "x-error-codes": [], requestBody: body })
    assert.notInclude(other, "Parameters of sky_now")
    assert.notInclude(other, "error codes of its own")
    assert.include(other, "Body: ")
  })
})

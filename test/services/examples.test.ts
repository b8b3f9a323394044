import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { curl } from "../../adapters/describe/operation.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { clockAt } from "../support/clock.ts"
import { documents } from "../support/documents/read.ts"
import { start } from "../support/running.ts"

/** Days of one year and the next: seasons and none, their first and last days, lists of the summer, a leap day. */
const days = [
  "2026-11-24T15:00:00Z",
  "2026-12-25T23:30:00Z",
  "2027-01-01T00:00:30Z",
  "2027-02-16T12:00:00Z",
  "2027-03-14T06:59:00Z",
  "2027-03-15T12:00:00Z",
  "2027-07-04T17:00:00Z",
  "2027-08-14T12:00:00Z",
  "2027-09-09T20:00:00Z",
  "2027-10-31T05:30:00Z",
  "2028-02-29T12:00:00Z",
]

/** What somebody tries first. */
const tried = ["/v1/nfl/qb?player=mahomes", "/v1/nfl/qb?player=Josh+Allen", "/v1/nfl/qb?player=00-0033873"]

const paths: ReadonlyArray<string> = catalogue.entries.map(({ endpoint }) => endpoint.path)

/** The requests that a text shows, without those whose values a reader has to fill in. */
const requestsIn = (text: string): ReadonlyArray<string> =>
  [
    ...text
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&")
      .matchAll(/\/v1\/[\w/]+\?[^\s"'`)\\<]+(?!<)/g),
  ]
    .map(([found]) => found)
    .filter((found) => paths.includes(found.split("?")[0]!) && !/[{}…]|=$/.test(found))

const ofDocuments = documents.flatMap((file) =>
  requestsIn(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")),
)

/** The parts of the OpenAPI document that hold examples. */
interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly parameters?: ReadonlyArray<{ readonly name: string; readonly example?: unknown }> }>
      >
    >
  >
}

/** Each parameter's own example is one of a call that works. */
const ofOpenApi = (document: Document): ReadonlyArray<string> =>
  Object.entries(document.paths).flatMap(([path, { get }]) => {
    const given = (get?.parameters ?? []).filter(({ example }) => example !== undefined)
    const query = new URLSearchParams(given.map(({ name, example }) => [name, String(example)]))
    return paths.includes(path) && given.length > 0 ? [`${path}?${query}`] : []
  })

describe("every example of the documents is answered", () => {
  it.each(days)("at %s", { timeout: 300_000 }, async (day) => {
    const running = await start({}, { clock: clockAt(Date.parse(day)) })
    try {
      const token = running.account.test.token
      const texts = await Promise.all(
        ["/openapi.json", "/llms.txt", "/llms-full.txt", "/", "/docs"].map(async (path) =>
          (await fetch(running.url + path)).text(),
        ),
      )
      const shown = [
        // Answers that were recorded name the days of their record.
        ...texts.flatMap((text) =>
          [...text.matchAll(/curl .*?\/v1\/[^\s"'`<\\]+/g)].flatMap(([line]) => requestsIn(line)),
        ),
        ...ofOpenApi(JSON.parse(texts[0]!)),
        ...ofDocuments,
        ...tried,
        ...catalogue.entries.flatMap(({ endpoint }) =>
          Endpoint.methodOf(endpoint) === "GET" ? requestsIn(curl(endpoint, "http://x")) : [],
        ),
      ]
      const requests = [...new Set(shown)]
      assert.isAtLeast(requests.length, 20)
      for (const request of requests) {
        const { status, json } = await running.get(request, token)
        assert.strictEqual(status, 200, `${request}: ${JSON.stringify(json)}`)
        assert.notProperty(json.results ?? {}, "ambiguous", request)
      }
      for (const { endpoint } of catalogue.entries) {
        if (Endpoint.methodOf(endpoint) !== "POST" || endpoint.writes !== undefined) continue
        const { status } = await running.get(endpoint.path, token, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(endpoint.example),
        })
        assert.strictEqual(status, 200, endpoint.path)
      }
    } finally {
      await running.stop()
    }
  })
})

import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { Figures } from "../../../../adapters/describe/figures.ts"
import { guidePath, names } from "../../../../adapters/describe/guides.ts"
import { stationDays } from "../../../../adapters/lanes/weather/store/ClimateReports.ts"
import type { Ready, Report } from "../../../../adapters/server/http/health.ts"
import type { Route } from "../../../../adapters/server/http/route.ts"
import { emptySite, Site } from "../../../../adapters/server/http/Site.ts"
import { layerStore } from "../../../../adapters/store/record/Settled.ts"
import * as Pages from "../../../../adapters/web/docs/pages.ts"
import { demoKey } from "../../../../core/account/ApiKey.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { codes, fail } from "../../../../core/Failure.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { SettledStore } from "../../../../core/record/scoreboard/SettledStore.ts"
import { type Running, start } from "../../../support/running.ts"
import { settledRows } from "../../../support/settledRows.ts"
import { skeletonDigest } from "../../../support/skeleton.ts"
import { reading, site, startSite } from "./site.ts"

let running: Running
beforeAll(async () => {
  running = await startSite()
  // Generating the mock board takes seconds, on a busy machine half a minute: no page's time limit includes it.
  await fetched("/v1/markets/performance")
}, 120_000)
afterAll(() => running.stop())

const { fetched, json, text } = reading(() => running)

it("the reference has the elements, prices and addresses that were looked at", async () => {
  const paths = [
    ...(await text("/sitemap.xml")).matchAll(/<loc>[^<]*?(\/docs(?:\/(?!guides)[^<]*)?|\/errors|\/get-a-key)<\/loc>/g),
  ]
  const digests = paths.map(async ([, path]) => [path!, skeletonDigest(await text(path!), running.url)] as const)
  assert.deepStrictEqual(Object.fromEntries(await Promise.all(digests)), {
    "/docs": "0568cc4a",
    "/docs/account": "c06c8fc6",
    "/docs/baseball": "dec82021",
    "/docs/challenge": "95fd8811",
    "/docs/common": "fdc7c516",
    "/docs/crypto": "b0f1ee33",
    "/docs/discovery": "50e00b67",
    "/docs/filings": "cb50f3c6",
    "/docs/football": "0a16837a",
    "/docs/health": "947f9d5f",
    "/docs/manage": "106a8615",
    "/docs/markets": "c96c1b8a",
    "/docs/proof": "c793262a",
    "/docs/weather": "c18b6cd0",
    "/errors": "66eec4a1",
    "/get-a-key": "b53ca53b",
  })
})

describe("figures", () => {
  const bodyOf = (routes: ReadonlyArray<Route>, at: string) => {
    const { handler } = routes.find(({ path }) => path === at)!
    assert(handler._tag === "App")
    return Effect.map(
      handler.app.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(new Request(site))),
        Effect.provideService(Site, emptySite),
      ),
      (response) => new TextDecoder().decode((response.body as unknown as { body: Uint8Array }).body),
    )
  }
  const figuresIn = (routes: ReadonlyArray<Route>) =>
    Effect.map(bodyOf(routes, "/.well-known/agent-capabilities"), (body) => JSON.parse(body).figures)

  it.scoped("of the front page are read at most once a minute", () =>
    Effect.gen(function* () {
      let reads = 0
      const board = Effect.sync(() => {
        reads += 1
        return undefined
      })
      const pages = yield* Pages.make(catalogue, { baseUrl: site, board }, [])
      for (let call = 0; call < 3; call++) assert.notInclude(yield* bodyOf(pages, "/"), "<figure")
      assert.strictEqual(reads, 1)
      yield* TestClock.adjust("61 seconds")
      yield* bodyOf(pages, "/")
      assert.strictEqual(reads, 2)
    }),
  )

  it.scoped("and guides are of the service that is there: llms-full.txt links nothing that is not served", () =>
    Effect.gen(function* () {
      const pages = yield* Pages.make(catalogue, { baseUrl: site }, [])
      const full = yield* bodyOf(pages, "/llms-full.txt")
      const linked = [...full.matchAll(/\]\(https:\/\/api\.example\.com([^)#]+)/g)].map(([, path]) => path)
      assert.isNotEmpty(linked)
      const paths = pages.map(({ path }) => path)
      for (const path of linked) assert.include(paths, path)
      assert.notIncludeMembers(paths, [guidePath("mcp")])
    }),
  )

  it.scoped("are recounted after a minute, and omitted without a source", () =>
    Effect.gen(function* () {
      let counted: Figures = {}
      const pages = yield* Pages.make(catalogue, { baseUrl: site, figures: Effect.sync(() => counted) }, [])
      assert.notProperty(yield* figuresIn(pages), "station_days")
      counted = { station_days: 72_846 }
      assert.notProperty(yield* figuresIn(pages), "station_days")
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* figuresIn(pages)).station_days, 72_846)
    }),
  )

  it("count real data only: no generated markets, although the scoreboard shows them", async () => {
    assert.isAbove((await json("/v1/markets/performance")).overall.markets_scored, 0)
    for (const path of ["/llms.txt", "/llms-full.txt"]) assert.notInclude(await text(path), "Counts:")
    const live = await start({ markets: "live" })
    const { figures } = (await live.get("/.well-known/agent-capabilities", "")).json
    assert.deepStrictEqual([figures.settled_head_to_heads, figures.open_contracts], [0, 0])
    assert.include(await fetch(`${live.url}/llms.txt`).then((page) => page.text()), "0 settled head-to-heads")
    await live.stop()
  })

  it("count a climate day once, however many versions its report has", async () => {
    const insert = (station: string, day: string, product: string) =>
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
        INSERT INTO climate_reports ${sql.insert({ station, day, product_id: product, issued_at: 0, status: "final", source: "test", received_at: 0, headline: "", correction: 0, flags: "[]", text: "" })}`,
      )
    const other = await start()
    await other.run(
      Effect.all([
        insert("KNYC", "2026-01-01", "a"),
        insert("KNYC", "2026-01-01", "b"),
        insert("KNYC", "2026-01-02", "c"),
        insert("KMIA", "2026-01-01", "d"),
      ]),
    )
    assert.strictEqual(await other.run(stationDays), 3)
    assert.strictEqual((await other.get("/.well-known/agent-capabilities", "")).json.figures.station_days, 3)
    assert.include(await (await fetch(`${other.url}/llms.txt`)).text(), "Counts: 3 station-days")
    await other.stop()
  })
})

describe("the front page", () => {
  const shown = (html: string) => html.includes("settled contracts")
  /** The page with its card and board, which its first readers do not wait for. */
  const whole = async (): Promise<string> => {
    const html = await text("/")
    return shown(html) && !html.includes("data-reload") ? html : await whole()
  }

  it("says for everybody what came true, and that generated markets are sample data", async () => {
    const html = await whole()
    const { overall } = await json("/v1/markets/performance?verbose=true")
    const [, said, happened] =
      /<h2>In sample data, when we said (\d+)\s%, it happened (\d+)\s% of the time\.<\/h2>/.exec(html)!
    const bin = overall.model.bins.find(
      (each: { mean_probability?: number }) => Math.round(100 * (each.mean_probability ?? 0)) === Number(said),
    )
    assert.strictEqual(Math.round(100 * bin.frequency), Number(happened))
    const dots = [...html.matchAll(/<circle class="dot model" cx="([\d.]+)" cy="([\d.]+)"/g)]
    const measured = overall.model.bins.filter((each: { frequency?: number }) => each.frequency !== undefined)
    assert.lengthOf(dots, measured.length)
    for (const [at, [, x, y]] of dots.entries()) {
      assert.closeTo(Number(x), 200 * measured[at].mean_probability, 0.006)
      assert.closeTo(Number(y), 80 - 80 * measured[at].frequency, 0.006)
    }
    assert.include(
      html,
      `Measured on ${overall.markets_scored.toLocaleString("en-US")} settled contracts, misses included`,
    )
    assert.include(html, `href="/scoreboard">The scoreboard</a>`)
  })

  it("has the least and the greatest price of a lane's data and of its forecasts", async () => {
    const html = await text("/")
    for (const lane of ["weather", "football"]) {
      const cells = html.split(`href="/docs/${lane}">${lane}</a>`)[1]!.split("</tr>")[0]!
      const micros = (isForecast: boolean) =>
        Catalogue.live(catalogue)
          .filter((each) => each.lane.name === lane && (each.endpoint.kind === "Signal") === isForecast)
          .map(({ endpoint }) => endpoint.priceMicros)
      const prices = [micros(false), micros(true)].flatMap((all) => [...new Set([Math.min(...all), Math.max(...all)])])
      const shown = [...cells.matchAll(/free|([\d.]+) USD/g)].map(([, usd = "0"]) => Math.round(Number(usd) * 1e6))
      assert.deepStrictEqual(shown, prices)
    }
  })

  it("shows a forecast as a picture, its call, which runs as it stands, and its answer", async () => {
    const html = await whole()
    assert.include(html, "Probabilities for prediction markets, by API</h1>")
    assert.match(html, /<figcaption>Probability of each high in [\w .]+ on [^<]*<\/figcaption><output/)
    assert.include(html, "Sample data</span>")
    const rows =
      /(-?\d+) °F<\/th><td[^>]*>(?:&lt; )?([\d.]+) %<\/td>(?:<td class="wide">([^<]+)<\/td><td[^>]*>[^<]*<\/td><td[^>]*>([^<]*)<)?/g
    const bars = [...html.matchAll(rows)]
    const sum = bars.reduce((total, [, , percent]) => total + Number(percent), 0)
    assert.isAbove(bars.length, 3)
    assert.isTrue(sum > 97 && sum < 103, String(sum))
    // Late in the day most books have one side: no price of the market is shown where there is none.
    const strikes = new Map(bars.flatMap(([, , , name, price]) => (name === undefined ? [] : [[name, price !== "–"]])))
    // The card names the contract of its event on which model and market differ most.
    const [, at] = /class="of"><a href="\/markets\/(KXHIGH\w+-\w+)-/.exec(html)!
    const start = new Date(Date.now() - 3_600_000).toISOString()
    const answer = await running.get(`/v1/markets/history?event=${at}&start=${start}`, demoKey)
    const { points } = answer.json.results
    const isPriced = new Map(points.map((point: { market: string }) => [point.market, "market_prob" in point]))
    assert.strictEqual(strikes.size, isPriced.size)
    assert.strictEqual([...strikes.values()].filter(Boolean).length, [...isPriced.values()].filter(Boolean).length)
    assert.include(html, demoKey)
    assert.include(html, '">Get a key</a>')
    const run = /<a href="([^"#]*)#weather_signal">run it here<\/a>/.exec(html)![1]!
    assert.include(await text(run.replaceAll("&amp;", "&")), "200, free")
  })

  it("shows the board of real markets, none where nothing has settled or the board cannot be read", async () => {
    const rows = Effect.flatMap(SettledStore, (store) => store.append(settledRows(300, 5)))
    for (const [prepared, status, isShown] of [
      [Effect.void, 200, false],
      [rows.pipe(Effect.provide(layerStore)), 200, true],
      [
        Effect.zipRight(
          rows.pipe(Effect.provide(layerStore)),
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE settled_rows RENAME TO gone`),
        ),
        500,
        false,
      ],
    ] as const) {
      const other = await start({ markets: "live" })
      await other.run(Effect.asVoid(prepared))
      assert.strictEqual((await other.get("/v1/markets/performance", "")).status, status)
      const response = await fetch(other.url)
      const html = await response.text()
      await other.stop()
      assert.strictEqual(response.status, 200)
      assert.deepStrictEqual([shown(html), html.includes("settled contracts (sample")], [isShown, false])
      assert.include(html, "Runs as it stands")
    }
  })
})

describe("the status page", () => {
  const lane = { last_good_at: null, age_seconds: null, stale: false }
  const report: Report = {
    status: "degraded",
    at: "2026-07-09T20:01:40.000Z",
    lanes: [
      { ...lane, lane: "weather", state: "up", since: null, detail: null },
      { ...lane, lane: "football", state: "down", since: "2026-07-09T18:00:00.000Z", detail: "No answer from x." },
    ],
    jobs: [{ name: "football-ingest", state: "failed", last_ok_at: null, overdue: true }],
  }
  const plain = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")
  const read = async (ready: Ready, changes = {}) => {
    const other = await start(changes, { ready })
    const response = await fetch(`${other.url}/status`)
    const words = plain(await response.text())
    await other.stop()
    return { response, words }
  }

  it("says in words what the report of /readyz says", async () => {
    const { response, words } = await read(Effect.succeed({ report }), { weather: "live", football: "live" })
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers.get("cache-control"), "no-store")
    for (const said of [
      "■ 1 of 5 lanes is down. Calls for its data answer 503 and cost nothing.",
      "Weather ● Up Weather, last 90 days: not checked yet.",
      "Football ■ Down since 18:00 Football, last 90 days:",
      "No answer from x.",
      "Crypto Sample data ● Up",
      "Checked 9 Jul 2026, 20:01 UTC",
    ]) {
      assert.include(words, said)
    }
  })

  it("is there while the store is not", async () => {
    const failure = fail("storage_unavailable", { detail: "The store did not accept a write in time." })
    const { response, words } = await read(Effect.succeed({ report: { status: "unavailable" }, failure }))
    assert.strictEqual(response.status, 200)
    assert.include(
      words,
      "■ Paid calls cannot be answered now, and are not charged. Store ■ stopped It does not answer.",
    )
  })
})

describe("an unknown address", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
  const get = (path: string) => fetch(`${running.url}${path}`, { headers: { accept: browser } })

  it.each(["/nope", "/docs/weathr", "/dashboard/nope", "/favicon.png"])(
    "%s answers a browser with a page",
    async (path) => {
      const response = await get(path)
      const html = await response.text()
      assert.deepStrictEqual(
        [response.status, response.headers.get("content-type"), response.headers.get("cache-control")],
        [404, "text/html; charset=utf-8", "no-store"],
      )
      assert.match(response.headers.get("content-security-policy")!, /default-src 'none'/)
      assert.match(response.headers.get("x-request-id")!, /^req_/)
      assert.include(html, "<h1>Page not found</h1>")
      assert.match(html, /<form class="search" action="\/docs\/search">/)
      for (const to of ["/", "/docs", "/status", "/dashboard"]) assert.include(html, `href="${to}"`)
    },
  )

  it("looks for the words of the address, and runs none of it", async () => {
    assert.include(await (await get("/settlement-report.html")).text(), 'href="/docs/search?q=settlement+report"')
    const html = await (await get("/%3Cscript%3Ealert(1)%3C/script%3E")).text()
    assert.notInclude(html, "<script>alert")
    const results = await (await get("/docs/search?q=settlement+report")).text()
    assert.include(results, "/v1/weather/settlement")
  })
})

describe("pages to read", () => {
  const groups = ["weather", "football", "baseball", "crypto", "markets", "account", "proof", "discovery", "health"]
  const pages = [
    ...["/", "/scoreboard", "/record", "/status", "/docs", "/docs/common", "/errors", "/errors/not_found"],
    ...groups.map((group) => `/docs/${group}`),
    ...names.map(guidePath),
  ]
  const hrefs = (html: string) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href]) => href!)

  for (const path of pages) {
    it(`${path} has nothing inline and nothing from elsewhere, and its links lead somewhere`, async () => {
      const response = await fetched(path)
      const html = await response.text()
      assert.strictEqual(response.status, 200)
      assert.match(response.headers.get("content-type")!, /^text\/html/)
      const policy = response.headers.get("content-security-policy")!
      for (const part of ["default-src 'none'", "style-src 'self'", "trusted-types 'none'"])
        assert.include(policy, part)
      assert.notInclude(policy, "unsafe-inline")
      assert.notMatch(html, / style=| on[a-z]+=|<style|<script(?! src)|<img/i)
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      assert.strictEqual(new Set(ids).size, ids.length)
      for (const href of hrefs(html)) {
        // Opens an editor on the visitor's machine.
        if (/^(cursor|vscode):/.test(href)) continue
        assert.match(href, /^[/#]/)
        if (href.startsWith("#")) assert.include(ids, href.slice(1))
      }
    })
  }

  it("link to pages that are there, and load files that are kept for good", async () => {
    const links = new Map<string, string>()
    // Of the entries of the record, of markets and of bins one stands for all: an address has 60 calls a minute.
    const seen = new Set<string>()
    for (const path of pages)
      for (const href of hrefs(await text(path))) {
        const [page = "", query] = href.split("?")
        const kind = page.replace(/^(\/markets\/).+/, "$1")
        const isMany = query !== undefined || kind !== page
        const isOne = !isMany || !seen.has(kind)
        if (isMany) seen.add(kind)
        if (href.startsWith("/") && isOne) links.set(href, path)
      }
    for (const [href, from] of links) {
      const [path, anchor] = href.split("#")
      const response = await fetched(path!)
      assert.strictEqual(response.status, 200, `${href} on ${from}`)
      const body = await response.text()
      if (anchor !== undefined) assert.include(body, ` id="${anchor}"`, `${href} on ${from}`)
      if (path!.startsWith("/assets/")) {
        assert.strictEqual(response.headers.get("cache-control"), "public, max-age=31536000, immutable")
      }
    }
  })

  it("show every operation with its price, a command and an answer", async () => {
    for (const { endpoint, lane } of catalogue.entries) {
      const html = await text(`/docs/${Endpoint.sectionOf(endpoint, lane)}`)
      const section = html.slice(html.indexOf(`id="${endpoint.id}"`)).split("</section></div></div>")[0]!
      assert.include(section, `${Endpoint.methodOf(endpoint)} ${endpoint.path}</code>`)
      assert.match(section, endpoint.priceMicros === 0 || endpoint.status === "development" ? />free</ : />0\.\d+ USD</)
      for (const form of ['<i class="hk">curl</i> ', "TypeScript", "Python", "MCP", "Answer <small>"]) {
        assert.include(section, form, endpoint.id)
      }
    }
  })

  it("list every error, each with a page", async () => {
    const html = await text("/errors")
    for (const code of Object.keys(codes)) {
      assert.include(html, `href="/errors/${code}"`)
      assert.include(await text(`/errors/${code}`), `<code>${code}</code>`)
    }
  })

  it("answer HEAD without a body and other methods with 405", async () => {
    const head = await fetch(`${running.url}/docs`, { method: "HEAD" })
    assert.deepStrictEqual([head.status, await head.text()], [200, ""])
    assert.strictEqual((await fetch(`${running.url}/docs`, { method: "POST" })).status, 405)
  })
})

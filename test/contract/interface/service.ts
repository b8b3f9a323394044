// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what the wire brought
import { assert } from "@effect/vitest"
import { freshnesses } from "../../../core/endpoint/Answer.ts"
import * as Signature from "../../../core/events/signature.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { elsewhere, except, heads, notShown, type Row, row, untested } from "./app.ts"
import {
  answers410,
  fairLine,
  keyed,
  nextGame,
  notOffered,
  prices,
  proofs,
  settlement,
  signal,
  slate,
} from "./calls.ts"
import { has } from "./fields.ts"

/** What the service is, its envelope and its resources. */
export const service: ReadonlyArray<Row> = [
  untested(
    "This document covers the whole service: the catalogue of paid and free data endpoints (weather, football, baseball, crypto, prediction-market edge and scoring), the response and error envelopes, authentication, webhooks, limits and versioning.",
    "Lists the parts of the interface: each has rows of its own.",
  ),
  untested("It is the only document.", "Is about the document, not the service."),
  row("Conventions used below: `{base_url}` is the service's host address.", async ({ ask, url, open }) => {
    assert.strictEqual((await ask("/v1/weather/stations")).status, 200)
    assert.include(Object.keys((await open("/openapi.json")).paths), "/v1/weather/stations", url)
  }),
  row("All paths start with `/v1`.", () => {
    for (const {
      endpoint: { path },
    } of catalogue.entries)
      assert.match(path, /^\/v1\//)
  }),
  untested(
    "Names of fields, parameters, headers, codes and enumerated values are exact.",
    "Says how to read the rest: every row compares names to the letter.",
  ),
  untested(
    "Values in sample payloads are never given; types and formats are.",
    "Is about samples, which the document does not have.",
  ),
  row(
    "Identifiers that carried the maker's brand are written with neutral words (key prefixes `svk_test_` and `svk_live_`, header `X-Service-Signature`, series fields `venue_high_series` and `venue_low_series`, field `weather_service_product_id`).",
    async ({ account, results }) => {
      assert.match(account.live.token, /^svk_live_/)
      assert.match(account.test.token, /^svk_test_/)
      assert.property(Signature.headerMeanings, "X-Service-Signature")
      const [{ settles }] = (await results("/v1/weather/stations")).stations
      assert.containsAllKeys(settles, ["venue_high_series", "venue_low_series"])
      assert.property((await results(settlement)).settlement, "weather_service_product_id")
    },
  ),
  row(
    "The service sells records and model outputs as JSON over HTTP, charged per call from a prepaid wallet.",
    async ({ customer, get }) => {
      const key = await customer("reader", 3_000)
      const { headers, json } = await get(settlement, key)
      assert.match(headers.get("content-type")!, /^application\/json/)
      assert.strictEqual(json._meta.price.charged_micros, 1_000)
    },
  ),
  row(
    "It is built for software agents, so every keyed response carries reasoning, citations, a confidence score and the price charged.",
    async ({ ask }) => {
      for (const path of keyed) {
        const { _reasoning, _citations, _confidence, _meta } = (await ask(path)).json
        has(
          { _reasoning, _citations, _confidence, _meta },
          {
            string: "_reasoning[] _citations[].source _confidence.label _meta.price.display",
            probability: "_confidence.score",
          },
        )
      }
    },
  ),
  row("The catalogue has five lanes and one in-development endpoint.", () => {
    const paths = catalogue.entries.map(({ endpoint: { path, status } }) => ({ lane: path.split("/")[2], status }))
    for (const lane of ["weather", "nfl", "mlb", "crypto", "markets"]) {
      assert.isTrue(
        paths.some((each) => each.lane === lane && each.status !== "development"),
        lane,
      )
    }
    assert.deepStrictEqual(
      paths.filter(({ status }) => status === "development").map(({ lane }) => lane),
      ["sec"],
    )
  }),
  except(
    "Figures stated for the catalogue: 3 live lanes, 6 free endpoints, lowest paid call 0.001 USD, 65,668 settled head-to-heads, 738 open contracts tracked.",
    "2026-11-27",
    "Figures of the maker's record, which this service has not. Its own count its catalogue and its scoreboard, and are shown by it.",
    async ({ open }) => {
      const { figures } = await open("/.well-known/agent-capabilities")
      assert.strictEqual(figures.lowest_paid_micros, 1_000)
      const free = catalogue.entries.filter(
        ({ endpoint: { priceMicros, path } }) => priceMicros === 0 && path in prices,
      )
      assert.lengthOf(free, 6)
    },
  ),
  untested("The service is in closed alpha.", "Is about the maker's service at its time."),
  row("Some responses carry mock data (see `_meta.data_freshness`).", async ({ ask }) =>
    assert.strictEqual((await ask(settlement)).json._meta.data_freshness, "mock"),
  ),
  elsewhere(
    "Field names, types and the envelope are stated to stay stable when real provider data replaces mock data.",
    "test/services/weatherHistory.test.ts",
    "has the same fields in mock, shadow and live",
  ),
  row(
    "The paths `/v1/options/unusual`, `/v1/factor/score`, `/v1/backtest/run`, `/v1/jobs/{job_id}`, `/v1/equity/research`, `/v1/regime/classify`, `/v1/news/sentiment` and `/v1/portfolio/risk` are not offered.",
    async ({ open }) => {
      const { paths } = await open("/openapi.json")
      for (const path of notOffered) assert.notProperty(paths, path.replace("j1", "{job_id}"))
    },
  ),
  row("Requests to them answer HTTP 410 with the code `not_offered`.", answers410),
  row("They carry no price, are not in the catalogue and are unsupported.", async ({ ask, open }) => {
    const listed = JSON.stringify(await open("/.well-known/agent-capabilities"))
    for (const path of notOffered) {
      assert.isFalse(catalogue.byPath.has(path))
      assert.notInclude(listed, path)
      assert.isNull((await ask(path)).headers.get("x-charged-micros"))
    }
  }),
  row("Every successful keyed (2xx) response carries the data under `results` plus these fields.", async ({ ask }) => {
    const { json } = await ask(settlement)
    assert.includeMembers(Object.keys(json), ["results", "_reasoning", "_citations", "_confidence", "_links", "_meta"])
  }),
  row("Null or missing fields are omitted, never sent as null in one place and absent in another.", async ({ ask }) => {
    const nulls = (value: unknown, path: string): ReadonlyArray<string> =>
      value === null
        ? [path]
        : typeof value === "object"
          ? Object.entries(value as object).flatMap(([key, each]) =>
              nulls(each, Array.isArray(value) ? path : `${path}.${key}`),
            )
          : []
    for (const path of keyed) {
      const { json } = await ask(path)
      const found = nulls(json, "").filter(
        (name) => !/\.(settles\.\w+|home_score|away_score|result|total|week|coverage\.\w+)$/.test(name),
      )
      assert.deepStrictEqual(found, [], path)
    }
  }),
  row(
    "(Samples in the weather and football lanes do show explicit `null` values inside `results`, for example `polymarket`, `result`, `home_score`; consumers must accept both.)",
    async ({ results }) => {
      const { stations } = await results("/v1/weather/stations")
      assert.isTrue(stations.some(({ settles }: any) => settles.polymarket === null))
      const { games } = await results(slate)
      const unplayed = games.find(({ gameday }: any) => gameday > "2026-09-14")
      assert.deepStrictEqual([unplayed.result, unplayed.home_score], [null, null])
    },
  ),
  row(
    "`data_freshness` values: `mock` = deterministic mock data (default during closed alpha); `shadow` = real provider called and logged for comparison while mock data is still returned; `live` = real provider output.",
    async ({ ask }) => {
      for (const path of keyed) assert.strictEqual((await ask(path)).json._meta.data_freshness, "mock", path)
      assert.deepStrictEqual(freshnesses.toSorted(), ["live", "mock", "shadow"])
    },
  ),
  row(
    "Opt-in envelope fields via query `include=` (comma-separated): `_alternatives` (results that ranked just below), `_counterfactual` (result if one key input changed), `_suggestions` (0 to 3 follow-up calls).",
    async (app) => {
      const { ask } = app
      const included = "_alternatives _counterfactual _suggestions"
      const { json } = await ask(`${signal}&include=${included.replaceAll(" ", ",")}`)
      has(json, { array: "_alternatives _suggestions", object: "_counterfactual" })
      assert.isAtMost(json._suggestions.length, 3)
      const plain = (await ask(signal)).json
      for (const name of included.split(" ")) assert.notProperty(plain, name)
      const odds = `/v1/mlb/fair-odds?game_pk=${await nextGame(app)}`
      for (const path of [signal, fairLine, odds, "/v1/crypto/signal?asset=BTC", "/v1/markets/edge?domain=nfl"]) {
        const { _counterfactual } = (await ask(`${path}&include=_counterfactual`)).json
        has(_counterfactual, { string: "input", number: "from to result{} delta{}" })
      }
    },
  ),
  row(
    "Proof endpoints and the settled-rows endpoint return plain JSON with no envelope and no key.",
    async ({ open }) => {
      for (const path of proofs) assert.notProperty(await open(path), "_meta", path)
    },
  ),
  ...heads("Endpoint kinds:", "`_meta` fields:"),
  ...notShown("Element fields of these three: not shown."),
]

// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what the wire brought
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../core/account/Accounts.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { weatherMapping as weatherContracts } from "../../../core/lanes/weather/contracts.ts"
import { type Check, elsewhere, except, heads, notShown, type Row, row } from "./app.ts"
import {
  candidates,
  countsRows,
  emptyWallet,
  everyRow,
  fairLine,
  filing,
  keyed,
  prices,
  proofs,
  settlement,
  signal,
  slate,
} from "./calls.ts"
import { has } from "./fields.ts"

/** The endpoints of the interface are all GET. */
const areRead: Check = () => {
  for (const path of Object.keys(prices)) {
    assert.strictEqual(Endpoint.methodOf(catalogue.byPath.get(path)!.endpoint), "GET")
  }
}

/** States, endpoints and the rules of requests. */
export const rules: ReadonlyArray<Row> = [
  except(
    "All catalogue endpoints are GET.",
    "2026-11-27",
    "Those of the interface are. Later ones that record opinions and challenges write, and are POST.",
    areRead,
  ),
  row("Parameters go in the query string.", async ({ open }) => {
    const { paths } = await open("/openapi.json")
    for (const path of Object.keys(prices)) {
      for (const each of paths[path].get.parameters ?? []) {
        const name = each.$ref ?? each.in
        assert.match(name, /^(query|header)$|^#/, path)
      }
      assert.notProperty(paths[path].get, "requestBody")
    }
  }),
  row("Responses are JSON.", async ({ ask }) => {
    for (const path of keyed) assert.match((await ask(path)).headers.get("content-type")!, /^application\/json/)
  }),
  row("Keyed endpoints use the envelope; Proof endpoints and `/v1/markets/settled` do not.", async ({ ask, open }) => {
    for (const path of keyed) assert.property((await ask(path)).json, "results", path)
    for (const path of proofs) assert.notProperty(await open(path), "results", path)
  }),
  row("Prices are list prices per call, in USD, charged from the prepaid wallet.", async ({ customer, get, run }) => {
    const key = await customer("list", 20_000)
    assert.strictEqual((await get(signal, key)).json._meta.price.charged_micros, prices["/v1/weather/signal"])
    const { balance } = await run(Effect.flatMap(Accounts, (accounts) => accounts.balance("list")))
    assert.strictEqual(balance, 10_000)
  }),
  row("Every keyed response states the charge in `_meta.price`.", async ({ ask }) => {
    for (const path of keyed) {
      const micros = prices[path.split("?")[0]!]!
      assert.deepStrictEqual(
        (await ask(path)).json._meta.price,
        {
          display: micros === 0 ? "free" : `${micros / 1_000_000} USD`,
          charged_micros: path.startsWith("/v1/sec") ? 0 : micros,
        },
        path,
      )
    }
  }),
  row("A failed call is not billed.", async ({ customer, get, run }) => {
    const key = await customer("failing", 50_000)
    for (const path of [
      "/v1/weather/settlement?station=NOPE",
      "/v1/weather/signal",
      "/v1/nfl/fair-line?game_id=x",
      "/v1/jobs/j1",
    ]) {
      assert.isAbove((await get(path, key)).status, 399, path)
    }
    const { balance } = await run(Effect.flatMap(Accounts, (accounts) => accounts.balance("failing")))
    assert.strictEqual(balance, 50_000)
  }),
  row("An empty wallet returns 402 with a quote.", emptyWallet),
  row("Settlement values are the report values verbatim, with no modeling.", async ({ ask, results }) => {
    const { json } = await ask(settlement)
    assert.match(json._reasoning.join(" "), /verbatim/)
    has((await results(settlement)).settlement, { integer: "high_f low_f" })
  }),
  row(
    "In `probabilities.ge`, `ge[T]` is the probability that the official high is at least T.",
    async ({ results }) => {
      const { pmf, ge } = (await results(signal)).probabilities
      const keys = Object.keys(pmf)
        .map(Number)
        .toSorted((a, b) => a - b)
      for (const [at, key] of keys.entries()) {
        const tail = keys.slice(at).reduce((sum, each) => sum + pmf[each], 0)
        assert.approximately(ge[key], tail, 1e-4, String(key))
      }
    },
  ),
  row(
    "A contract phrased 'greater than T' that settles on the official report pays when the settled integer is at least T+1, so it is priced from `ge[T+1]`.",
    async ({ results }) => {
      const { ge } = (await results(signal)).probabilities
      for (const strike of [68, 72, 75]) {
        const contract = {
          series: "KXHIGHNY",
          strikeType: "greater",
          floorStrike: strike,
          settlesOn: "National Weather Service",
        }
        assert.strictEqual(weatherContracts.probability(contract as never, { high: ge } as never), ge[strike + 1])
      }
    },
  ),
  row("`uncertainty.sigma_f` widens with `lead_days`.", async ({ results }) => {
    const leads = ["14", "15", "16", "17", "18", "19"]
    const found = await Promise.all(leads.map((day) => results(`${signal}&target=2026-09-${day}`)))
    for (const name of ["lead_days", "sigma_f"]) {
      const values = found.map(({ uncertainty }) => uncertainty[name])
      assert.deepStrictEqual(
        values,
        [...new Set(values)].toSorted((a, b) => a - b),
        name,
      )
    }
  }),
  elsewhere(
    "Every live signal call is snapshotted beside the venue's open strikes and scored on the public scoreboard.",
    "test/services/liveDay.test.ts",
    "records the signals of each hour whose inputs were there, and no others",
  ),
  row("`alerts[]` and `risk_flags[]` return active alerts without a second call.", async ({ results }) => {
    const { stations } = await results("/v1/weather/stations")
    const answers = await Promise.all(
      stations.map(({ coordinates: { lat, lon } }: any) => results(`/v1/weather/forecast?lat=${lat}&lon=${lon}`)),
    )
    for (const { alerts, risk_flags } of answers) has({ alerts, risk_flags }, { array: "alerts risk_flags" })
    assert.isTrue(answers.some(({ risk_flags }) => risk_flags.length > 0))
    assert.isTrue(answers.some(({ alerts }) => alerts.length > 0))
  }),
  row("Rules: `game_id` from `/v1/nfl/games` is accepted by fair-line.", async ({ results }) => {
    const { games } = await results(slate)
    const { game_id } = games.find(({ result }: any) => result === null)
    assert.strictEqual((await results(`/v1/nfl/fair-line?game_id=${game_id}`)).game.game_id, game_id)
  }),
  row("An ambiguous quarterback name returns candidates rather than a guess.", candidates),
  elsewhere(
    "Fair-line calls for unplayed games are stored append-only and scored at `/v1/nfl/performance`.",
    "test/services/football.test.ts",
    "serves a live key from the store, and puts its line of a game to come on the record",
  ),
  row("`edge.spread_points` is the gap to the posted line and `edge.side` says which way.", async ({ results }) => {
    const { fair_line, market, edge } = (await results(fairLine)).prediction
    const gap = fair_line.home_margin - market.spread_line
    assert.approximately(edge.spread_points, gap, 0.006)
    assert.strictEqual(edge.side, gap > 0 ? "home" : "away")
  }),
  elsewhere(
    "Rules: check `tape.stale` before trusting a spot number.",
    "test/core/lanes/crypto/Crypto.test.ts",
    "the age of the tape",
  ),
  row(
    "For a 'greater' contract with strike S on the hourly venue series, use `p_above` at that strike.",
    async ({ results }) => {
      const { p_above, market_note } = await results("/v1/crypto/signal?asset=ETH")
      assert.match(market_note, /For a 'greater' contract with strike S use p_above at S\.$/)
      const [{ strike, p_above: chance }] = p_above
      const asked = await results(`/v1/crypto/signal?asset=ETH&strikes=${strike}`)
      assert.strictEqual(asked.p_above[0].p_above, chance)
    },
  ),
  elsewhere(
    "Signal calls are scored 24 times per day per asset on the public scoreboard.",
    "test/adapters/runtime/scheduler/cryptoCapture.test.ts",
    "captures 24 a day and asset",
  ),
  row(
    "Rules: the edge board lists every live contract where model and market probabilities differ by 0.05 or more, largest first; `actionable` is true at 0.05 or more.",
    async ({ results }) => {
      const { edges } = await results("/v1/markets/edge")
      const gaps = edges.map(({ edge }: any) => Math.abs(edge))
      assert.isNotEmpty(gaps)
      for (const gap of gaps) assert.isAtLeast(gap, 0.05)
      assert.deepStrictEqual(
        gaps,
        gaps.toSorted((a: number, b: number) => b - a),
      )
      for (const { actionable } of edges) assert.isTrue(actionable)
    },
  ),
  row("The row-selection rule of the settled endpoint is identical to the scoreboard's.", countsRows),
  row("Returns a structured section summary plus the diff; deterministic mock JSON.", async ({ ask }) => {
    const { json } = await ask(filing)
    has(json.results, { array: "sections", object: "filing diff" })
    assert.strictEqual(json._meta.data_freshness, "mock")
    const again = await ask(`${filing}&diff=true`)
    assert.deepStrictEqual(again.json.results, json.results)
    assert.notProperty((await ask(`${filing}&diff=false`)).json.results, "diff")
  }),
  row(
    "Field selection: default is a slim shape; `fields=a,b,c` is a comma-separated allow-list; `fields=*` or `verbose=true` returns the full payload.",
    async ({ results }) => {
      const some = await results(`${signal}&fields=target_day,uncertainty.sigma_f`)
      assert.deepStrictEqual(
        [Object.keys(some), Object.keys(some.uncertainty)],
        [["target_day", "uncertainty"], ["sigma_f"]],
      )
      const [slim, every, verbose] = await Promise.all(
        ["", "&fields=*", "&verbose=true"].map((more) => results(signal + more)),
      )
      assert.deepStrictEqual(every, verbose)
      assert.isAbove(Object.keys(verbose).length, Object.keys(slim).length)
    },
  ),
  row(
    "Pagination: cursor style with `cursor` (opaque string) and `limit` (maximum 200); the next cursor is in `_meta.next_cursor`.",
    async ({ ask, refused }) => {
      const ids: Array<string> = []
      let cursor: string | undefined
      do {
        const { json } = await ask(
          `${slate.replace("limit=200", "limit=150")}${cursor === undefined ? "" : `&cursor=${cursor}`}`,
        )
        ids.push(...json.results.games.map(({ game_id }: any) => game_id))
        cursor = json._meta.next_cursor
      } while (cursor !== undefined)
      assert.lengthOf(new Set(ids), 272)
      assert.lengthOf(ids, 272)
      await refused("/v1/nfl/games?limit=201", 400, "invalid_parameter")
    },
  ),
  row("The settled-rows endpoint pages by `before` and `next_before` instead.", async ({ open }) => {
    const walked = await everyRow(open, "weather", 10)
    assert.deepStrictEqual(
      walked.map(({ market_ticker }) => market_ticker),
      (await everyRow(open, "weather")).map(({ market_ticker }) => market_ticker),
    )
  }),
  row("POST endpoints accept header `Idempotency-Key` holding a UUIDv4.", async ({ url, account }) => {
    const isRefused = async (key: string) => {
      const answer = await fetch(`${url}/v1/bench/withdraw`, {
        method: "POST",
        body: "{}",
        headers: {
          ...{ authorization: `Bearer ${account.live.token}`, "content-type": "application/json" },
          "idempotency-key": key,
        },
      })
      const { error } = (await answer.json()) as any
      return error.hints.some(({ field }: any) => field === "Idempotency-Key")
    }
    assert.isTrue(await isRefused("5e9a3f1c-1b1d-11ee-be56-0242ac120002"))
    assert.isFalse(await isRefused("9b2f1c8e-6d0a-4c5b-8f3e-2a7d1e0c9b4a"))
  }),
  except(
    "No catalogue endpoint is POST.",
    "2026-11-27",
    "Those of the interface are. Later ones that record opinions and challenges write, and are POST.",
    areRead,
  ),
  row(
    "Response headers: `X-Request-Id`, `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`.",
    async ({ ask }) => {
      const { headers, json } = await ask(settlement)
      for (const name of ["limit", "remaining", "reset"]) assert.match(headers.get(`x-ratelimit-${name}`)!, /^\d+$/)
      assert.strictEqual(headers.get("x-request-id"), json._meta.request_id)
    },
  ),
  ...heads(
    "State sets that appear:",
    "Transitions that are shown:",
    "Parameters:",
    "Response shapes are in Resources.",
    "Rules:",
  ),
  ...notShown(
    "Transitions: not shown (for any state set not in the table above).",
    "Baseball game `state` values other than `Scheduled`: not shown.",
    "Job states and job record fields: not shown.",
    "Whether at least one of `game_id` or `team` is required on fair-line: not shown.",
    "Response fields of this endpoint beyond the envelope: not shown.",
    "These are described for the service generally; their applicability to each catalogue endpoint: not shown.",
    "Full field lists of the excerpted responses beyond the fields listed in Resources: not shown.",
  ),
]

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { addDays } from "../../core/time.ts"
import { clockAt } from "../support/clock.ts"
import { requestOf } from "../support/requests.ts"
import { type Running, start } from "../support/running.ts"

/** All four domains trade on this day. */
const today = Date.UTC(2026, 8, 10)

// biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
type Json = any

const pathOf = (path: string, params: unknown): string => {
  const query = Object.entries(params as object).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return `${path}?${query.join("&")}`
}

describe("what answers refer to, in the demonstration world", { timeout: 300_000 }, () => {
  let service: Running
  beforeAll(async () => {
    const clock = clockAt(today)
    service = await start({}, { clock })
    // An hour at which every domain has an edge; what is asked then is asked at one moment.
    for (let hour = 15; hour < 24; hour++) {
      clock.set(today + hour * 3_600_000 + 20_000)
      const { edges } = (await service.get("/v1/markets/edge", service.account.test.token)).json.results
      const domains = new Set(edges.map(({ signal_url }: Json) => new URL(signal_url, service.url).pathname))
      if (domains.size === 4) break
    }
    // The board names the record once it is computed.
    await service.get("/v1/markets/performance", "")
  }, 300_000)
  afterAll(() => service.stop())

  const answers = new Map<string, Json>()
  const get = async (path: string, init: RequestInit = {}): Promise<Json> => {
    const known = answers.get(path)
    if (known !== undefined) return known
    const { status, json } = await service.get(path, service.account.test.token, init)
    assert.strictEqual(status, 200, `${path}: ${JSON.stringify(json.error)}`)
    answers.set(path, json)
    return json
  }

  it("every row of the edge board names its subject and a call that answers with its probability", async () => {
    const { results, _links } = await get("/v1/markets/edge")
    assert.isAbove(results.edges.length, 10)
    const linked = new Set(_links.flatMap(({ endpoints }: Json) => endpoints))
    const seen = new Set<string>()
    for (const { market, model_prob, subject, signal_url } of results.edges) {
      const answer = (await get(signal_url)).results
      const close = (p: number) => Math.abs(p - model_prob) < 3e-6
      const name = Object.keys(subject).join()
      seen.add(name)
      switch (name) {
        case "station,day":
          assert.strictEqual(answer.target_day, subject.day, market)
          assert.strictEqual(subject.station, new URL(signal_url, "http://x").searchParams.get("station"))
          break
        case "game_id":
          assert.strictEqual(answer.game.game_id, subject.game_id, market)
          assert.isTrue(Object.values(answer.prediction.fair_line as Record<string, number>).some(close), market)
          break
        case "game_pk":
          assert.strictEqual(answer.game.gamePk, subject.game_pk, market)
          assert.isTrue([answer.prediction.win_prob_home, answer.prediction.win_prob_away].some(close), market)
          break
        case "asset,horizon_minutes":
          assert.deepStrictEqual([answer.asset, answer.horizon_minutes], [subject.asset, subject.horizon_minutes])
          assert.lengthOf(answer.p_above, 1)
          assert.isTrue(close(answer.p_above[0].p_above), market)
          break
        default:
          assert.fail(`${market}: ${name}`)
      }
      const params = new URL(signal_url, "http://x").searchParams
      params.delete("strikes")
      assert.isTrue(linked.has(`${signal_url.split("?")[0]}?${params}`), signal_url)
    }
    assert.strictEqual(seen.size, 4)
  })

  it("a slim row shows its settlement basis where the venue settles on another source, and only there", async () => {
    const [slim, full] = [await get("/v1/markets/edge"), await get("/v1/markets/edge?verbose=true")]
    const bases = full.results.edges.map(({ settlement_basis }: Json) => settlement_basis)
    assert.include(
      bases.map(({ same }: Json) => same),
      true,
    )
    assert.deepStrictEqual(
      slim.results.edges.map(({ settlement_basis }: Json) => settlement_basis),
      bases.map((basis: Json) => (basis.same ? undefined : basis)),
    )
    const named = (await get("/v1/markets/edge?fields=edges.settlement_basis.same")).results
    assert.deepStrictEqual(
      named.edges,
      bases.map(({ same }: Json) => ({ settlement_basis: { same } })),
    )
    assert.strictEqual(slim.results.source_disagreement.length, 4)
  })

  const isIn = async (path: string, id: string): Promise<boolean> => JSON.stringify(await get(path)).includes(`"${id}"`)
  /** Each kind of id, and where one is looked up. */
  const kinds: ReadonlyArray<readonly [kind: string, form: RegExp, isKnown: (id: string) => Promise<boolean>]> = [
    ["station", /^K[A-Z]{3}$/, (id) => isIn("/v1/weather/stations", id)],
    [
      "climate report's product",
      /^\d{12}-K[A-Z]{3}-[A-Z]{4}\d{2}-CLI[A-Z]{3}/,
      async (id) => {
        const day = `${id.slice(0, 4)}-${id.slice(4, 6)}-${id.slice(6, 8)}`
        const { stations } = (await get("/v1/weather/stations")).results
        const { id: station } = stations.find(({ cli_product }: Json) => id.includes(cli_product))
        const path = pathOf("/v1/weather/settlement/history", {
          station,
          start: addDays(day, -1),
          end: day,
          verbose: true,
        })
        return (await isIn(path, id)) || isIn(pathOf("/v1/weather/settlement", { station, day, verbose: true }), id)
      },
    ],
    ["football game", /^\d{4}_\d{2}_[A-Z]+_[A-Z]+$/, (id) => isIn(pathOf("/v1/nfl/fair-line", { game_id: id }), id)],
    ["filing", /^\d{10}-\d{2}-\d{6}$/, (id) => isIn(pathOf("/v1/sec/filing", { accession_number: id }), id)],
    ["venue's ticker", /^KX[A-Z]+-/, (id) => isIn("/v1/markets/edge", id)],
  ]

  const resolve = async (locator: string): Promise<boolean> => {
    if (locator.startsWith("/v1/")) return (await get(locator)) !== undefined
    if (locator.startsWith("https://")) return URL.canParse(locator)
    const kind = kinds.find(([, form]) => form.test(locator))
    return (await kind?.[2](locator)) ?? false
  }

  const posted = new Map(
    catalogue.entries.flatMap(({ endpoint }) =>
      Endpoint.methodOf(endpoint) === "POST" ? [requestOf(endpoint, endpoint.example as object as Json)] : [],
    ),
  )
  const calls: ReadonlyArray<string> = [
    "/v1/key",
    ...posted.keys(),
    ...catalogue.entries
      .filter(({ endpoint }) => endpoint.auth === "key" && !posted.has(endpoint.path))
      .map(({ endpoint }) => pathOf(endpoint.path, endpoint.example)),
    // Days to come, a day that is over, many days, a name that several have, a game that is over.
    pathOf("/v1/weather/signal", { station: "KDEN", target: "2026-09-13" }),
    pathOf("/v1/weather/settlement", { station: "KMIA", day: "2025-01-15" }),
    pathOf("/v1/weather/settlement/history", { station: "KHOU", start: "2026-08-01", end: "2026-09-01" }),
    pathOf("/v1/weather/forecast", { lat: 39.1, lon: -94.6, hourly: true }),
    pathOf("/v1/nfl/qb", { player: "a" }),
    pathOf("/v1/nfl/games", { season: 2025, week: 3, team: "KC" }),
    pathOf("/v1/nfl/injuries", { team: "BUF", season: 2025, week: 4 }),
    pathOf("/v1/sec/filing", { ...(catalogue.byPath.get("/v1/sec/filing")!.endpoint.example as object), diff: true }),
  ]
  it.each(calls)("every citation of %s can be looked up", async (path) => {
    const { _citations, _reasoning } = await get(path, posted.get(path))
    assert.isNotEmpty(_citations)
    for (const { step, locator } of _citations) {
      assert.isTrue(step >= 1 && step <= _reasoning.length)
      assert.isTrue(await resolve(locator), locator)
    }
  })

  it("only recorded values that settle something are labelled settlement", async () => {
    const labels = {
      [pathOf("/v1/weather/settlement", { station: "KMIA", day: "2025-01-15" })]: "settlement",
      [pathOf("/v1/weather/forecast", { lat: 39.1, lon: -94.6 })]: "reasoned",
      [pathOf("/v1/nfl/qb", { player: "a" })]: "reasoned",
      [pathOf("/v1/sec/filing", catalogue.byPath.get("/v1/sec/filing")!.endpoint.example)]: "reasoned",
    }
    for (const [path, label] of Object.entries(labels)) assert.strictEqual((await get(path))._confidence.label, label)
  })
})

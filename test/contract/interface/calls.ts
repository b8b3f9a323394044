// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what the wire brought
import { assert } from "@effect/vitest"
import { type App, type Check, cellsOf } from "./app.ts"
import { has } from "./fields.ts"
import * as tables from "./tableData.ts"

export const settlement = "/v1/weather/settlement?station=KNYC"
export const history = "/v1/weather/settlement/history?station=KNYC&start=2025-01-01&end=2025-01-03"
export const forecast = "/v1/weather/forecast?lat=40.78&lon=-73.97"
export const signal = "/v1/weather/signal?station=KNYC"
export const slate = "/v1/nfl/games?limit=200"
export const quarterback = "/v1/nfl/qb?player=Patrick%20Mahomes"
export const injuries = "/v1/nfl/injuries?team=KC"
export const fairLine = "/v1/nfl/fair-line?team=KC"
export const settled = "/v1/markets/settled"
export const filing = "/v1/sec/filing?accession_number=0000320193-24-000123"

export const proofs = ["/v1/nfl/performance", "/v1/mlb/performance", "/v1/markets/performance", settled]

/** The list price of each endpoint of the interface, micro-dollars. */
export const prices: Readonly<Record<string, number>> = Object.fromEntries(
  [...tables.endpoints, ...tables.filing].map((line) => {
    const [, path, ...rest] = cellsOf(line)
    const price = rest.find((cell) => /^(free|\d+\.\d+.*)$/.test(cell))!
    return [path!, price === "free" ? 0 : Math.round(Number.parseFloat(price) * 1_000_000)]
  }),
)

/** A call of each keyed endpoint but that of a game, whose number depends on the day. */
export const keyed = [
  "/v1/weather/stations",
  settlement,
  history,
  forecast,
  signal,
  slate,
  quarterback,
  injuries,
  "/v1/nfl/top100",
  fairLine,
  "/v1/mlb/games",
  "/v1/crypto/spot",
  "/v1/crypto/signal",
  "/v1/markets/edge",
  filing,
]

export const notOffered = [
  "/v1/options/unusual",
  "/v1/factor/score",
  "/v1/backtest/run",
  "/v1/jobs/j1",
  "/v1/equity/research",
  "/v1/regime/classify",
  "/v1/news/sentiment",
  "/v1/portfolio/risk",
]

/** The fields of a station's summary. */
export const summary = "id name city state tz cli_product"

export const under = (prefix: string, names: string): string =>
  names
    .split(" ")
    .map((name) => `${prefix}.${name}`)
    .join(" ")

/** A game of tomorrow's slate, whose first pitch is still to come. */
export const nextGame = async ({ results }: Pick<App, "results">): Promise<number> => {
  const { games } = await results("/v1/mlb/games?date=2026-09-14")
  return games.find(({ state }: any) => state === "Scheduled").gamePk
}

/** All settled rows of a domain, page by page by `before` and `next_before` alone. */
export const everyRow = async (
  open: App["open"],
  domain: string,
  limit = 500,
): Promise<ReadonlyArray<{ readonly market_ticker: string; readonly market_prob: number }>> => {
  const rows = []
  let before: string | undefined
  do {
    const page = await open(
      `${settled}?domain=${domain}&limit=${limit}${before === undefined ? "" : `&before=${before}`}`,
    )
    rows.push(...page.rows)
    before = page.next_before
  } while (before !== undefined)
  return rows
}

/** A call that an empty wallet does not cover. */
export const emptyWallet: Check = async ({ customer, fresh, get }) => {
  const { status, json } = await get(settlement, await customer(fresh("poor"), 0))
  assert.strictEqual(status, 402)
  assert.strictEqual(json.error.quote.price.micros, 1_000)
}

/** The paths that are not offered, by any method and without a key. */
export const answers410: Check = async ({ refused, url }) => {
  for (const path of notOffered) {
    await refused(path, 410, "not_offered")
    await refused(path, 410, "not_offered", "")
    assert.strictEqual((await fetch(url + path, { method: "POST" })).status, 410)
  }
}

/** A part of many names. */
export const candidates: Check = async ({ results }) => {
  const found = await results("/v1/nfl/qb?player=a")
  has(found, { array: "candidates" })
  assert.isAbove(found.candidates.length, 1)
  assert.notProperty(found, "weeks")
}

/** The scoreboard counts the rows that the settled endpoint shows. */
export const countsRows: Check = async ({ open }) => {
  const rows = (await Promise.all(["weather", "nfl", "mlb", "crypto"].map((domain) => everyRow(open, domain)))).flat()
  const { overall, contested } = await open("/v1/markets/performance")
  const priced = rows.filter(({ market_prob }) => market_prob >= 0.05 && market_prob <= 0.95)
  assert.deepStrictEqual([overall.markets_scored, contested.markets_scored], [rows.length, priced.length])
}

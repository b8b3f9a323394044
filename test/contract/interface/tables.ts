// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what the wire brought
import { assert } from "@effect/vitest"
import { catalogue } from "../../../core/lanes/all.ts"
import { type App, type Check, cellsOf, type Row, row, season } from "./app.ts"
import { fairLine, filing, keyed, nextGame, prices, settled, settlement, signal, slate } from "./calls.ts"
import { has } from "./fields.ts"
import * as tables from "./tableData.ts"

const lanes = ["weather", "nfl", "mlb", "crypto", "markets", "sec"]

/** A row of the endpoints' tables: method, path, kind, price and auth, by calls. */
const endpointRow = (line: string): Row => {
  const cells = cellsOf(line)
  const [method, path] = cells as [string, string]
  const [kind, auth] = [cells.length === 5 ? cells[2] : undefined, cells.at(-1)]
  return row(line, async (app) => {
    const { endpoint } = catalogue.byPath.get(path)!
    if (kind !== undefined) assert.strictEqual(endpoint.kind, kind)
    assert.strictEqual(endpoint.priceMicros, prices[path])
    const { paths } = await app.open("/openapi.json")
    assert.property(paths[path], method.toLowerCase())
    const call =
      path === "/v1/mlb/fair-odds"
        ? `${path}?game_pk=${await nextGame(app)}`
        : ([...keyed, settled].find((each) => each.split("?")[0] === path) ?? path)
    const answer = await app.ask(call, auth === "none" ? "" : undefined)
    assert.strictEqual(answer.status, 200)
    if (auth === "none") assert.notProperty(answer.json, "_meta")
    else {
      assert.strictEqual(answer.json._meta.price.charged_micros, endpoint.status === "development" ? 0 : prices[path])
      await app.refused(call, 401, "missing_authorization", "")
    }
  })
}

/** Calls that must answer, and calls that must be refused for the parameter alone; of a query without a leading mark. */
interface Tries {
  readonly good?: ReadonlyArray<string>
  readonly bad?: ReadonlyArray<string>
  readonly more?: Check
}

const both = "/v1/crypto/signal"
const tries: Readonly<Record<string, Tries>> = {
  "/v1/weather/settlement station": { good: ["station=KNYC"], bad: ["station=NOPE"] },
  "/v1/weather/settlement day": {
    good: ["station=KNYC&day=2025-01-02"],
    bad: ["station=KNYC&day=02.01.2025"],
    more: async ({ results }) => assert.strictEqual((await results(settlement)).settlement.day, "2026-09-12"),
  },
  "/v1/weather/settlement/history station": { bad: ["station=NOPE&start=2025-01-01&end=2025-01-02"] },
  "/v1/weather/settlement/history start": { bad: ["station=KNYC&start=1&end=2025-01-02"] },
  "/v1/weather/settlement/history end": {
    good: ["station=KNYC&start=2025-01-01&end=2026-02-04&limit=1"],
    bad: ["station=KNYC&start=2025-01-01&end=2026-02-05"],
  },
  "/v1/weather/forecast lat": { bad: ["lat=10&lon=-73.97", "lat=91&lon=-73.97"] },
  "/v1/weather/forecast lon": { bad: ["lat=40.78&lon=-181"] },
  "/v1/weather/forecast hours": {
    good: ["lat=40.78&lon=-73.97&hours=12", "lat=40.78&lon=-73.97&hours=168"],
    bad: ["lat=40.78&lon=-73.97&hours=11", "lat=40.78&lon=-73.97&hours=169"],
    more: same("/v1/weather/forecast?lat=40.78&lon=-73.97", "hours=48"),
  },
  "/v1/weather/forecast hourly": {
    more: async ({ results }) => {
      const { periods } = await results("/v1/weather/forecast?lat=40.78&lon=-73.97&hourly=true")
      for (const { start, end } of periods) assert.strictEqual(Date.parse(end) - Date.parse(start), 3_600_000)
    },
  },
  "/v1/weather/signal station": { bad: ["station=NOPE"] },
  "/v1/weather/signal target": {
    good: ["station=KNYC&target=2026-09-19"],
    bad: ["station=KNYC&target=2026-09-20"],
    more: same(signal, "target=2026-09-13"),
  },
  "/v1/nfl/games season": {
    good: [`season=${season}`],
    bad: ["season=1998", `season=${season + 1}`],
    more: same(slate, `season=${season}`),
  },
  "/v1/nfl/games week": { good: ["week=1"], bad: ["week=0", "week=23"] },
  "/v1/nfl/games team": { good: ["team=KC"], bad: ["team=XXX"] },
  "/v1/nfl/qb player": {
    good: ["player=Mahomes"],
    more: async ({ results }) => {
      const { player_id, player } = await results("/v1/nfl/qb?player=Mahomes")
      assert.strictEqual((await results(`/v1/nfl/qb?player=${player_id}`)).player, player)
    },
  },
  "/v1/nfl/qb season": { bad: ["player=Mahomes&season=2001", `player=Mahomes&season=${season + 1}`] },
  "/v1/nfl/qb last": {
    good: ["player=Mahomes&last=1", "player=Mahomes&last=60"],
    bad: ["player=Mahomes&last=0", "player=Mahomes&last=61"],
    more: same("/v1/nfl/qb?player=Mahomes", "last=20"),
  },
  "/v1/nfl/injuries team": { bad: ["team=XXX"] },
  "/v1/nfl/injuries season": {
    more: async ({ results }) => {
      assert.strictEqual((await results("/v1/nfl/injuries?team=KC")).season, season)
      assert.strictEqual((await results(`/v1/nfl/injuries?team=KC&season=${season - 1}`)).season, season - 1)
    },
  },
  "/v1/nfl/injuries week": { good: ["team=KC&week=1"], bad: ["team=KC&week=0", "team=KC&week=23"] },
  "/v1/nfl/top100 season": {
    bad: ["season=2010", `season=${season + 1}`],
    more: same("/v1/nfl/top100", `season=${season}`),
  },
  "/v1/nfl/fair-line game_id": { bad: ["game_id=x"] },
  "/v1/nfl/fair-line team": {
    bad: ["team=XXX"],
    more: async ({ results }) => {
      const { game } = await results(fairLine)
      assert.include([game.home_team, game.away_team], "KC")
    },
  },
  "/v1/nfl/fair-line opponent": {
    bad: ["team=KC&opponent=XXX"],
    more: async ({ results }) => {
      const { game } = await results("/v1/nfl/fair-line?team=KC&opponent=DEN")
      assert.sameMembers([game.home_team, game.away_team], ["KC", "DEN"])
    },
  },
  "/v1/mlb/games date": {
    good: ["date=2026-07-09"],
    bad: ["date=July"],
    more: async ({ results }) => assert.strictEqual((await results("/v1/mlb/games")).date, "2026-09-13"),
  },
  "/v1/mlb/fair-odds game_pk": { bad: ["game_pk=x"] },
  "both asset": { good: ["asset=ETH"], bad: ["asset=XRP"], more: same(`${both}?`, "asset=BTC") },
  "/v1/crypto/signal horizon_minutes": {
    good: ["horizon_minutes=5", "horizon_minutes=1440"],
    bad: ["horizon_minutes=4", "horizon_minutes=1441"],
    more: same(`${both}?`, "horizon_minutes=60"),
  },
  "/v1/markets/settled domain": {
    good: ["domain=mlb"],
    bad: ["domain=golf"],
    more: same(`${settled}?`, "domain=crypto"),
  },
  "/v1/markets/settled limit": {
    good: ["limit=1", "limit=500"],
    bad: ["limit=0", "limit=501"],
    more: same(`${settled}?`, "limit=200"),
  },
  "/v1/markets/settled before": {
    bad: ["before=yesterday"],
    more: async ({ open }) => {
      const { next_before } = await open(settled)
      const { rows } = await open(`${settled}?before=${next_before}`)
      for (const { close_time } of rows) assert.isBelow(Date.parse(close_time), Date.parse(next_before))
    },
  },
  "/v1/sec/filing accession_number": { good: ["accession_number=0000320193-24-000123"] },
  "/v1/sec/filing diff": { more: same(filing, "diff=true") },
}

/** The answer is the same with the default written out. */
function same(path: string, query: string): Check {
  return async ({ get }) => {
    const join = path.includes("?") ? (path.endsWith("?") ? "" : "&") : "?"
    const bodies = await Promise.all([path.replace(/\?$/, ""), path + join + query].map((each) => get(each)))
    const [given, written] = bodies.map(({ json }) => json.results ?? json)
    assert.deepStrictEqual(written, given)
  }
}

const types: Readonly<Record<string, ReadonlyArray<string>>> = {
  string: ["string"],
  date: ["string"],
  number: ["number"],
  integer: ["integer"],
  boolean: ["boolean"],
  ISO: ["string"],
}

/** A row of the parameters' tables: type and need as the OpenAPI document says, the rule by calls. */
const parameterRows = (lines: ReadonlyArray<string>, of?: string): ReadonlyArray<Row> => {
  let last = of ?? ""
  return lines.map((line) => {
    const cells = of === undefined ? cellsOf(line) : [last, ...cellsOf(line)]
    const [first, name, type, required] = cells as [string, string, string, string]
    if (first !== "") last = first
    const path = last
    const at = path === "both" ? both : path
    return row(line, async (app) => {
      const { paths, components } = await app.open("/openapi.json")
      const found = ((paths[at].get.parameters ?? []) as ReadonlyArray<any>)
        .map((each) => (each.$ref === undefined ? each : components.parameters[each.$ref.split("/").at(-1)]))
        .filter((each) => each.in === "query")
      if (name === "none") {
        assert.deepStrictEqual(
          found.filter((each) => each.required),
          [],
        )
        return
      }
      const parameter = found.find((each) => each.name === name)
      assert.strictEqual(parameter.required ?? false, required === "yes", name)
      assert.include(types[type.split(/[ ,]/)[0]!], parameter.schema.type ?? "string")
      if (required === "yes") {
        const { hints } = await app.refused(at, 400, "invalid_parameter")
        assert.isTrue(
          hints.some(({ field }: any) => field === name),
          JSON.stringify(hints),
        )
      }
      const [, first] = /^(\d{4}) to current/.exec(cells[4] ?? "") ?? []
      if (first !== undefined) {
        // The last season depends on the clock: no fixed bound is named in its place.
        assert.strictEqual(parameter.schema.minimum, Number(first))
        assert.include([undefined, season], parameter.schema.maximum)
        const query = tries[`${path} ${name}`]!.bad!.find((each) => each.includes(String(season + 1)))
        assert.include(JSON.stringify((await app.ask(`${at}?${query}`)).json.error.hints), String(season))
      }
      const { good = [], bad = [], more } = tries[`${path} ${name}`]!
      for (const query of good) assert.strictEqual((await app.ask(`${at}?${query}`)).status, 200, query)
      for (const query of bad) {
        const { status, json } = await app.ask(`${at}?${query}`)
        assert.include([400, 404], status, query)
        assert.isTrue(
          json.error.hints.some(({ field }: any) => field === name),
          `${query} ${JSON.stringify(json.error)}`,
        )
      }
      await more?.(app)
    })
  })
}

const typed = (
  lines: ReadonlyArray<string>,
  value: (app: App) => Promise<any>,
  types: Readonly<Record<string, string>>,
) =>
  lines.map((line) => {
    const [name] = cellsOf(line) as [string]
    return row(line, async (app) => {
      const found = await value(app)
      for (const field of name.split(", ")) has(found, { [types[field]!]: field, ...inside[field] })
      if (name.endsWith("request_id")) assert.match((found.error ?? found).request_id, /^req_[0-9A-HJKMNP-TV-Z]{26}$/)
    })
  })

/** What stands in the fields that are no single values. */
const inside: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  _reasoning: { string: "_reasoning[]" },
  _citations: { integer: "_citations[].step", string: "_citations[].source _citations[].locator" },
  _confidence: { probability: "_confidence.score", string: "_confidence.label _confidence.factors[]" },
  _links: { string: "_links[].id _links[].endpoints[]" },
  price: { string: "price.display", integer: "price.charged_micros" },
  "error.hints": { string: "error.hints[].field error.hints[].action error.hints[].suggestion" },
}

const envelope = {
  results: "object|array",
  _reasoning: "array",
  _citations: "array",
  _confidence: "object",
  _links: "array",
  _meta: "object",
}
const meta = {
  request_id: "string",
  latency_ms: "integer",
  data_freshness: "string",
  tokens_estimated: "integer",
  version: "string",
  next_cursor: "string",
  price: "object",
}
const error = {
  ...{
    "error.code": "string",
    "error.message": "string",
    "error.recoverable": "boolean",
    "error.retry_after_ms": "integer|null",
  },
  ...{ "error.docs_url": "string", "error.request_id": "string", "error.hints": "array" },
}
const day = {
  ...{ day: "date", high_f: "integer", low_f: "integer", high_time_local: "string", low_time_local: "string" },
  ...{ precip_in: "number", snow_in: "number", source: "string", weather_service_product_id: "string" },
}

export const generated: ReadonlyArray<Row> = [
  ...tables.endpoints.map(endpointRow),
  ...tables.filing.map(endpointRow),
  ...parameterRows(tables.parameters),
  ...parameterRows(tables.filingParameters, "/v1/sec/filing"),
  ...typed(tables.envelope, async ({ ask }) => (await ask(settlement)).json, envelope),
  ...typed(tables.meta, async ({ ask }) => (await ask("/v1/nfl/games?limit=2")).json._meta, meta),
  ...typed(tables.error, async ({ ask }) => (await ask("/v1/nfl/games?week=0")).json, error),
  ...typed(tables.settlementDay, async ({ results }) => (await results(settlement)).settlement, day),
  ...tables.lanes.map((line, at) =>
    row(line, async ({ open }) => {
      const paths = Object.keys((await open("/openapi.json")).paths)
      assert.isTrue(paths.some((path) => path.startsWith(`/v1/${lanes[at]}/`)))
    }),
  ),
  ...tables.kinds.map((line) =>
    row(line, () => {
      const [kind] = cellsOf(line) as [string]
      const own = catalogue.entries.filter(({ endpoint }) => endpoint.kind === kind)
      assert.isNotEmpty(own)
      for (const { endpoint } of own)
        if (kind === "Proof") assert.deepStrictEqual([endpoint.auth, endpoint.priceMicros], ["none", 0])
    }),
  ),
]

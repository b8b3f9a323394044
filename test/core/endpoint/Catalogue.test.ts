import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as JSONSchema from "effect/JSONSchema"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { decoders, now } from "../../support/catalogue.ts"

describe("an endpoint's id", () => {
  it("is its path with underscores, without the version", () => {
    const { id: _, ...stations } = catalogue.get("weather_stations")
    for (const { endpoint } of catalogue.entries) {
      assert.strictEqual(endpoint.id, endpoint.path.slice("/v1/".length).replace(/[/-]/g, "_"))
    }
    const { id } = Endpoint.declare({ ...stations, path: "/v1/two-words/and-a/path" })
    const typed: "two_words_and_a_path" = id
    assert.strictEqual(typed, "two_words_and_a_path")
    for (const path of ["/v1/", "/v1/Upper", "/v1/a.b", "/v1/a//b", "/v1/:a"] as const) {
      assert.throws(() => Endpoint.declare({ ...stations, path }), /a path is lower-case words/)
    }
  })
})

describe("the price list", () => {
  // Typed from the interface specification, prices in micro-dollars.
  const specified = [
    ["weather_stations", "/v1/weather/stations", "Data", 0, "key"],
    ["weather_settlement", "/v1/weather/settlement", "Data", 1000, "key"],
    ["weather_settlement_history", "/v1/weather/settlement/history", "Data", 5000, "key"],
    ["weather_forecast", "/v1/weather/forecast", "Data", 1000, "key"],
    ["weather_signal", "/v1/weather/signal", "Signal", 10000, "key"],
    // Not of the specification: the record of the laws.
    ["weather_performance", "/v1/weather/performance", "Proof", 0, "none"],
    ["nfl_games", "/v1/nfl/games", "Data", 1000, "key"],
    ["nfl_qb", "/v1/nfl/qb", "Data", 2000, "key"],
    ["nfl_injuries", "/v1/nfl/injuries", "Data", 2000, "key"],
    ["nfl_top100", "/v1/nfl/top100", "Data", 1000, "key"],
    ["nfl_fair_line", "/v1/nfl/fair-line", "Signal", 10000, "key"],
    ["nfl_performance", "/v1/nfl/performance", "Proof", 0, "none"],
    ["mlb_games", "/v1/mlb/games", "Data", 1000, "key"],
    ["mlb_fair_odds", "/v1/mlb/fair-odds", "Signal", 10000, "key"],
    ["mlb_performance", "/v1/mlb/performance", "Proof", 0, "none"],
    ["crypto_spot", "/v1/crypto/spot", "Data", 0, "key"],
    ["crypto_signal", "/v1/crypto/signal", "Signal", 10000, "key"],
    ["crypto_performance", "/v1/crypto/performance", "Proof", 0, "none"],
    ["markets_edge", "/v1/markets/edge", "Signal", 10000, "key"],
    ["markets_settled", "/v1/markets/settled", "Data", 0, "none"],
    // Not of the specification: what was said of a contract at each time, at the price of a signal.
    ["markets_history", "/v1/markets/history", "Data", 10000, "key"],
    ["markets_performance", "/v1/markets/performance", "Proof", 0, "none"],
    ["bench_contracts", "/v1/bench/contracts", "Data", 0, "key"],
    ["bench_models", "/v1/bench/models", "Proof", 0, "none"],
    ["bench_opinions", "/v1/bench/opinions", "Data", 0, "key"],
    ["bench_withdraw", "/v1/bench/withdraw", "Data", 0, "key"],
  ]

  const row = ({ endpoint }: Catalogue.Entry) => [
    endpoint.id,
    endpoint.path,
    endpoint.kind,
    endpoint.priceMicros,
    endpoint.auth,
  ]

  it("is the specification's", () => {
    assert.deepStrictEqual(Catalogue.live(catalogue).map(row), specified)
    assert.deepStrictEqual(Catalogue.counts(catalogue), { endpoints: 26, free: 12, lowestPaidMicros: 1000 })
  })

  it("has the filing endpoint in development: a list price and no charge", () => {
    const rest = catalogue.entries.filter(({ endpoint }) => endpoint.status === "development")
    assert.deepStrictEqual(rest.map(row), [["sec_filing", "/v1/sec/filing", "Data", 5000, "key"]])
    assert.strictEqual(Endpoint.charge(catalogue.get("sec_filing")), 0)
  })

  it("names a method of the lane for every endpoint", () => {
    assert.deepStrictEqual(
      catalogue.entries.map(({ lane, method }) => `${lane.name}.${method}`),
      [
        ...["weather.stations", "weather.settlement", "weather.history", "weather.forecast", "weather.signal"],
        "weather.performance",
        ...["football.games", "football.qb", "football.injuries", "football.top100", "football.fairLine"],
        ...["football.performance", "baseball.games", "baseball.fairOdds", "baseball.performance"],
        ...["crypto.spot", "crypto.signal", "crypto.performance", "markets.edge", "markets.settled", "markets.history"],
        ...["markets.performance"],
        ...["markets.benchContracts", "markets.benchModels", "markets.benchOpinions", "markets.benchWithdraw"],
        ...["filings.filing"],
      ],
    )
  })

  for (const { endpoint } of catalogue.entries) {
    it(`${endpoint.id}: a one-line summary and an example that decodes, as JSON and, in a query, as text`, () => {
      assert.match(endpoint.summary, /^[A-Z][^\n]{10,90}[^.\n]$/)
      const example = endpoint.example as Readonly<Record<string, unknown>>
      const json = decoders.get(endpoint.id)!({ _tag: "Json", value: example }, now)
      assert.isTrue(Either.isRight(json))
      // What is posted is JSON alone.
      if (Endpoint.methodOf(endpoint) === "POST") return
      const text = Object.entries(example).map(([name, value]) => [name, String(value)] as const)
      assert.deepStrictEqual(decoders.get(endpoint.id)!({ _tag: "Text", entries: text }, now), json)
    })
  }
})

describe("schemas", () => {
  const below = (ast: AST.AST): ReadonlyArray<AST.AST> => {
    switch (ast._tag) {
      case "TypeLiteral":
        return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
      case "TupleType":
        return [...ast.elements, ...ast.rest].map(({ type }) => type)
      case "Union":
        return ast.types
      case "Refinement":
        return [ast.from]
      case "Transformation":
        return [ast.from]
      default:
        return []
    }
  }
  const nodes = (ast: AST.AST): ReadonlyArray<AST.AST> => [ast, ...below(ast).flatMap(nodes)]

  for (const { endpoint } of catalogue.entries) {
    it(`${endpoint.id}: parameters and results have a JSON Schema without stray references`, () => {
      const input = JSONSchema.make(endpoint.params as Schema.Schema.AnyNoContext)
      for (const [name, property] of Object.entries(("properties" in input && input.properties) || {})) {
        assert.match(
          String((property as { description?: string }).description),
          /^[A-Z`].{8,}/,
          `${endpoint.id}.${name}`,
        )
      }
      assert.notInclude(JSON.stringify(input), "$ref")
      const output = JSONSchema.make(endpoint.results as Schema.Schema.AnyNoContext)
      for (const name of Object.keys(output.$defs ?? {})) assert.notInclude(["Int", "Finite", "Number"], name)
    })
  }

  it("an identifier means one schema in the whole catalogue, and no two results share one", () => {
    const seen = new Map<string, string>()
    for (const { endpoint } of catalogue.entries) {
      for (const schema of [endpoint.params, endpoint.results] as ReadonlyArray<Schema.Schema.AnyNoContext>) {
        for (const node of nodes(AST.encodedBoundAST(schema.ast))) {
          const identifier = Option.getOrUndefined(AST.getIdentifierAnnotation(node))
          if (identifier === undefined) continue
          const json = JSON.stringify(JSONSchema.make(Schema.make(node)))
          assert.strictEqual(seen.get(identifier) ?? json, json, identifier)
          seen.set(identifier, json)
        }
      }
    }
    const results = catalogue.entries.map(({ endpoint }) =>
      Option.getOrThrow(AST.getIdentifierAnnotation((endpoint.results as Schema.Schema.AnyNoContext).ast)),
    )
    assert.strictEqual(new Set(results).size, catalogue.entries.length)
  })

  it("values that are null until final are present as null; other absent values are left out", () => {
    const games = Schema.is(catalogue.get("nfl_games").results, { onExcessProperty: "error" })
    const qb = Schema.is(catalogue.get("nfl_qb").results, { onExcessProperty: "error" })
    const unplayed = {
      game_id: "2025_11_KC_DEN",
      season: 2025,
      week: 11,
      game_type: "REG",
      gameday: "2025-11-16",
      home_team: "DEN",
      away_team: "KC",
      home_score: null,
      away_score: null,
      result: null,
      total: null,
      rest: { home: 10, away: 14 },
      qbs: {},
    }
    const { total: _, ...short } = unplayed
    assert.isTrue(games({ count: 1, games: [unplayed] }))
    assert.isFalse(games({ count: 1, games: [short] }))
    assert.isFalse(games({ count: 1, games: [{ ...unplayed, market: null }] }))
    assert.isFalse(games({ count: Number.NaN, games: [] }))
    assert.isTrue(qb({ ambiguous: true, query: "Smith", candidates: [] }))
    assert.isFalse(qb({ ambiguous: false, query: "Smith", candidates: [] }))
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as JSONSchema from "effect/JSONSchema"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Cursor from "../../../core/endpoint/Cursor.ts"
import * as decode from "../../../core/endpoint/decode.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Select from "../../../core/endpoint/Select.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { aliases, franchise, teams } from "../../../core/lanes/football/data/teams.ts"

const decoders = new Map(catalogue.entries.map(({ endpoint }) => [endpoint.id, decode.compile(endpoint)]))

const now = Date.UTC(2026, 8, 25, 12)

const ask = (id: string, query: string) =>
  decoders.get(id)!({ _tag: "Text", entries: [...new URLSearchParams(query)] as ReadonlyArray<[string, string]> }, now)

const params = (id: string, query: string) => Either.getOrThrow(ask(id, query)).params

/** Every bad field with its remedy, and the code of the failure. */
const refused = (id: string, query: string) =>
  Either.match(ask(id, query), {
    onRight: () => undefined,
    onLeft: ({ code, hints = [] }) => ({ code, hints: hints.map(({ field, action }) => `${action} ${field}`).sort() }),
  })

describe("an endpoint's id", () => {
  it("is its path with underscores, without the version", () => {
    const { id: _, ...stations } = catalogue.get("weather_stations")
    for (const { endpoint } of catalogue.entries) {
      assert.strictEqual(endpoint.id, endpoint.path.slice("/v1/".length).replace(/[/-]/g, "_"))
    }
    const { id } = Endpoint.make({ ...stations, path: "/v1/two-words/and-a/path" })
    const typed: "two_words_and_a_path" = id
    assert.strictEqual(typed, "two_words_and_a_path")
    for (const path of ["/v1/", "/v1/Upper", "/v1/a.b", "/v1/a//b", "/v1/:a"] as const) {
      assert.throws(() => Endpoint.make({ ...stations, path }), /a path is lower-case words/)
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
    ["markets_edge", "/v1/markets/edge", "Signal", 10000, "key"],
    ["markets_settled", "/v1/markets/settled", "Data", 0, "none"],
    ["markets_performance", "/v1/markets/performance", "Proof", 0, "none"],
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
    assert.deepStrictEqual(Catalogue.counts(catalogue), { endpoints: 19, free: 6, lowestPaidMicros: 1000 })
  })

  it("has the filing in development: a list price, and no charge", () => {
    const rest = catalogue.entries.filter(({ endpoint }) => endpoint.status === "development")
    assert.deepStrictEqual(rest.map(row), [["sec_filing", "/v1/sec/filing", "Data", 5000, "key"]])
    assert.strictEqual(Endpoint.charge(catalogue.get("sec_filing")), 0)
  })

  it("names a method of the lane for every endpoint", () => {
    assert.deepStrictEqual(
      catalogue.entries.map(({ lane, method }) => `${lane.name}.${method}`),
      [
        ...["weather.stations", "weather.settlement", "weather.history", "weather.forecast", "weather.signal"],
        ...["football.games", "football.qb", "football.injuries", "football.top100", "football.fairLine"],
        ...["football.performance", "baseball.games", "baseball.fairOdds", "baseball.performance"],
        ...["crypto.spot", "crypto.signal", "markets.edge", "markets.settled", "markets.performance"],
        ...["filings.filing"],
      ],
    )
  })

  for (const { endpoint } of catalogue.entries) {
    it(`${endpoint.id}: a one-line summary and an example that decodes, as JSON and as text`, () => {
      assert.match(endpoint.summary, /^[A-Z][^\n]{10,90}[^.\n]$/)
      const example = endpoint.example as Readonly<Record<string, unknown>>
      const json = decoders.get(endpoint.id)!({ _tag: "Json", value: example }, now)
      const text = Object.entries(example).map(([name, value]) => [name, String(value)] as const)
      assert.deepStrictEqual(decoders.get(endpoint.id)!({ _tag: "Text", entries: text }, now), json)
      assert.isTrue(Either.isRight(json))
    })
  }
})

describe("parameters", () => {
  type Refused = readonly [id: string, query: string, ...hints: ReadonlyArray<string>]
  const cases: ReadonlyArray<Refused> = [
    ["weather_settlement", "", "add station"],
    ["weather_settlement", "station=XXXX&day=2026-02-30", "change day", "change station"],
    ["weather_settlement_history", "", "add end", "add start", "add station"],
    ["weather_settlement_history", "station=KNYC&start=2026-02-01&end=2026-01-01", "change end"],
    [
      "weather_settlement_history",
      "station=XXXX&start=2025-01-01&end=2026-02-05&limit=0",
      "change end",
      "change limit",
      "change station",
    ],
    ["weather_forecast", "lat=40.7", "add lon"],
    ["weather_forecast", "lat=51.5&lon=-0.1", "change lat", "change lon"],
    ["weather_forecast", "lat=40.7&lon=-74&hours=11&hourly=1", "change hourly", "change hours"],
    ["weather_forecast", "lat=40.7&lon=-74&hours=169", "change hours"],
    ["weather_signal", "station=KNYC&target=tomorrow", "change target"],

    ["nfl_games", "season=1998", "change season"],
    ["nfl_games", "season=2101", "change season"],
    ["nfl_games", "season=2024.5", "change season"],
    ["nfl_games", "week=0", "change week"],
    ["nfl_games", "week=23", "change week"],
    ["nfl_games", "limit=0", "change limit"],
    ["nfl_games", "limit=201", "change limit"],
    ["nfl_games", "team=XX&season=abc&week=1&week=2", "change season", "change team", "remove week"],
    ["nfl_games", "cursor=garbage", "change cursor"],
    ["nfl_games", "cursor=", "change cursor"],
    ["nfl_qb", "", "add player"],
    ["nfl_qb", "player=", "change player"],
    ["nfl_qb", `player=${"x".repeat(81)}`, "change player"],
    ["nfl_qb", "player=Oakenshaw&season=2001&last=0", "change last", "change season"],
    ["nfl_qb", "player=Oakenshaw&last=61", "change last"],
    ["nfl_injuries", "week=23", "add team", "change week"],
    ["nfl_injuries", "team=LONDON&season=1998", "change season", "change team"],
    ["nfl_top100", "season=2010", "change season"],
    ["nfl_top100", "limit=201&cursor=%00", "change limit"],
    ["nfl_fair_line", "", "add game_id", "add team"],
    ["nfl_fair_line", "opponent=DEN", "add game_id", "remove opponent", "add team"],
    ["nfl_fair_line", "game_id=2025_11_KC_DEN&opponent=DEN", "remove opponent"],
    ["nfl_fair_line", "game_id=2025_11_KC_DEN&team=NYG", "change team"],
    ["nfl_fair_line", "game_id=2025_11_KC_DEN&team=KC&opponent=NYG", "change opponent"],
    ["nfl_fair_line", "game_id=2025_1_KC_DEN&team=KC", "change game_id"],
    ["nfl_fair_line", "game_id=2025_11_k_den&team=KC", "change game_id"],
    ["nfl_fair_line", "game_id=2025_1_KC_DEN", "change game_id"],
    ["nfl_fair_line", "team=XX&opponent=KC", "change team"],
    ["nfl_fair_line", "team=KC&opponent=XX", "change opponent"],
    ["nfl_fair_line", "team=KC&opponent=kc", "change opponent"],
    ["nfl_fair_line", "team=OAK&opponent=LV", "change opponent"],
    ["nfl_fair_line", "game_id=2025_11_KC_DEN&team=KC&opponent=KC", "change opponent"],

    ["mlb_games", "date=2026-7-4", "change date"],
    ["mlb_games", "date=2025-02-29&limit=201", "change date", "change limit"],
    ["mlb_fair_odds", "", "add game_pk"],
    ["mlb_fair_odds", "game_pk=0", "change game_pk"],
    ["mlb_fair_odds", "game_pk=7e5", "change game_pk"],
    ["mlb_fair_odds", "game_pk=777001&game_pk=777002", "remove game_pk"],

    ["crypto_spot", "asset=DOGE", "change asset"],
    ["crypto_signal", "horizon_minutes=4", "change horizon_minutes"],
    ["crypto_signal", "horizon_minutes=1441", "change horizon_minutes"],
    ["crypto_signal", "horizon_minutes=abc", "change horizon_minutes"],
    ["crypto_signal", "horizon_minutes=6e1", "change horizon_minutes"],
    ["crypto_signal", "horizon_minutes=60.5", "change horizon_minutes"],
    ["crypto_signal", "horizon_minutes=", "change horizon_minutes"],
    ["crypto_signal", "horizon_minutes=60&horizon_minutes=60", "remove horizon_minutes"],
    ["crypto_signal", "strikes=100,0", "change strikes"],
    ["crypto_signal", "strikes=100,-1", "change strikes"],
    ["crypto_signal", "strikes=", "change strikes"],
    ["crypto_signal", "strikes=NaN", "change strikes"],
    ["crypto_signal", `strikes=${Array.from({ length: 51 }, (_, i) => i + 1).join()}`, "change strikes"],
    [
      "crypto_signal",
      "asset=DOGE&horizon_minutes=4&strikes=x",
      "change asset",
      "change horizon_minutes",
      "change strikes",
    ],

    ["markets_settled", "domain=nba", "change domain"],
    ["markets_settled", "limit=0", "change limit"],
    ["markets_settled", "limit=501", "change limit"],
    ["markets_settled", "before=2026-07-09", "change before"],
    ["markets_settled", "before=2026-07-09T23:59:00", "change before"],
    ["markets_settled", "domain=x&limit=x&before=x", "change before", "change domain", "change limit"],
    ["markets_settled", "cursor=bm90IG91cnM", "change cursor"],

    ["sec_filing", "accession_number=0009999999-26-000042&diff=1", "change diff"],

    ["nfl_performance", "season=abc&unknown=1", "remove season", "remove unknown"],
    ["weather_settlement", "station=KNYC&dya=2026-11-01", "change dya"],

    ["nfl_games", "fields=games.game_idd", "change fields"],
    ["nfl_games", "include=_everything", "change include"],
    ["nfl_games", "verbose=yes&week=0&include=_suggestions,x", "change include", "change verbose", "change week"],
    ["markets_settled", "fields=rows.strikes&verbose=1", "change fields", "change verbose"],
  ]

  for (const [id, query, ...hints] of cases) {
    it(`${id}?${query.slice(0, 90)}`, () => {
      assert.deepStrictEqual(refused(id, query), { code: "invalid_parameter", hints: hints.sort() })
    })
  }

  it("good: the ends of every range, and the defaults", () => {
    const good: ReadonlyArray<readonly [id: string, query: string, expected: Readonly<Record<string, unknown>>]> = [
      ["weather_forecast", "lat=40.7&lon=-74", { lat: 40.7, lon: -74, hours: 48, hourly: false }],
      ["weather_forecast", "lat=40.7&lon=-74&hours=12", { lat: 40.7, lon: -74, hours: 12, hourly: false }],
      ["weather_forecast", "lat=40.7&lon=-74&hours=168", { lat: 40.7, lon: -74, hours: 168, hourly: false }],
      ["nfl_games", "", {}],
      ["nfl_games", "season=1999&week=1&limit=1", { season: 1999, week: 1, limit: 1 }],
      ["nfl_games", "week=22&limit=200&team=KC", { week: 22, limit: 200, team: "KC" }],
      ["nfl_qb", "player=00-0033873", { player: "00-0033873", last: 20 }],
      ["nfl_qb", "player=Oakenshaw&season=2002&last=1", { player: "Oakenshaw", season: 2002, last: 1 }],
      ["nfl_qb", "player=Oakenshaw&last=60", { player: "Oakenshaw", last: 60 }],
      ["nfl_injuries", "team=KC&week=22", { team: "KC", week: 22 }],
      ["nfl_top100", "season=2011", { season: 2011 }],
      ["nfl_fair_line", "team=KC&opponent=DEN", { team: "KC", opponent: "DEN" }],
      ["nfl_fair_line", "game_id=2019_01_DEN_OAK&team=LV", { game_id: "2019_01_DEN_OAK", team: "LV" }],
      ["mlb_games", "date=2024-02-29", { date: "2024-02-29" }],
      ["mlb_fair_odds", "game_pk=777001", { game_pk: 777001 }],
      ["crypto_spot", "", { asset: "BTC" }],
      ["crypto_signal", "", { asset: "BTC", horizon_minutes: 60 }],
      ["crypto_signal", "asset=ETH&horizon_minutes=5", { asset: "ETH", horizon_minutes: 5 }],
      ["crypto_signal", "horizon_minutes=1440", { asset: "BTC", horizon_minutes: 1440 }],
      ["crypto_signal", "strikes=90000,100000.5", { asset: "BTC", horizon_minutes: 60, strikes: [90000, 100000.5] }],
      ["markets_settled", "", { domain: "crypto", limit: 200 }],
      ["markets_settled", "domain=nfl&limit=1", { domain: "nfl", limit: 1 }],
      [
        "markets_settled",
        "domain=mlb&limit=500&before=2026-07-09T23:59:00-04:00",
        { domain: "mlb", limit: 500, before: "2026-07-09T23:59:00-04:00" },
      ],
      ["sec_filing", "accession_number=0009999999-26-000042", { accession_number: "0009999999-26-000042", diff: true }],
      ["nfl_fair_line", "game_id=2025_11_kc_den&team=kc", { game_id: "2025_11_KC_DEN", team: "KC" }],
      ["weather_settlement", "station=knyc", { station: "KNYC" }],
      ["crypto_spot", "asset=eth", { asset: "ETH" }],
      ["markets_settled", "domain=Weather", { domain: "weather", limit: 200 }],
    ]
    for (const [id, query, expected] of good) assert.deepStrictEqual(params(id, query), expected, `${id}?${query}`)
    const fifty = Array.from({ length: 50 }, (_, i) => i + 1)
    assert.deepStrictEqual(params("crypto_signal", `strikes=${fifty.join()}`)["strikes"], fifty)
  })

  it("team codes are read in any case and through aliases", () => {
    assert.strictEqual(new Set(teams).size, 32)
    for (const team of teams) assert.strictEqual(params("nfl_games", `team=${team.toLowerCase()}`)["team"], team)
    for (const [alias, team] of Object.entries(aliases)) {
      assert.strictEqual(params("nfl_injuries", `team=${alias.toLowerCase()}`)["team"], team)
      assert.strictEqual(franchise(alias), team)
    }
    assert.deepStrictEqual(aliases, { LAR: "LA", JAC: "JAX", WSH: "WAS", OAK: "LV", SD: "LAC", STL: "LA" })
    assert.isUndefined(franchise("LONDON"))
  })

  it("an accession number that does not match has a code of its own", () => {
    for (const bad of ["0009999999-26-00042", "000999999926000042", "x", "0009999999-26-000042 "]) {
      assert.deepStrictEqual(refused("sec_filing", `accession_number=${bad}`), {
        code: "invalid_accession_number",
        hints: ["change accession_number"],
      })
    }
    assert.deepStrictEqual(refused("sec_filing", "accession_number=x&diff=x"), {
      code: "invalid_parameter",
      hints: ["change accession_number", "change diff"],
    })
    assert.deepStrictEqual(refused("sec_filing", ""), { code: "invalid_parameter", hints: ["add accession_number"] })
  })

  it("a hint says what the field must be", () => {
    const suggestion = (id: string, query: string) =>
      Either.match(ask(id, query), { onRight: () => [], onLeft: ({ hints = [] }) => hints.map((h) => h.suggestion) })
    assert.match(suggestion("crypto_signal", "horizon_minutes=4")[0]!, /from 5 to 1440/)
    assert.match(suggestion("crypto_signal", "asset=DOGE")[0]!, /BTC, ETH/)
    assert.match(suggestion("markets_settled", "domain=nba")[0]!, /weather, nfl, mlb, crypto/)
    assert.match(suggestion("nfl_injuries", "team=LONDON")[0]!, /ARI, ATL, .*WAS/)
    assert.match(suggestion("nfl_games", "fields=games.game_idd")[0]!, /games\.game_id\b/)
    assert.match(suggestion("crypto_signal", "fields=p_above.strik")[0]!, /p_above\.strike\b/)
    assert.deepStrictEqual(suggestion("crypto_signal", "strikes=1,x"), ["Item 2 of strikes must be a number above 0."])
    assert.deepStrictEqual(suggestion("crypto_signal", `strikes=${Array(51).fill(1)}`), [
      "strikes must be a comma-separated list of up to 50 values, each a number above 0.",
    ])
  })

  it("a hint of JSON speaks of JSON: what was sent is never what it asks for", () => {
    const strikes = "strikes must be a JSON array of 1 to 50 values, each a number above 0."
    const cases: ReadonlyArray<readonly [value: Readonly<Record<string, unknown>>, suggestion: string]> = [
      [{ strikes: "60000,61000" }, strikes],
      [{ strikes: 60000 }, strikes],
      [{ strikes: [] }, strikes],
      [{ strikes: [60000, "61000"] }, "Item 2 of strikes must be a number above 0, without quotes."],
      [{ strikes: [60000, -1] }, "Item 2 of strikes must be a number above 0."],
      [{ horizon_minutes: "60" }, "horizon_minutes must be an integer from 5 to 1440, without quotes."],
      [{ horizon_minutes: 4 }, "horizon_minutes must be an integer from 5 to 1440."],
      [{ verbose: "true" }, "verbose must be true or false, without quotes."],
      [{ asset: 5 }, "asset must be one of BTC, ETH."],
      [
        { fields: "spot" },
        "fields must be a JSON array of 1 to 64 values, each text of 1 to 200 characters, 4,096 characters together.",
      ],
      [
        { include: "_suggestions" },
        "include must be a JSON array of 1 to 3 values, each one of _alternatives, _counterfactual, _suggestions.",
      ],
    ]
    for (const [value, expected] of cases) {
      const found = Either.match(decoders.get("crypto_signal")!({ _tag: "Json", value }, now), {
        onRight: () => [],
        onLeft: ({ hints = [] }) => hints.map(({ suggestion }) => suggestion),
      })
      assert.deepStrictEqual(found, [expected])
    }
  })

  it("a cursor belongs to its endpoint and its filters", () => {
    for (const [id, filters, other] of [
      ["nfl_games", { season: 2025 }, "season=2024"],
      ["nfl_top100", { season: 2021 }, "season=2020"],
      ["mlb_games", { date: "2026-07-04" }, "date=2026-07-05"],
      ["weather_settlement_history", { station: "KNYC", start: "2026-01-01", end: "2026-01-31" }, undefined],
    ] as const) {
      const cursor = Cursor.encode(id, filters, "last row")
      const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
      assert.strictEqual(params(id, `${query}&limit=5&cursor=${cursor}`)["cursor"], "last row")
      if (other !== undefined)
        assert.deepStrictEqual(refused(id, `${other}&cursor=${cursor}`)?.hints, ["change cursor"])
    }
    const cursor = Cursor.encode("markets_settled", { domain: "nfl" }, "last row")
    assert.strictEqual(params("markets_settled", `domain=nfl&limit=7&cursor=${cursor}`)["cursor"], "last row")
    assert.deepStrictEqual(refused("markets_settled", `cursor=${cursor}`)?.hints, ["change cursor"])
  })
})

describe("the slim shape", () => {
  const reaches = (mask: Select.Mask | undefined, [name, ...rest]: ReadonlyArray<string>): boolean =>
    mask === "all" || name === undefined ? mask !== undefined : reaches(mask?.fields.get(name) ?? mask?.each, rest)

  const split = (id: string) => {
    const { paths, slim } = Select.compile(catalogue.byId.get(id)!.endpoint.results)
    const inside = paths.filter((path) => reaches(slim, path.split(".")))
    return { slim: inside, verbose: paths.filter((path) => !inside.includes(path)) }
  }

  const under = (prefix: string, names: string) => names.split(" ").map((name) => `${prefix}.${name}`)

  it("nfl_games: the fields of the specification, in its order", () => {
    const { slim, verbose } = split("nfl_games")
    assert.deepStrictEqual(slim, [
      "count",
      "games",
      ...under("games", "game_id season week game_type gameday kickoff_local home_team away_team"),
      ...under("games", "home_score away_score result total market"),
      ...under("games.market", "spread_line total_line home_moneyline away_moneyline"),
      ...under("games", "rest rest.home rest.away roof surface qbs qbs.home qbs.away stadium"),
    ])
    assert.deepStrictEqual(verbose, under("games", "source fetched_at quality_flags"))
  })

  it("nfl_qb: one player or candidates", () => {
    const { slim, verbose } = split("nfl_qb")
    const sums = "completions attempts passing_yards passing_tds interceptions sacks_suffered"
    assert.sameMembers(
      [...slim],
      [
        ...["player", "player_id", "team", "aggregates", "weeks", "ambiguous", "query", "candidates"],
        ...under("aggregates", `weeks ${sums} epa_per_week cpoe_mean`),
        ...under("weeks", `season week player_id player_name team opponent ${sums}`),
        ...under("weeks", "passing_epa cpoe rushing_yards rushing_tds"),
        ...under("candidates", "player_id player team position first_season last_season attempts"),
      ],
    )
    assert.deepStrictEqual(verbose, ["source", "fetched_at"])
  })

  it("nfl_injuries", () => {
    const { slim, verbose } = split("nfl_injuries")
    assert.sameMembers(
      [...slim],
      [
        ...["team", "season", "week", "current_season", "is_current_season", "report", "reserve_list"],
        ...under("report", "count by_status players"),
        ...under("report.players", "player gsis_id position week report_status practice_status injury"),
        ...under("reserve_list", "as_of_week count players"),
        ...under("reserve_list.players", "player gsis_id position status designation"),
      ],
    )
    assert.sameMembers([...verbose], ["report.quality_flags", "source", "fetched_at"])
  })

  it("nfl_fair_line", () => {
    const { slim, verbose } = split("nfl_fair_line")
    assert.sameMembers(
      [...slim],
      [
        ...["game", "prediction", "form_games_used", "retrospective", "recorded_to_track_record"],
        ...under("game", "game_id season week gameday home_team away_team roof surface qbs qbs.home qbs.away stadium"),
        ...under("prediction", "model_version fair_line market market.spread_line market.total_line edge drivers"),
        ...under("prediction.fair_line", "home_margin spread total win_prob_home win_prob_away sigma_margin"),
        ...under("prediction.edge", "spread_points side total_points ou"),
        ...under("prediction.drivers", "feature points"),
        ...under("form_games_used", "home away"),
      ],
    )
    assert.sameMembers(
      [...verbose],
      [
        ...under("prediction", "fair_line.median_margin fair_line.sigma_total as_of inputs_hash quality_flags"),
        ...["margin_distribution", "total_distribution"].flatMap((name) =>
          under("prediction", `${name} ${name}.from ${name}.pmf`),
        ),
      ],
    )
  })

  it("mlb_games", () => {
    const { slim, verbose } = split("mlb_games")
    const side = "team_id name record probable_pitcher probable_pitcher_id"
    assert.sameMembers(
      [...slim],
      [
        ...["date", "count", "games"],
        ...under("games", "gamePk game_date_utc state double_header game_number venue home away"),
        ...under("games.home", side),
        ...under("games.away", side),
      ],
    )
    assert.sameMembers([...verbose], under("games", "official_date source fetched_at"))
  })

  it("mlb_fair_odds", () => {
    const { slim } = split("mlb_fair_odds")
    assert.sameMembers(
      [...slim],
      [
        ...["game", "prediction", "ledger", "ledger.snapshots_recorded"],
        ...under("game", "gamePk state venue home away"),
        ...under("game.home", "name record probable_pitcher"),
        ...under("game.away", "name record probable_pitcher"),
        ...under("prediction", "model_version win_prob_home win_prob_away inputs"),
        ...under("prediction.inputs", "home_pyth away_pyth home_games away_games"),
        ...under("prediction.inputs", "home_starter_era away_starter_era home_edge"),
        // In addition to the specification's: the two above are shrunk.
        ...under("prediction.inputs", "home_starter_era_raw away_starter_era_raw"),
      ],
    )
  })

  it("crypto_signal: the raw 120-close figures are verbose", () => {
    const { slim, verbose } = split("crypto_signal")
    assert.deepStrictEqual(slim, [
      ...["asset", "spot", "horizon_minutes", "sigma_ln", "expected_move_1sd_usd", "annualized_vol_est"],
      ...["p_above", "p_above.strike", "p_above.p_above", "market_note"],
    ])
    assert.includeMembers([...verbose], ["realized_vol.sigma_1h", "settlement_basis.same", "quality_flags"])
    assert.deepStrictEqual(split("crypto_spot").verbose, [])
  })

  it("markets_edge", () => {
    const { slim, verbose } = split("markets_edge")
    assert.deepStrictEqual(slim, [
      ...["count", "actionable_count", "min_edge_threshold", "source_disagreement"],
      ...under("source_disagreement", "domain compared disagreed"),
      ...["edges"],
      ...under("edges", "venue market title instrument subject signal_url"),
      ...under("edges", "model_prob market_prob edge side actionable yes_ask close_time model_version"),
      // Where `same` is false.
      ...["edges.settlement_basis", ...under("edges.settlement_basis", "model_source venue_source same")],
    ])
    assert.deepStrictEqual(verbose, under("edges", "yes_bid no_ask quoted_at quality_flags"))
  })

  it("markets_settled: next_cursor leaves with the slim shape, or pages would be lost", () => {
    const { slim, verbose } = split("markets_settled")
    assert.deepStrictEqual(slim, [
      ...["domain", "count", "rows"],
      ...under("rows", "venue series market_ticker title instrument strike_type floor_strike cap_strike"),
      ...under("rows", "yes_bid yes_ask no_ask market_prob model_prob model_version close_time captured_at result"),
      ...["next_before", "next_cursor", "methodology"],
    ])
    assert.includeMembers([...verbose], ["excluded.void", "excluded.no_quote", "rows.settlement_basis.same"])
  })

  it("markets_performance", () => {
    const { slim, verbose } = split("markets_performance")
    const briers = "markets_scored brier_model brier_market"
    assert.sameMembers(
      [...slim],
      [
        ...["as_of", "overall", "contested", "domains", "hypothetical", "live"],
        ...under("overall", `${briers} model_beats_market`),
        ...under("contested", `${briers} model_beats_market`),
        ...under("domains", "weather nfl mlb crypto"),
        ...["weather", "nfl", "mlb", "crypto"].flatMap((domain) => under(`domains.${domain}`, briers)),
        ...under("hypothetical", "trades wins losses pnl_after_fees roi_after_fees"),
        ...under("live", "open_tracked awaiting_settlement"),
      ],
    )
    assert.includeMembers(
      [...verbose],
      [
        ...["overall.brier_difference.low", "contested.brier_difference.high", "excluded.void"],
        ...["hypothetical.unknown_fee", "by_settlement.model_source.brier_model"],
      ],
    )
  })
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

import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Cursor from "../../../core/endpoint/Cursor.ts"
import { aliases, findFranchise, teams } from "../../../core/lanes/football/data/teams.ts"
import { ask, decoders, now, params, refused } from "../../support/catalogue.ts"

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
    ["nfl_qb", "player=Mahomes&season=2001&last=0", "change last", "change season"],
    ["nfl_qb", "player=Mahomes&last=61", "change last"],
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

    // What can only be answered with nothing.
    ["nfl_games", "season=2020&week=22", "change week"],
    ["nfl_injuries", "team=KC&season=1999&week=22", "change week"],
    ["mlb_games", "date=1850-01-01", "change date"],
    ["mlb_games", "date=2099-01-01", "change date"],
    ["markets_history", "market=KXHIGHNY-26JUL08-T82&start=2099-01-01T00:00:00Z", "change start"],
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

  it("the ends of every range and the defaults are valid", () => {
    const good: ReadonlyArray<readonly [id: string, query: string, expected: Readonly<Record<string, unknown>>]> = [
      ["weather_forecast", "lat=40.7&lon=-74", { lat: 40.7, lon: -74, hours: 48, hourly: false }],
      ["weather_forecast", "lat=40.7&lon=-74&hours=12", { lat: 40.7, lon: -74, hours: 12, hourly: false }],
      ["weather_forecast", "lat=40.7&lon=-74&hours=168", { lat: 40.7, lon: -74, hours: 168, hourly: false }],
      ["nfl_games", "", {}],
      ["nfl_games", "season=1999&week=1&limit=1", { season: 1999, week: 1, limit: 1 }],
      ["nfl_games", "week=22&limit=200&team=KC", { week: 22, limit: 200, team: "KC" }],
      ["nfl_qb", "player=00-0033873", { player: "00-0033873", last: 20 }],
      ["nfl_qb", "player=Mahomes&season=2002&last=1", { player: "Mahomes", season: 2002, last: 1 }],
      ["nfl_qb", "player=Mahomes&last=60", { player: "Mahomes", last: 60 }],
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
      assert.strictEqual(findFranchise(alias), team)
    }
    assert.deepStrictEqual(aliases, { LAR: "LA", JAC: "JAX", WSH: "WAS", OAK: "LV", SD: "LAC", STL: "LA" })
    assert.isUndefined(findFranchise("LONDON"))
  })

  it("an invalid accession number has its own code", () => {
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
    assert.match(suggestion("crypto_signal", "asset=DOGE")[0]!, /BTC \(Bitcoin\), ETH/)
    assert.match(suggestion("markets_settled", "domain=nba")[0]!, /weather, nfl \(football\), mlb \(baseball\), crypto/)
    assert.match(suggestion("nfl_injuries", "team=LONDON")[0]!, /ARI, ATL, .*WAS/)
    assert.match(suggestion("nfl_games", "fields=games.game_idd")[0]!, /games\.game_id\b/)
    assert.match(suggestion("crypto_signal", "fields=p_above.strik")[0]!, /p_above\.strike\b/)
    assert.deepStrictEqual(suggestion("crypto_signal", "strikes=1,x"), ["Item 2 of strikes must be a number above 0."])
    assert.deepStrictEqual(suggestion("crypto_signal", `strikes=${Array(51).fill(1)}`), [
      "strikes must be a comma-separated list of up to 50 values, each a number above 0.",
    ])
  })

  it("a hint for JSON parameters is in JSON terms", () => {
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
      [{ asset: 5 }, "asset must be one of BTC (Bitcoin), ETH (Ether)."],
      [
        { fields: "spot" },
        "fields must be a JSON array of 1 to 64 values, each text of 1 to 200 characters, 4,096 characters together.",
      ],
      [
        { include: "_suggestions" },
        "include must be a JSON array of 1 to 4 values, each one of _alternatives, _counterfactual, _suggestions, _market_anchored.",
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

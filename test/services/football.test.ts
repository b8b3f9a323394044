import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll } from "vitest"
import { catalogue } from "../../core/lanes/all.ts"
import { findGamesSeason } from "../../core/lanes/football/data/calendar.ts"
import { commandLine } from "../support/commandLine.ts"
import { fixture, samples } from "../support/footballStore.ts"
import { type Running, start } from "../support/running.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const football = catalogue.entries.filter(({ lane }) => lane.name === "football").map(({ endpoint }) => endpoint)

const queryOf = (params: unknown): string =>
  new URLSearchParams(Object.entries(params as object).map(([name, value]) => [name, String(value)])).toString()

describe("the football lane over HTTP", { timeout: 30_000 }, () => {
  let server: Running
  beforeAll(async () => {
    server = await start({}, { balance: 10_000_000 })
  })
  afterAll(() => server.stop())

  for (const endpoint of football) {
    it(`answers its example in the shape that it declares: ${endpoint.id}`, async () => {
      const path = `${endpoint.path}?${queryOf(endpoint.example)}&verbose=true`
      const { status, json } = await server.get(path, endpoint.auth === "none" ? "" : server.account.live.token)
      assert.strictEqual(status, 200, JSON.stringify(json))
      const results = endpoint.auth === "none" ? json : json.results
      const isResults = Schema.is(endpoint.results as Schema.Schema.AnyNoContext, { onExcessProperty: "error" })
      assert.isTrue(isResults(results))
      if (endpoint.auth === "none") return
      assert.strictEqual(json._meta.data_freshness, "mock")
      assert.strictEqual(json._meta.price.charged_micros, endpoint.priceMicros)
      for (const { step } of json._citations) assert.isTrue(step >= 1 && step <= json._reasoning.length)
      assert.strictEqual(json._confidence.label, endpoint.kind === "Signal" ? "reasoned" : "settlement")
      const slim = await server.get(`${endpoint.path}?${queryOf(endpoint.example)}`)
      assert.notInclude(slim.text, "fetched_at")
      assert.notInclude(slim.text, "quality_flags")
    })
  }

  const refused: ReadonlyArray<
    readonly [what: string, path: string, status: number, code: string, fields: ReadonlyArray<string>]
  > = [
    ["an unknown team", "games?team=XYZ", 400, "invalid_parameter", ["team"]],
    ["week 23", "games?week=23", 400, "invalid_parameter", ["week"]],
    ["week 0 and a season before the first", "games?week=0&season=1998", 400, "invalid_parameter", ["season", "week"]],
    ["a season to come", "games?season=2099", 400, "invalid_parameter", ["season"]],
    ["a cursor of other filters", "games?cursor=AAAA", 400, "invalid_parameter", ["cursor"]],
    ["no player", "qb", 400, "invalid_parameter", ["player"]],
    ["an unknown player", "qb?player=Nobody+At+All", 404, "not_found", ["player"]],
    ["lines from before there were any", "qb?player=a&season=2001", 400, "invalid_parameter", ["season"]],
    ["61 weeks", "qb?player=a&last=61", 400, "invalid_parameter", ["last"]],
    ["no team", "injuries", 400, "invalid_parameter", ["team"]],
    ["a list from before the first", "top100?season=2010", 400, "invalid_parameter", ["season"]],
    ["a list that has not come out", "top100?season=2099", 400, "invalid_parameter", ["season"]],
    ["neither game nor team", "fair-line", 400, "invalid_parameter", ["game_id", "team"]],
    ["an opponent alone", "fair-line?opponent=KC", 400, "invalid_parameter", ["game_id", "opponent", "team"]],
    ["a game that the team is not in", "fair-line?game_id=2025_11_KC_DEN&team=SEA", 400, "invalid_parameter", ["team"]],
    ["an id that is none", "fair-line?game_id=2025-11-KC-DEN", 400, "invalid_parameter", ["game_id"]],
    ["a game that was never played", "fair-line?game_id=1999_01_KC_KC", 404, "not_found", ["game_id"]],
  ]
  for (const [what, path, status, code, fields] of refused) {
    it(`refuses ${what} and charges nothing`, async () => {
      const before = await server.balance()
      const { status: found, json } = await server.get(`/v1/nfl/${path}`)
      assert.deepStrictEqual([found, json.error.code], [status, code])
      const hinted = json.error.hints.map(({ field }: { field: string }) => field).sort()
      assert.deepStrictEqual(hinted, [...fields].sort())
      assert.strictEqual(await server.balance(), before)
    })
  }

  it("does not charge for candidates, and links them to calls that answer", async () => {
    const before = await server.balance()
    const { json } = await server.get("/v1/nfl/qb?player=o")
    assert.isTrue(json.results.ambiguous)
    assert.strictEqual(json.results.candidates.length, 10)
    assert.deepStrictEqual([json._meta.price.charged_micros, await server.balance()], [0, before])
    for (const { endpoints } of json._links.slice(0, 2)) {
      for (const path of endpoints) assert.strictEqual((await server.get(path)).json.results.aggregates.weeks > 0, true)
    }
    const games = await server.get("/v1/nfl/games?season=2019&team=OAK&week=3")
    assert.match(games.json.results.games[0].game_id, /OAK/)
    for (const { endpoints } of games.json._links) {
      for (const path of endpoints) assert.isTrue((await server.get(path)).json.results.retrospective)
    }
  })

  it("puts no line of generated games on the record, for neither key", async () => {
    for (const token of [server.account.live.token, server.account.test.token]) {
      const { json } = await server.get(
        "/v1/nfl/fair-line?team=KC&include=_alternatives,_counterfactual,_suggestions",
        token,
      )
      assert.strictEqual(json.results.recorded_to_track_record, false)
      assert.strictEqual(json._counterfactual.input, "neutral_site")
      assert.strictEqual(json._alternatives.length, 2)
      assert.strictEqual(json._suggestions.length, 3)
    }
    const { json: line } = await server.get("/v1/nfl/fair-line?team=KC")
    for (const path of line._links.flatMap(({ endpoints }: { endpoints: ReadonlyArray<string> }) => endpoints)) {
      assert.strictEqual((await server.get(path)).status, 200, path)
    }
    const { json } = await server.get("/v1/nfl/performance", "")
    assert.deepStrictEqual(json.live, { predictions_scored: 0, games_pending: 0, status: "no_predictions" })
  })
})

describe("ingest football", { timeout: 30_000 }, () => {
  const folder = makeFolder()
  const store = join(folder, "store.db")
  afterAll(() => removeFolder(folder))
  const { cli, parsed } = commandLine(store)
  const files = samples.map(([, file]) => file)
  const [games, teamStats, , , injuries, rosters, top100] = files

  it("stores every kind of file, packed or plain, one by one or by the folder, and the same again not at all", async () => {
    const players = join(folder, "players")
    mkdirSync(players)
    for (const file of files.filter((one) => basename(one).startsWith("player_weeks"))) {
      copyFileSync(file, join(players, basename(file)))
    }
    writeFileSync(join(players, "notes.txt"), "no data")
    const packed = join(folder, "injuries_2024.csv.gz")
    writeFileSync(packed, gzipSync(readFileSync(injuries!)))
    const line = `ingest football --games ${games} --team-stats ${teamStats} --players ${players} --injuries ${packed} --injuries ${fixture("injuries_2026.csv")} --rosters ${rosters} --top100 ${top100}`
    const first = await parsed(line)
    assert.deepStrictEqual([first.files, first.refused], [8, []])
    assert.deepStrictEqual(
      first.stored.map(({ feed, rows, added, changed }: Record<string, unknown>) => [feed, rows, added, changed]),
      [
        ["games", 7, 7, 0],
        ["team_weeks", 4, 4, 0],
        ["quarterbacks", 6, 6, 0],
        ["quarterbacks", 2, 2, 0],
        ["injuries", 4, 4, 0],
        ["injuries", 0, 0, 0],
        ["rosters", 8, 6, 0],
        ["top100", 5, 5, 0],
      ],
    )
    const again = await cli(line)
    assert.strictEqual(again.code, 0)
    assert.match(again.stdout, /^games\.csv: 7 rows, 0 added, 0 changed \(\d+ rows\/s\)$/m)
    assert.match(again.stdout, /8 files: 8 read, 0 rejected$/)
  })

  it("has no Top 100 before an operator loads a list, and does not ask for patience", async () => {
    const server = await start({ football: "live" })
    try {
      for (const query of ["", "?season=2026", "?season=2016"]) {
        const { status, headers, json } = await server.get(`/v1/nfl/top100${query}`)
        const { code, recoverable, retry_after_ms: retry, hints, message } = json.error
        assert.deepStrictEqual([status, code, recoverable, retry], [503, "data_provider_unavailable", false, null])
        assert.isNull(headers.get("retry-after"))
        assert.match(message, /no feed provides them/)
        assert.deepInclude(hints[0], { field: "season", action: "contact" })
        assert.include(hints[0].suggestion, "ingest football --top100")
      }
      assert.strictEqual(await server.charges(), 0)
    } finally {
      await server.stop()
    }
  })

  it("serves a live key from the store, and puts its line of a game to come on the record", async () => {
    const server = await start({ football: "live", sqliteFile: store })
    try {
      const { json } = await server.get("/v1/nfl/games?season=2024&week=1")
      assert.deepStrictEqual([json._meta.data_freshness, json.results.count], ["live", 2])
      const season = findGamesSeason(Date.now())
      for (const never of [
        ...["qb?player=Pat%20Example&season=2007", "qb?player=Nobody&season=2007", "fair-line?team=KC"],
        ...["injuries?team=KC&season=2018", `injuries?team=KC&season=${season}`, "games?season=2018"],
      ]) {
        const before = await server.balance()
        const { status, json } = await server.get(`/v1/nfl/${never}`)
        const code = never.endsWith(String(season)) ? "data_freshness_stale" : "upstream_unavailable"
        assert.deepStrictEqual([status, json.error.code], [503, code], never)
        assert.strictEqual(await server.balance(), before)
      }
      const unlisted = await server.get("/v1/nfl/top100?season=2011")
      assert.deepStrictEqual([unlisted.status, unlisted.json.error.code], [404, "not_found"])
      assert.match(unlisted.json.error.hints[0].suggestion, /^Send one of \d{4}/)
      // The file lacks weeks of that season: that nobody is hurt is not known.
      const absent = await server.get("/v1/nfl/injuries?team=DEN&season=2024")
      assert.deepStrictEqual([absent.status, absent.json.error.code], [503, "data_freshness_stale"])
      const mocked = await server.get("/v1/nfl/games?season=2024&week=1", server.account.test.token)
      assert.deepStrictEqual([mocked.json._meta.data_freshness, mocked.json.results.count], ["mock", 16])
      const old = await server.get("/v1/nfl/fair-line?game_id=2024_01_KC_BUF")
      assert.deepInclude(old.json.results, { retrospective: true, recorded_to_track_record: false })
    } finally {
      await server.stop()
    }
  })

  it("rejects a file that contradicts what is stored, as the job does, and says which", async () => {
    const short = join(folder, "player_weeks_2024.csv")
    const [header, first] = readFileSync(fixture("player_weeks_2024.csv"), "utf8").split("\n")
    writeFileSync(short, `${header}\n${first}\n`)
    const before = await parsed(`ingest football --players ${fixture("player_weeks_2024.csv")}`)
    assert.deepStrictEqual(before.refused, [])
    const { code, stdout } = await cli(`ingest football --players ${short} --json`)
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(JSON.parse(stdout).refused, [
      {
        file: "player_weeks_2024.csv",
        feed: "quarterbacks",
        reason: "Rejected: it has 1 row and had 6: more than a tenth is gone.",
      },
    ])
  })

  it("rejects a whole file with its position, and continues with the others", async () => {
    const broken = join(folder, "broken.csv")
    writeFileSync(broken, readFileSync(games!, "utf8").replace("spread_line", "spread"))
    const { code, stdout, stderr } = await cli(`ingest football --games ${broken} --top100 ${top100}`)
    assert.strictEqual(code, 1)
    assert.match(stdout, /^top100\.csv: 5 rows/m)
    assert.match(stdout, /2 files: 1 read, 1 rejected$/)
    assert.match(stderr, /broken\.csv: line 1, spread_line, Missing column\./)
    const impossible = join(folder, "impossible.csv")
    writeFileSync(
      impossible,
      readFileSync(teamStats!, "utf8").replace("2024,1,BUF,REG,KC,1,1,5.5", "2024,1,BUF,REG,KC,1,1,550"),
    )
    const beyond = await cli(`ingest football --team-stats ${impossible} --json`)
    assert.deepStrictEqual(JSON.parse(beyond.stdout).refused, [
      {
        ...{ file: "impossible.csv", feed: "team_weeks", line: 3, field: "passing_epa" },
        reason: "550 is not a number from -80 to 80.",
      },
    ])
    const none = await cli("ingest football")
    assert.strictEqual(none.code, 2)
    assert.match(none.stderr, /Give at least one file/)
  })
})

import { assert, describe, it } from "@effect/vitest"
import MiniSearch from "minisearch"
import { list, type Tool } from "../../../adapters/describe/tools/tools.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as decode from "../../../core/endpoint/decode.ts"
import { withAccount } from "../../../core/lanes/account/Account.ts"
import { catalogue } from "../../../core/lanes/all.ts"

const now = Date.UTC(2026, 8, 10, 15)

type Arguments = Readonly<Record<string, unknown>>

/** Questions as people ask them, with the tool that answers them and what to call it with. */
const questions: ReadonlyArray<readonly [question: string, tool: string, args: Arguments]> = [
  ["Which weather stations are covered?", "weather_stations", {}],
  ["What is the station id for Chicago?", "weather_stations", {}],
  ["How hot was it in New York yesterday?", "weather_settlement", { station: "KNYC" }],
  ["What was the official high in Miami on July 8?", "weather_settlement", { station: "KMIA", day: "2026-07-08" }],
  ["How wet was the day in Houston, officially?", "weather_settlement", { station: "KHOU", day: "2026-07-01" }],
  [
    "Give me all official daily reports of January for Denver",
    "weather_settlement_history",
    { station: "KDEN", start: "2026-01-01", end: "2026-01-31" },
  ],
  [
    "Past days of reports of a station at once",
    "weather_settlement_history",
    { station: "KBOS", start: "2026-03-01", end: "2026-03-09" },
  ],
  [
    "Will it rain tomorrow at this place? I have the latitude and longitude",
    "weather_forecast",
    { lat: 40.8, lon: -74 },
  ],
  ["Wind forecast for the next 12 hours at a point", "weather_forecast", { lat: 39.7, lon: -105, hours: 12 }],
  ["Any weather warnings or alerts here?", "weather_forecast", { lat: 25.8, lon: -80.2 }],
  ["How likely is a high of 90 degrees in Austin tomorrow?", "weather_signal", { station: "KAUS" }],
  ["Probability distribution of today's low in Los Angeles", "weather_signal", { station: "KLAX" }],
  ["Price a temperature contract on Philadelphia", "weather_signal", { station: "KPHL" }],
  ["NFL schedule of week 3", "nfl_games", { season: 2025, week: 3 }],
  ["Final scores of football games in 2024", "nfl_games", { season: 2024 }],
  ["What spread did bookmakers have on the Chiefs games?", "nfl_games", { team: "KC" }],
  ["How many touchdowns did Mahomes throw?", "nfl_qb", { player: "Mahomes" }],
  ["Passing yards of a quarterback by week", "nfl_qb", { player: "Josh Allen", season: 2024 }],
  ["A quarterback's interceptions in the last weeks", "nfl_qb", { player: "Burrow", last: 4 }],
  ["Who is hurt on the Bills?", "nfl_injuries", { team: "BUF" }],
  ["Injury report of Dallas before the game", "nfl_injuries", { team: "DAL" }],
  ["Which players are doubtful or out this week?", "nfl_injuries", { team: "NYJ" }],
  ["Top 100 ranking of the best players", "nfl_top100", {}],
  ["Which players were voted onto the annual list in 2023?", "nfl_top100", { season: 2023 }],
  ["Who is favoured in the Raiders game, and by how many points?", "nfl_fair_line", { team: "LV" }],
  ["Fair spread and total against the posted line", "nfl_fair_line", { team: "GB" }],
  ["Model win probability of an NFL game", "nfl_fair_line", { team: "SF", opponent: "SEA" }],
  ["How accurate is the football fair line?", "nfl_performance", {}],
  ["Track record of nfl_fair_line", "nfl_performance", {}],
  ["Are the temperature probabilities calibrated?", "weather_performance", {}],
  ["How good have the bitcoin distributions been as issued?", "crypto_performance", {}],
  ["MLB games today with starting pitchers", "mlb_games", {}],
  ["Baseball schedule on September 9", "mlb_games", { date: "2026-09-09" }],
  ["Who are the probable starters tonight?", "mlb_games", {}],
  ["Who will win the Yankees baseball game?", "mlb_fair_odds", { game_pk: 1 }],
  ["Win probability of a baseball game with its inputs", "mlb_fair_odds", { game_pk: 1 }],
  ["How good have the baseball odds been?", "mlb_performance", {}],
  ["Bitcoin price now", "crypto_spot", {}],
  ["Realized volatility of ETH", "crypto_spot", { asset: "ETH" }],
  ["What does ether cost in USD right now?", "crypto_spot", { asset: "ETH" }],
  ["Chance that bitcoin is above 100000 in an hour", "crypto_signal", { horizon_minutes: 60, strikes: [100_000] }],
  ["Probability that ETH ends above a strike", "crypto_signal", { asset: "ETH", horizon_minutes: 30 }],
  ["Which contracts are mispriced right now?", "markets_edge", {}],
  ["Where do model and market differ the most?", "markets_edge", { min_edge: 0.1 }],
  ["What should I trade now, with size and fee?", "markets_edge", { domain: "weather" }],
  ["Largest edges on Kalshi", "markets_edge", { venue: "kalshi" }],
  ["Results of settled weather contracts", "markets_settled", { domain: "weather" }],
  ["List single past results with model and market probability", "markets_settled", {}],
  ["How did the price of this contract move over time?", "markets_history", { market: "KXHIGHNY-26JUL08-T82" }],
  ["What did the book say on a contract before it settled?", "markets_history", { market: "KXHIGHNY-26JUL08-T82" }],
  ["Do the models beat the market?", "markets_performance", {}],
  ["Brier score of the models over all domains", "markets_performance", {}],
  ["Which open contracts may my model forecast?", "bench_contracts", {}],
  ["Leaderboard of users' models", "bench_models", {}],
  [
    "Enter my own forecasts of open contracts",
    "bench_opinions",
    { model: "mine-1", opinions: [{ market: "X", prob: 0.4 }] },
  ],
  [
    "Record my model's probabilities to be scored",
    "bench_opinions",
    { model: "mine-1", opinions: [{ market: "X", prob: 0.4 }] },
  ],
  ["Withdraw my model for good", "bench_withdraw", { model: "mine-1" }],
  ["What does a call cost?", "pricing", {}],
  ["Quote a plan of ten calls before making it", "pricing", { calls: [{ tool: "crypto_spot" }] }],
  ["List the prices of all tools", "pricing", {}],
  ["How much money is left on my balance?", "wallet", {}],
  ["How can I add money to my wallet?", "wallet", {}],
  ["Find the ids of teams, games or contracts in plain words", "find", { q: "Chiefs" }],
  ["Where do I begin with the question NYC high tomorrow?", "find", { q: "NYC high tomorrow" }],
  ["Tell me when the report of New York is out", "alerts_create", { call: "/v1/weather/settlement?station=KNYC" }],
  ["Create an alert for edges above ten percent", "alerts_create", { call: "/v1/markets/edge", threshold: 0.1 }],
  ["Which alerts do I have, and why is one paused?", "alerts_list", {}],
  ["Delete an alert", "alerts_delete", { alert: `alt_${"0".repeat(26)}` }],
  ["Send events to my own URL", "webhooks_create", { url: "https://hooks.example.com/", events: ["alert.fired"] }],
  ["List my webhooks", "webhooks_list", {}],
  ["Delete a webhook and its secret", "webhooks_delete", { webhook: `whk_${"0".repeat(26)}` }],
]

describe("tools can be chosen by their words alone", () => {
  const tools = list(catalogue, { scopes: [...catalogue.lanes.map(({ name }) => name), "manage"] })
  const usual = list(catalogue)
  /** Words of every question. */
  const unspecific = new Set(
    "a all and any at be by did do does for give have how i in is it me my of on the to was what with you".split(" "),
  )
  const processTerm = (term: string) => (unspecific.has(term.toLowerCase()) ? null : term.toLowerCase())
  const fields = ["name", "title", "description", "parameters"]
  const indexOf = (of: typeof tools) => {
    const index = new MiniSearch({ processTerm, fields, idField: "name" })
    index.addAll(of.map(searched))
    return index
  }
  const searched = ({ name, title, description, inputSchema }: Tool) => ({
    name,
    title,
    description,
    parameters: Object.entries(inputSchema["properties"] as Readonly<Record<string, { readonly description?: string }>>)
      .map(([param, schema]) => `${param} ${schema.description ?? ""}`)
      .join(" "),
  })

  it.each([
    [58, 64, "the usual tools", usual],
    [63, 71, "those of a key that manages too", tools],
  ] as const)("%i of %i questions in plain words find the right tool first, by BM25: of %s", (least, all, _, of) => {
    const index = indexOf(of)
    const asked = questions.filter(([, tool]) => of.some(({ name }) => name === tool))
    assert.lengthOf(asked, all)
    const wrong = asked.flatMap(([question, tool]) => {
      const first = index.search(question)[0]?.id
      return first === tool ? [] : [`${question} → ${first}, not ${tool}`]
    })
    assert.isAtLeast(all - wrong.length, least, wrong.join("\n"))
  })

  it("and every tool is asked for with arguments that it takes", () => {
    for (const [question, tool, args] of questions) {
      const entry = withAccount(catalogue).byId.get(tool)
      if (entry === undefined) assert.strictEqual("pricing", tool)
      else
        assert.strictEqual(decode.compile(entry.endpoint)({ _tag: "Json", value: args }, now)._tag, "Right", question)
    }
    assert.sameMembers(
      [...new Set(questions.map(([, tool]) => tool))],
      tools.map(({ name }) => name),
    )
    assert.isAbove(Catalogue.live(catalogue).length, 20)
  })
})

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { conditionOf, kinds } from "../../../../../adapters/web/dashboard/pages/alertKinds.ts"
import { Alerts } from "../../../../../core/alerts/Alerts.ts"
import { watches } from "../../../../../core/lanes/all.ts"
import { type Running, start } from "../../../../support/running.ts"
import { formsIn } from "../forms.ts"
import { signIn, type Visitor } from "../visitor.ts"
import { rowsOf } from "./traffic.ts"

let running: Running
let owner: Visitor
beforeAll(async () => {
  running = await start()
  owner = await signIn(running, { account: "tester" })
}, 60_000)
afterAll(() => running.stop())

const form = "/dashboard/alerts/new"
const addressOf = (call: string) => `${form}?${new URLSearchParams({ call })}`

const listed = () => running.run(Effect.flatMap(Alerts, ({ list }) => list(running.account.id)))

describe("a new alert", () => {
  it("has a kind for everything that can be watched", () => {
    const paths = (all: ReadonlyArray<{ readonly endpoint: { readonly path: string } }>) =>
      all.map(({ endpoint }) => endpoint.path).toSorted()
    assert.deepStrictEqual(paths(kinds), paths(watches))
  })

  it("asks for the fields of its kind alone, and is made of them", async () => {
    const seen: Array<unknown> = []
    for (const { endpoint } of kinds) {
      const address = addressOf(endpoint.path)
      const { html } = await owner.get(address)
      const { values } = formsIn(html).find(({ name }) => name === "create")!
      const { status } = await owner.send(address, "create", {
        ...Object.fromEntries(values.filter(([name]) => !["action", "form_id", "form_token"].includes(name))),
      })
      const [alert] = await listed()
      const price = /Each firing costs ([\d.]+ USD)/.exec(html)![1]
      seen.push([
        status,
        values
          .map(([name]) => name)
          .slice(3)
          .join(),
        conditionOf(alert!),
        alert!.threshold,
        price,
      ])
    }
    const free = "name"
    assert.deepStrictEqual(seen, [
      [303, `station,${free}`, "New climate report · New York, Central Park", undefined, "0.001 USD"],
      [303, `domain,threshold,hysteresis,${free}`, "Edge ≥ 10 points · Weather", 0.1, "0.01 USD"],
      [303, `station,threshold,${free}`, "Temperature moves 1 °F or more · New York, Central Park", 1, "0.01 USD"],
      [303, `team,threshold,${free}`, "Fair line moves 1 point or more · Kansas City Chiefs", 1, "0.01 USD"],
      [303, `game_pk,threshold,${free}`, "Fair odds move 2 points or more · 777001", 0.02, "0.01 USD"],
    ])
  })

  it("says how often it would have fired, by what is on record, and charges nothing for it", async () => {
    const before = await running.balance()
    const seen = async (query: string) =>
      (await owner.get(`${form}?${query}`)).html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")
    type Page = {
      readonly rows: ReadonlyArray<{ model_prob: number; market_prob: number; close_time: string }>
      readonly next_before: string
    }
    const settled = async (before: string): Promise<Page> =>
      (await running.get(`/v1/markets/settled?domain=weather&limit=500&before=${before}`)).json
    const newest = await settled(new Date().toISOString())
    const month = [...newest.rows, ...(await settled(newest.next_before)).rows].filter(
      ({ close_time }) => Date.parse(close_time) >= Date.now() - 30 * 86_400_000,
    )
    const least = (points: number) =>
      month.filter(({ model_prob, market_prob }) => Math.abs(model_prob - market_prob) >= points / 100 - 1e-9).length
    const html = await seen("call=/v1/markets/edge?domain=weather&threshold=0.06")
    assert.isAbove(least(6), 0)
    assert.include(html, `At 6 points it would have fired at least ${least(6)} times since`)
    assert.include(html, `${month.length} weather contracts have settled since`)
    for (const points of [5, 10]) assert.match(html, new RegExp(`${points} points ${least(points)} `))
    assert.match(await seen("call=/v1/weather/settlement?station=KMIA"), /at least (29|30) times since .*Miami had/)
    for (const call of ["/v1/weather/signal", "/v1/markets/edge?domain=none"]) {
      assert.notInclude(await seen(`call=${call}`), "at least")
    }
    assert.strictEqual(await running.balance(), before)
  })

  it("says in the form's words what is wrong, and keeps what was typed", async () => {
    for (const threshold of ["", "abc", "2", "1e999"]) {
      const { status, html } = await owner.send(addressOf("/v1/markets/edge"), "create", {
        domain: "nfl",
        threshold,
        agent: "",
      })
      assert.strictEqual(status, 422)
      assert.include(html, "Enter a number from 5, such as 10.")
      assert.include(html, '<option value="nfl" selected>')
      assert.notInclude(html.replace(/<section class="preview">[\s\S]*/, ""), "0.05")
    }
    const game = await owner.send(addressOf("/v1/mlb/fair-odds"), "create", { game_pk: "next", threshold: "2" })
    assert.include(game.html, `id="create-game_pk-error">Game must be an integer from 1 to 999999999.<`)
  })

  it("watches the one thing from whose page it was opened", async () => {
    const address = `${addressOf("/v1/nfl/fair-line?game_id=2026_12_KC_BUF")}&threshold=1.5`
    const { html } = await owner.get(address)
    assert.include(html, "Watches Fair line · 2026_12_KC_BUF.")
    await owner.send(address, "create", { threshold: "1.5", name: "my game" })
    const [alert] = await listed()
    assert.strictEqual(alert!.call, "/v1/nfl/fair-line?game_id=2026_12_KC_BUF")
    const { html: list } = await owner.get("/dashboard/alerts")
    assert.include(
      list,
      "<strong>my game</strong><br/><small>Fair line moves 1.5 points or more · 2026_12_KC_BUF</small>",
    )
    assert.include((await owner.get(`/dashboard/alerts?do=delete&alert=${alert!.id}`)).html, "Delete “my game”?")
  })

  it("on edges shows the newest contract that had one, and what each edge would have fired and cost", async () => {
    const { html } = await owner.get(`${addressOf("/v1/markets/edge?domain=weather")}&threshold=0.05`)
    const [, json] = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(html.slice(html.indexOf("What a firing sends")))!
    const { data } = JSON.parse(json!.replace(/<[^>]+>/g, "").replaceAll("&quot;", '"'))
    const [{ market, model_prob, market_prob, edge }] = data.results.edges
    assert.closeTo(edge, model_prob - market_prob, 1e-9)
    assert.isAtLeast(Math.abs(edge), 0.05)
    assert.deepStrictEqual(
      data.changes.map(({ subject, value }: { readonly subject: string; readonly value: number }) => [subject, value]),
      [[market, Math.abs(edge)]],
    )
    const firings = rowsOf(html, "Choose an edge").map((cells) => cells.map((cell) => Number(/[\d.]+/.exec(cell)![0])))
    assert.deepStrictEqual(
      firings.map(([points]) => points),
      [5, 8, 10, 15, 20],
    )
    assert.include(html, "?call=%2Fv1%2Fmarkets%2Fedge%3Fdomain%3Dweather&amp;threshold=0.08")
    for (const [at, [, times, cost]] of firings.entries()) {
      assert.strictEqual(cost, times! / 100)
      if (at > 0) assert.isAtMost(times!, firings[at - 1]![1]!)
    }
    assert.include(html.replaceAll(/<[^>]+>/g, ""), `At 5 points it would have fired at least ${firings[0]![1]} times`)
  })

  it("that is paused says so on the next page of whoever did it, and of nobody else", async () => {
    const [alert] = await listed()
    const other = await signIn(running, { account: "tester", name: "bob" })
    assert.strictEqual((await owner.send("/dashboard/alerts", "pause", { alert: alert!.id })).status, 303)
    const said = '<p class="did" role="status"><span aria-hidden="true">✓</span> Alert paused</p>'
    assert.include((await owner.get("/dashboard/alerts")).html, said)
    assert.notInclude((await other.get("/dashboard/alerts")).html, said)
  })
})

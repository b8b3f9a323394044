import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { percent } from "../../../../adapters/web/view/numbers.ts"
import { demoKey } from "../../../../core/account/ApiKey.ts"
import { clockAt } from "../../../support/clock.ts"
import { type Running, start } from "../../../support/running.ts"
import { skeletonDigest } from "../../../support/skeleton.ts"
import { signIn } from "../dashboard/visitor.ts"

/** A Thursday of the football season, with open contracts of every kind but baseball. */
const now = Date.UTC(2026, 10, 26, 16)

let running: Running
beforeAll(async () => {
  running = await start({}, { clock: clockAt(now) })
  // Generating the settled markets takes longer than a page may.
  for (const domain of ["weather", "nfl", "mlb", "crypto"])
    await running.get(`/v1/markets/settled?domain=${domain}`, "")
  while ((await read("/forecasts")).html.includes("data-reload")) await sleep(200)
}, 120_000)
afterAll(() => running.stop())

const read = async (path: string) => {
  const response = await fetch(running.url + path, { headers: { accept: "text/html" } })
  return { status: response.status, html: await response.text(), headers: response.headers }
}

const api = async (path: string) => (await running.get(path, demoKey)).json

describe("the pages of subjects", () => {
  it("are listed, and each that is listed has a page with a picture, its numbers and the calls behind it", async () => {
    const { html } = await read("/forecasts")
    const links = [...html.matchAll(/<a (?:class="tile" )?href="(\/(?:weather|nfl|mlb|crypto|markets)\/[^"]+)">/g)].map(
      ([, path]) => path!,
    )
    const kinds = new Set(links.map((path) => path.split("/")[1]))
    assert.sameMembers([...kinds], ["weather", "nfl", "mlb", "crypto", "markets"])
    const digests: Record<string, string> = { list: skeletonDigest(html, running.url) }
    for (const kind of kinds) {
      const path = links.find((each) => each.startsWith(`/${kind}/`))!
      const page = await read(path)
      assert.strictEqual(page.status, 200, path)
      assert.match(page.html, /<figcaption>[^<]+<\/figcaption><output/, path)
      assert.include(page.html, "<summary>The numbers</summary>", path)
      assert.lengthOf(page.html.match(/Sample data/g)!, 1, path)
      assert.match(page.html, new RegExp(`Bearer <span class="key-text">${demoKey}`), path)
      assert.include(page.headers.get("content-security-policy"), "default-src 'none'")
      digests[kind!] = skeletonDigest(page.html, running.url)
    }
    assert.deepStrictEqual(digests, {
      crypto: "0f672dda",
      list: "9a9a214a",
      markets: "f720b6f0",
      mlb: "dd17893c",
      nfl: "215f4ca9",
      weather: "a56bae6e",
    })
  })

  const inWords = (feature: string, html: string): string => {
    const [, away = "", home = ""] = /<h1>.*?(\w+) at [^,]*?(\w+), /.exec(html)!
    return feature
      .replaceAll("_", " ")
      .replace("home field team", `${home}' own home field`)
      .replace(/^away /, `${away} `)
      .replace(/^home (?!field)/, `${home} `)
      .replace("elo gap", "Elo ratings")
      .replace("qb", "quarterback")
      .replace("prime hfa", "home field, evening")
  }

  it("show the numbers of the API's answers", async () => {
    const { html } = await read("/weather/knyc")
    const { results } = await api("/v1/weather/signal?station=KNYC")
    const [degrees, p] = Object.entries<number>(results.probabilities.pmf).sort(([, a], [, b]) => b - a)[0]!
    assert.include(html, `${degrees} °F</th><td class="number">${percent(p)}</td>`)
    const [, id] = /<a class="tile" href="\/nfl\/([^"]+)">/.exec((await read("/forecasts")).html)!
    const line = await api(`/v1/nfl/fair-line?game_id=${id}`)
    const game = await read(`/nfl/${id}`)
    assert.include(game.html, `by ${Math.abs(line.results.prediction.fair_line.home_margin).toFixed(1)}</td>`)
    for (const { feature, points } of line.results.prediction.drivers.slice(0, 3)) {
      assert.include(
        game.html,
        `${inWords(feature, game.html)}</th><td class="number">${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`,
      )
    }
    const spot = (await api("/v1/crypto/signal?asset=BTC")).results.spot
    assert.include((await read("/crypto/btc")).html, `<dt>Now</dt><dd>${Math.round(spot).toLocaleString("en-US")} USD<`)
  })

  it("show of each contract model, market, pool, ask and expected gain, on its page and on its game's", async () => {
    const edges: ReadonlyArray<
      Record<string, number> & { market: string; side: string; subject: { game_id: string } }
    > = (await api("/v1/markets/edge?min_edge=0&verbose=true")).results.edges
    const shares = (p: number) => (p < 0.1 || p > 0.9 ? (100 * p).toFixed(1) : Math.round(100 * p).toString())
    const row = (one: (typeof edges)[number]) => {
      const { model_prob: model, market_prob: market, pooled_prob: pool, expected_gain: gain } = one
      const ask = one.side === "no" ? one["no_ask"]! : one["yes_ask"]!
      return [
        `<a href="/markets/${one.market}"`,
        ...[model!, market!].map((p) => `<td class="number">${shares(p)} %</td>`),
        `<td class="number wide">${shares(pool!)} %</td>`,
        `<td class="number wide">${one.side} ${Number((100 * ask).toFixed(1))} ¢</td>`,
        `<td class="number">${gain! < 0 ? "−" : "+"}${Math.abs(100 * gain!).toFixed(1)} ¢</td>`,
      ]
    }
    const inOrder = (html: string, parts: ReadonlyArray<string>) => {
      const own = html.slice(html.indexOf(parts[0]!, html.indexOf("All contracts of this event")))
      const end = own.indexOf("</tr>")
      for (const part of parts) assert.include(own.slice(0, end), part)
    }
    const high = edges.find(({ market, pool_weight }) => market.startsWith("KXHIGH") && pool_weight! > 0)!
    inOrder((await read(`/markets/${high.market}`)).html, row(high))
    const game = edges.find(({ market }) => market.startsWith("KXNFLGAME-"))!
    const { html } = await read(`/nfl/${game.subject.game_id}`)
    const sides = edges.filter(({ subject }) => subject.game_id === game.subject.game_id)
    assert.lengthOf(sides, 2)
    for (const side of sides) inOrder(html, row(side))
  })

  it("show a station's next day once today is as good as over", async () => {
    const evening = await start({}, { clock: clockAt(Date.UTC(2026, 10, 27, 2)) })
    const html = await (await fetch(`${evening.url}/weather/KNYC`)).text()
    await evening.stop()
    assert.include(html, "High in New York, 27 Nov 2026")
    assert.include(html, "station=KNYC&amp;target=2026-11-27#weather_signal")
    assert.include(html, "25 Nov 2026: high")
    assert.include((await read("/weather/KNYC")).html, "High in New York, 26 Nov 2026")
  })

  it("lead to an alert and to the call, filled in", async () => {
    const { html } = await read("/weather/KNYC")
    const call = encodeURIComponent("/v1/weather/signal?station=KNYC")
    assert.include(html, `href="/dashboard/alerts/new?call=${call}&amp;threshold=1">Alert me</a>`)
    assert.include(html, 'href="/docs/weather?run=weather_signal&amp;station=KNYC#weather_signal">Get it by API</a>')
    assert.match(html, /<time datetime="2026-11-27T04:59:00.000Z" data-closes="true">closes in 12\sh 59\smin<\/time>/)
  })

  it("fill in the form of a new alert", async () => {
    const { cookie } = await signIn(running, { account: "tester", name: "ann" })
    const [, to] = /href="([^"]+)">Alert me/.exec((await read("/weather/KNYC")).html)!
    const form = await (await fetch(running.url + to!.replaceAll("&amp;", "&"), { headers: { cookie } })).text()
    assert.include(form, '<option value="KNYC" selected>New York, Central Park (KNYC)</option>')
    assert.match(form, /name="threshold"[^>]*value="1"/)
  })

  it("list a game as one tile with both chances, and nothing twice", async () => {
    const { html } = await read("/forecasts")
    const paths = [...html.matchAll(/<a class="tile" href="([^"]+)">/g)].map(([, path]) => path)
    assert.strictEqual(new Set(paths).size, paths.length)
    const tile = html.split('<a class="tile" ').find((each) => each.startsWith('href="/nfl/2026_12_CIN_LAC"'))!
    assert.match(
      tile,
      /fill="#fb4f14".*Bengals<\/span><strong>52 %<\/strong><small><span class="unseen">market <\/span>54 %<\/small>.*Chargers<\/span><strong>48 %<\/strong>/,
    )
    assert.match(html, /High in New York<\/strong><span class="pair"><strong>49 °F<\/strong><small>market \d+ °F/)
  })

  it("show the drivers of a game as a waterfall, with its posted line-ups", async () => {
    const { games } = (await api("/v1/mlb/games?date=2026-07-09")).results
    for (const { gamePk } of games.slice(0, 4)) {
      const { prediction } = (await api(`/v1/mlb/fair-odds?game_pk=${gamePk}&verbose=true`)).results
      const { html } = await read(`/mlb/${gamePk}`)
      assert.isTrue(prediction.line_up.used)
      assert.lengthOf(prediction.drivers, 9)
      // Those that would be written as 0 are among all others.
      for (const { feature, log_odds } of prediction.drivers.slice(0, 7)) {
        if (Math.abs(log_odds) < 0.005) continue
        const value = `${log_odds < 0 ? "−" : "+"}${Math.abs(log_odds).toFixed(2)}`
        assert.include(html, `<th scope="row">${feature}</th><td class="number">${value}</td>`)
      }
      assert.match(html, /Line-ups<\/dt><dd>posted, included/)
    }
  })

  it("list what is open first, and what has settled in a fold of its own", async () => {
    const { html } = await read("/forecasts")
    const section = (kind: string) => html.slice(html.indexOf(`<h2 id="${kind}">`)).split("</section>")[0]!
    const [ahead, played] = section("nfl").split("<summary>Settled (8)</summary>")
    assert.notInclude(ahead!, "final")
    assert.lengthOf(played!.match(/· final · \w+ \d+, \w+ \d+</g)!, 8)
    assert.match(section("mlb"), /<p>No games today\.<\/p><details><summary>Settled \(16\)<\/summary>.*· final</s)
  })

  it("list the largest differences with the ask of each and its gain after fees", async () => {
    const { html } = await read("/forecasts")
    const rows = html.slice(html.indexOf('<h2 id="markets">')).split("</table>")[0]!.split("<tr>").slice(2)
    const { edges } = (await api("/v1/markets/edge?min_edge=0&verbose=true")).results
    assert.lengthOf(rows, 6)
    const worth = rows.filter((row) => row.includes('<b class="up">+')).length
    const firstOther = rows.findIndex((row) => !row.includes("Worth its ask"))
    assert.strictEqual(firstOther === -1 ? 6 : firstOther, worth)
    assert.match(html, new RegExp(`<p class="worth">${worth || "None"} of 6 (?:is|are) worth its ask after fees`))
    for (const row of rows) {
      const [, ticker] = /href="\/markets\/([^"]+)"/.exec(row)!
      const { side, expected_gain: gain, ...edge } = edges.find(({ market }: { market: string }) => market === ticker)
      assert.include(row, `>${side} ${Number((100 * edge[`${side}_ask`]).toFixed(1))} ¢<`)
      assert.include(row, `>${gain < 0 ? "−" : "+"}${Math.abs(100 * gain).toFixed(1)} ¢<`)
      // The difference is that of the figures beside it.
      const [model, market, points] = ['strong class="model"', 'td class="number"', "b"].map((tag) =>
        Number.parseFloat(new RegExp(`<${tag}>([−+\\d.]+)`).exec(row)![1]!.replace("−", "-")),
      )
      assert.approximately(model! - market!, points!, 1e-9)
    }
  })

  it("say of a game that was played what was said, its score, and the last prices of its sides", async () => {
    const { html } = await read("/nfl/2026_01_KC_TEN")
    const { games } = (await api("/v1/nfl/games?season=2026&week=1&limit=200")).results
    const { away_score: away, home_score: home } = games.find(
      ({ game_id: id }: { game_id: string }) => id === "2026_01_KC_TEN",
    )
    assert.include(html, '<span class="badge ok">final</span>')
    assert.include(html, `Happened: <strong>Chiefs ${away}, Titans ${home}</strong>`)
    assert.match(html, /We said<\/span><strong>53 %<\/strong><\/p><p class="they"><span>Market<\/span><strong>\d+ %/)
    assert.match(html, /Written down<\/dt><dd>20\smin before the close/)
    assert.include(html, ">close</text>")
    assert.notMatch(html, /We say|Alert me|no price/)
    const { html: baseball } = await read("/mlb/777001")
    assert.match(baseball, /<h1>Spokane Falls at Stockton Levees, 27 Mar 2026<\/h1>.*badge ok">final<.*We said/s)
    assert.notMatch(baseball, /We say|Alert me|no price/)
  })

  it("sell nothing of a settled contract", async () => {
    const { html } = await read("/markets/KXHIGHNY-26JUL08-T82")
    assert.include(html, "<span>Last price, 8 Jul 2026, 23:00 UTC</span><strong>1.5 %</strong>")
    assert.match(html, /Written down<\/dt><dd>59\smin before the close/)
    const rows = html.slice(html.indexOf("All contracts of this event")).split("</table>")[0]!.split("<tr>").slice(2)
    assert.deepStrictEqual(
      rows.map((row) => />([^<]+ °F)</.exec(row)![1]),
      ["below 75 °F", "75 to 76 °F", "77 to 78 °F", "79 to 80 °F", "81 to 82 °F", "above 82 °F"],
    )
    assert.deepStrictEqual(
      rows.map((row) => [row.includes('class="won"'), row.includes('aria-current="page"')]),
      [0, 1, 2, 3, 4, 5].map((row) => [row === 4, row === 5]),
    )
    assert.include(html, '<span class="badge ok">settled</span>')
    assert.include(html, "Happened: <strong>no</strong>")
    assert.include(html, 'free once settled</a> <span class="badge">free</span>')
    assert.notMatch(html, /Alert me|buy it|Run it live/)
    const { json } = await running.get("/v1/markets/edge", running.account.test.token)
    const open = await read(`/markets/${json.results.edges[0].market}`)
    assert.include(open.html, 'free once settled</a> <span class="badge">0.01 USD</span>')
    assert.include(open.html, "Alert me")
  })

  it("say how good the model has been on the subject's own settled markets", async () => {
    const { html } = await read("/weather/KNYC")
    const [, shown] = /Over the last ([\d,]+) settled markets of New York the model's Brier score is 0\.\d{4}/.exec(
      html,
    )!
    let own = 0
    let cursor = ""
    for (let page = 0; page < 4; page++) {
      const { json } = await running.get(`/v1/markets/settled?domain=weather&limit=500${cursor}`, "")
      own += json.rows.filter((row: { instrument: string }) => row.instrument === "KNYC").length
      if (json.next_cursor === undefined) break
      cursor = `&cursor=${json.next_cursor}`
    }
    assert.strictEqual(Number(shown!.replaceAll(",", "")), own)
  })

  it.each([
    ["/weather/NOWHERE", "NOWHERE is not a station"],
    ["/weather/%F0%9F%8C%A9", "is not a station"],
    ["/nfl/2026_99_XX_YY", ""],
    ["/mlb/abc", "abc is not the number of a game"],
    ["/mlb/999999999", ""],
    ["/crypto/DOGE", "DOGE is not an asset"],
    ["/markets/NOPE", "No capture of NOPE"],
    ["/markets/%3Cscript%3E", ""],
  ])("answer %s with the page of what there is", async (path, words) => {
    const { status, html } = await read(path)
    assert.strictEqual(status, 404)
    assert.include(html, "<h1>Page not found</h1>")
    assert.include(html, words)
    assert.notInclude(html, "<script>")
    assert.match(html, /<ul class="tiles|<table/)
  })

  it("ask a reader who reloads all the time to wait, with a page", async () => {
    // The clock stands still, and the other tests have read pages too.
    let last = await read("/crypto/BTC")
    for (let call = 0; call < 60 && last.status === 200; call++) last = await read("/crypto/BTC")
    assert.strictEqual(last.status, 429)
    assert.match(last.html, /<h1>Too many requests<\/h1>.*Reload the page in \d+ seconds\./s)
  })
})

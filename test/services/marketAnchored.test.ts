import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import * as footballArchive from "../../adapters/lanes/football/store/Archive.ts"
import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import type { Priced } from "../../core/contracts/Contract.ts"
import { ContractStore } from "../../core/lanes/markets/ports.ts"
import { clockAt } from "../support/clock.ts"
import { commandLine } from "../support/commandLine.ts"
import { book, contract } from "../support/contracts.ts"
import { now } from "../support/footballLane.ts"
import { ingest, samples } from "../support/footballStore.ts"
import { type Running, start } from "../support/running.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const fairLine = "/v1/nfl/fair-line?team=LV"
const anchored = `${fairLine}&include=_market_anchored`

describe.sequential("a line anchored to the market's prices, over the real server", { timeout: 60_000 }, () => {
  const folder = makeFolder()
  const file = join(folder, "store.db")
  const { parsed } = commandLine(file)
  let server: Running

  /** Football and markets are live; no upstream is there to be asked. */
  beforeAll(async () => {
    server = await start({ football: "live", markets: "live", sqliteFile: file }, { clock: clockAt(now) })
    await server.run(
      Effect.forEach(samples, ([feed, sample]) => ingest(feed, sample, now)).pipe(
        Effect.provide(footballArchive.layer),
        Effect.orDie,
      ),
    )
  })
  afterAll(async () => {
    await server.stop()
    removeFolder(folder)
  })

  const list = (contracts: ReadonlyArray<Priced>) =>
    server.run(Effect.flatMap(ContractStore, ({ replace }) => replace("kalshi", "nfl", contracts, now)))

  const texts = (): string => {
    const db = open(file, { readonly: true })
    const found = ["record_leaves", "record_inputs"].flatMap((table) =>
      db.prepare(`SELECT text FROM ${table}`).pluck().all(),
    )
    db.close()
    return JSON.stringify(found)
  }

  it("has no law without a contract, for the same price", async () => {
    const { status, json } = await server.get(anchored)
    assert.strictEqual(status, 200, JSON.stringify(json))
    const { game_id } = json.results.game
    assert.deepStrictEqual(json._market_anchored, {
      label: "market-anchored, not a model",
      laws: [],
      reason: `No venue has a fresh two-sided quote on a number of ${game_id}.`,
    })
    assert.strictEqual(json._meta.price.charged_micros, 10_000)
    assert.notProperty((await server.get(fairLine)).json, "_market_anchored")
    const mine = await server.get(anchored, server.account.test.token)
    assert.strictEqual(mine.json._market_anchored.reason, "The data is mock: only live signals are anchored.")
  })

  it("has the prices of margin and total, is charged as ever, and leaves the record as it was", async () => {
    const plain = (await server.get(`${fairLine}&verbose=true`)).json
    const { game_id, home_team, away_team } = plain.results.game
    const on = (series: string, ending: string, floorStrike: number, bid: number, ask: number, quotedAt = now) => {
      const event = `${series}-24SEP22${away_team}${home_team}`
      return contract({
        ...{ domain: "nfl", lane: "football", subject: game_id, instrument: game_id, series, event, floorStrike },
        ...{ ticker: `${event}-${ending}`, closeTime: now + 86_400_000, quotedAt, bidAsk: book(bid, ask) },
      })
    }
    await list([
      on("KXNFLGAME", home_team, 0, 55, 57),
      on("KXNFLSPREAD", `${home_team}4`, 3.5, 40, 42),
      on("KXNFLSPREAD", `${home_team}7`, 6.5, 30, 32),
      on("KXNFLSPREAD", `${away_team}4`, 3.5, 33, 35),
      on("KXNFLTOTAL", "45", 44.5, 47, 49),
      // Neither a quote of one side nor an old one is a price.
      on("KXNFLTOTAL", "55", 54.5, 0, 3),
      on("KXNFLTOTAL", "35", 34.5, 90, 94, now - 600_000),
    ])
    const before = await server.balance()
    const { status, json } = await server.get(anchored)
    assert.strictEqual(status, 200, JSON.stringify(json))
    assert.strictEqual(before - (await server.balance()), 10_000)
    const { label, weight, laws } = json._market_anchored
    assert.deepStrictEqual([label, weight], ["market-anchored, not a model", 0])
    const [margin, total] = laws
    const asOf = new Date(now).toISOString()
    assert.deepInclude(margin, { variable: "margin", venue: "kalshi", contracts: 3, as_of: asOf })
    assert.deepInclude(total, { variable: "total", venue: "kalshi", contracts: 1 })
    for (const [law, k, expected] of [
      [margin, 4, 0.41],
      [margin, 7, 0.31],
      [margin, -3, 1 - 0.34],
      [total, 45, 0.48],
    ] as const) {
      assert.approximately(law.ge[k - law.from], expected, 1e-6, `${law.variable} ${k}`)
    }
    // The served line is the model's, whatever the market says.
    const { fair_line } = plain.results.prediction
    for (const [name, value] of Object.entries(json.results.prediction.fair_line)) {
      assert.strictEqual(value, fair_line[name], name)
    }
    assert.notMatch(texts(), /anchored/)
    // The first call of a line is the one that is recorded.
    assert.isTrue((await parsed("replay 0")).equal)
  })
})

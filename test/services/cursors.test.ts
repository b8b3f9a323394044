import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { listingsOn } from "../../adapters/lanes/markets/mock/listings.ts"
import * as Cursor from "../../core/endpoint/Cursor.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { day, dayOf } from "../../core/time.ts"
import { type Running, start } from "../support/running.ts"

let server: Running
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())

const now = Date.now()
/** An event of two days ago. */
const settledEvent = listingsOn("weather", dayOf(now - 3 * day))[0]!.ticker

/** Per paged list: a request with several pages, and sort keys at which no page can end. */
const lists: Readonly<
  Record<string, { readonly params: Readonly<Record<string, string | number>>; readonly bad: ReadonlyArray<string> }>
> = {
  weather_settlement_history: {
    params: { station: "KNYC", start: "2026-01-01", end: "2026-01-20" },
    bad: ["2000-12-31", "2025-12-31", "2026-01-20", "2030-01-01", "2026-01-32", "2026-01-05T00:00:00Z"],
  },
  nfl_games: {
    params: { season: 2024, team: "KC" },
    bad: [
      "000000000000000 2024_01_BAL_KC",
      "999999999999999 2024_18_KC_DEN",
      // Between the first and the last game, and not a game.
      "001728000000000",
      "001728000000000 zzz",
    ],
  },
  nfl_top100: { params: { season: 2024 }, bad: ["000", "100", "101", "1", "-01", "5.5"] },
  mlb_games: {
    params: { date: "2026-07-04" },
    bad: ["2026-07-03T23:59:59Z/000000001", "2026-07-05T00:00:00Z/000000001", "2026-07-04T20:00:00Z", "2026-07-04/zzz"],
  },
  markets_history: {
    params: { event: settledEvent },
    bad: ["[1]", '["mock","x"]', '["mock","x",1.5,"c"]', '[1,"x",1,"c"]'],
  },
  markets_settled: {
    params: { domain: "crypto", before: new Date(now).toISOString() },
    bad: ["[1]", '["x","a","b"]', `[${now},"a","b"]`, '[9007199254740991,"a","b"]'],
  },
}

const paged = catalogue.entries
  .map(({ endpoint }) => endpoint)
  .filter(({ params }) => "cursor" in (params as { readonly fields: object }).fields)

describe("a cursor, which anybody can write", () => {
  it("is tried on every list that has pages", () => {
    assert.sameMembers(
      Object.keys(lists),
      paged.map(({ id }) => id),
    )
  })

  for (const { id, path } of paged) {
    const { params, bad } = lists[id]!
    const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))
    const page = (cursor: string) => server.get(`${path}?${query}&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`)

    it(`leads on from a page: ${id}`, async () => {
      const first = await page("")
      assert.strictEqual(first.status, 200, first.text)
      const cursor = first.json._meta?.next_cursor ?? first.json.next_cursor
      assert.isString(cursor)
      const second = await page(cursor)
      assert.strictEqual(second.status, 200, second.text)
      assert.notDeepEqual(second.json.results ?? second.json.rows, first.json.results ?? first.json.rows)
    })

    it(`is refused, and nothing is charged, where no page ends: ${id}`, async () => {
      const before = await server.charges()
      for (const key of [...bad, "", "zzz", "null", "\u0000"]) {
        const { status, json } = await page(Cursor.encode(id, params, key))
        assert.deepStrictEqual(
          [status, json.error?.code, json.error?.hints],
          [400, "invalid_parameter", [Cursor.hint]],
          JSON.stringify(key),
        )
      }
      assert.strictEqual(await server.charges(), before)
    })
  }
})

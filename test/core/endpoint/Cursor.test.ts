import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as Cursor from "../../../core/endpoint/Cursor.ts"

const filters = { station: "KNYC", start: "2026-01-01" }

describe("Cursor", () => {
  it("reads back every sort key, whatever the page size", () => {
    fc.assert(
      fc.property(fc.fullUnicodeString({ maxLength: 60 }), (key) => {
        const cursor = Cursor.encode("weather_settlement_history", { ...filters, limit: 5 }, key)
        return (
          /^[\w-]+$/.test(cursor) &&
          Cursor.decode("weather_settlement_history", { limit: 50, cursor, ...filters }, cursor) === key
        )
      }),
    )
  })

  it("is refused with other filters, by another endpoint and when it is not one of ours", () => {
    const cursor = Cursor.encode("weather_settlement_history", filters, "2026-01-09")
    const rows = [
      ["weather_settlement_history", { ...filters, station: "KBOS" }, cursor],
      ["nfl_games", filters, cursor],
      ["weather_settlement_history", filters, `${cursor}x`],
      ["weather_settlement_history", filters, cursor.slice(1)],
      ["weather_settlement_history", filters, ""],
      ["weather_settlement_history", filters, "bm9uc2Vuc2U"],
      ["weather_settlement_history", filters, "WzEsMl0"],
    ] as const
    for (const [endpoint, own, text] of rows) assert.isUndefined(Cursor.decode(endpoint, own, text), text)
  })
})

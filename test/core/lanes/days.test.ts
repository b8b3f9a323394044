import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as decode from "../../../core/endpoint/decode.ts"
import { rule } from "../../../core/endpoint/rule.ts"
import * as Shape from "../../../core/endpoint/Shape.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { accepted, now, refused } from "../../support/days.ts"

type Params = Readonly<Record<string, unknown>>

const ask = (id: string, value: Params, at = now) =>
  decode.compile(catalogue.byId.get(id)!.endpoint)({ _tag: "Json", value }, at)

const hintsOf = (id: string, value: Params, at = now) =>
  Either.match(ask(id, value, at), { onRight: () => [], onLeft: ({ hints = [] }) => hints })

describe("days and seasons", () => {
  for (const [id, params, ...fields] of refused) {
    it(`${id} refuses ${JSON.stringify(params)}`, () => {
      assert.deepStrictEqual(
        hintsOf(id, params).map(({ field }) => field),
        fields,
      )
    })
  }

  for (const [id, params] of accepted) {
    it(`${id} takes ${JSON.stringify(params)}`, () => assert.deepStrictEqual(hintsOf(id, params), []))
  }

  it("are in the tables for every endpoint that takes one", () => {
    const takes = catalogue.entries.flatMap(({ endpoint: { id, params } }) =>
      Shape.fieldsOf(params).flatMap(({ name, shape }) =>
        rule(shape, "json") === "a date YYYY-MM-DD" || name === "season" ? [`${id}.${name}`] : [],
      ),
    )
    for (const table of [refused, accepted]) {
      const named = new Set(table.flatMap(([id, params]) => Object.keys(params).map((name) => `${id}.${name}`)))
      assert.deepStrictEqual(
        takes.filter((each) => !named.has(each)),
        [],
      )
    }
  })

  it("of a bad station are not looked at, and its hint stands alone", () => {
    for (const [id, params] of refused.filter(([, { station }]) => station === "KNYC")) {
      const fields = hintsOf(id, { ...params, station: "KXXX" }).map(({ field }) => field)
      assert.include(fields, "station")
      assert.notInclude(fields, "target")
    }
  })

  it("turn with the climate day of the station, in summer at one in the night", () => {
    const turn = { KNYC: Date.UTC(2026, 6, 10, 5), KMDW: Date.UTC(2026, 6, 10, 6), KLAX: Date.UTC(2026, 6, 10, 8) }
    for (const [station, at] of Object.entries(turn)) {
      const said = (id: string, params: Params, when: number) =>
        hintsOf(id, { station, ...params }, when)[0]?.suggestion
      const [old, next] = ["2026-07-09", "2026-07-10"]
      assert.strictEqual(
        said("weather_settlement", { day: next }, at - 1),
        `day must not be in the future; the climate day at ${station} is ${old}.`,
      )
      assert.isUndefined(said("weather_settlement", { day: next }, at))
      assert.isUndefined(said("weather_settlement_history", { start: next, end: next }, at))
      assert.isUndefined(said("weather_signal", { target: old }, at - 1))
      assert.strictEqual(
        said("weather_signal", { target: old }, at),
        `target must be from ${next}, the climate day at ${station}, to 2026-07-16.`,
      )
    }
  })

  it("of football turn with the league's calendar, in Eastern time", () => {
    const needed: Readonly<Record<string, Params>> = { nfl_qb: { player: "Mahomes" }, nfl_injuries: { team: "KC" } }
    const said = (id: string, season: number, at: string) =>
      hintsOf(id, { season, ...needed[id] }, Date.parse(at))[0]?.suggestion
    const turns: ReadonlyArray<readonly [id: string, season: number, before: string, from: string, what: string]> = [
      ["nfl_games", 2026, "2026-09-10T03:59:59Z", "2026-09-10T04:00:00Z", "2025, the current season"],
      ["nfl_qb", 2026, "2026-09-10T03:59:59Z", "2026-09-10T04:00:00Z", "2025, the current season"],
      ["nfl_injuries", 2027, "2027-03-15T03:59:59Z", "2027-03-15T04:00:00Z", "2026, the current season"],
      ["nfl_top100", 2027, "2027-01-01T04:59:59Z", "2027-01-01T05:00:00Z", "2026, the current year"],
    ]
    for (const [id, season, before, from, what] of turns) {
      assert.strictEqual(said(id, season, before), `season must not be after ${what}.`)
      assert.isUndefined(said(id, season, from))
    }
  })
})

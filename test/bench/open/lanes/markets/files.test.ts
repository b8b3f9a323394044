import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Form, textOf } from "../../../../../adapters/web/scoreboard/downloads.ts"
import { compare, entered } from "../../../../../bench/open/compare/compare.ts"
import { readMarkets } from "../../../../../bench/open/lanes/markets/files.ts"
import { marketsTask } from "../../../../../bench/open/lanes/markets/task.ts"
import { toFigures } from "../../../../../core/lanes/markets/performance.ts"
import { toRow } from "../../../../../core/lanes/markets/settled.ts"
import { add, addScored, empty, headToHead } from "../../../../../core/record/scoreboard/board.ts"
import { domains, type SettledMarket } from "../../../../../core/record/scoreboard/Settled.ts"
import { assertNoLookAhead, assertRefusesLater, figuresOf } from "../../../../support/noLookAhead.ts"
import { settledRow, settledRows } from "../../../../support/settledRows.ts"

const folder = mkdtempSync(join(tmpdir(), "bench-markets-"))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const file = (name: string, bytes: string | Uint8Array): string => {
  const path = join(folder, `${++files}-${name}`)
  writeFileSync(path, bytes)
  return path
}

const wireOf = (rows: ReadonlyArray<SettledMarket>) => rows.flatMap((row) => toRow({ ...row, earlier: [] }) ?? [])

/** The public export of rows, as the scoreboard writes it. */
const exportOf = (rows: ReadonlyArray<object>, form: Form): string => {
  const { head, row, between, tail } = textOf(form)!
  return head + rows.map(row).join(between) + tail
}

const rows = settledRows(600, 11)
const csv = exportOf(wireOf(rows), "csv")
const data = await Effect.runPromise(readMarkets(file("settled.csv", csv)))
const task = marketsTask(data)

describe("the export of settled rows", () => {
  it.effect.each([
    ["settled.csv.gz", gzipSync(csv)],
    ["settled.ndjson", exportOf(wireOf(rows), "ndjson")],
    ["settled.ndjson.gz", gzipSync(exportOf(wireOf(rows), "ndjson"))],
    ["settled.json", exportOf(wireOf(rows), "json")],
  ] as const)("has the same rows as %s", ([name, bytes]) =>
    Effect.map(readMarkets(file(name, bytes)), (read) => {
      assert.deepStrictEqual(read.rows, data.rows)
      assert.match(read.inputs[0]!.sha256, /^[0-9a-f]{64}$/)
    }),
  )

  it.effect("has the scoreboard's own figures", () =>
    Effect.gen(function* () {
      const board = empty()
      for (const row of rows) {
        const counted = headToHead(row)
        if (counted !== undefined) addScored(board, counted)
      }
      const results = toFigures(board)
      const figures = yield* figuresOf(task)
      const figure = (group: string, measure: string, contender: string) =>
        figures.find((each) => each.group === group && each.measure === measure && each.contender === contender)!
      const parts = [
        ["all contracts", results.overall],
        ["contested: priced 5 % to 95 %", results.contested],
        ...domains.map((domain) => [domain, results.domains[domain]] as const),
      ] as const
      for (const [group, expected] of parts) {
        const [model, market] = [figure(group, "Brier", "served models"), figure(group, "Brier", "market midpoint")]
        assert.strictEqual(model.rows, expected.markets_scored, group)
        assert.approximately(model.value, expected.brier_model!, 1e-12, group)
        assert.approximately(market.value, expected.brier_market!, 1e-12, group)
        assert.approximately(figure(group, "Brier", "model and market").value, expected.brier_pool!, 1e-12, group)
        assert.approximately(model.value - market.value, expected.brier_difference!.estimate, 1e-12, group)
        if (!("model" in expected)) continue
        const log = (contender: string) => figure(group, "log score", contender).value
        assert.approximately(log("served models"), expected.model!.log_score, 1e-12, group)
        assert.approximately(log("market midpoint"), expected.market!.log_score, 1e-12, group)
      }
      assert.strictEqual(figures.length, parts.length * 3 * 2)
    }),
  )

  it.effect("has the scoreboard's own figures of every part of its divisions", () =>
    Effect.gen(function* () {
      const board = empty()
      for (const row of rows) add(board, row)
      const { by_edge, by_month, by_hour, by_lead } = toFigures(board)
      // The scoreboard's leads begin with the longest.
      const lead = by_lead!.toReversed().map(({ lead: part, ...scores }) => ({ part, ...scores }))
      const [sums, { divisions }] = [{ edge: by_edge!, month: by_month!, hour: by_hour!, lead }, task]
      for (const [name, parts] of Object.entries(sums)) {
        const { comparison } = yield* compare(
          task,
          [],
          { seed: 1, replicates: 20 },
          { name, division: divisions![name]! },
        )
        const found = comparison.parts.map(({ group, measures: [brier] }) => ({ group, ...brier! }))
        assert.deepStrictEqual(
          found.map((each) => [each.rows, each.clusters]),
          parts.map(({ markets_scored, clusters }) => [markets_scored, clusters]),
        )
        if (name !== "lead")
          assert.deepStrictEqual(
            found.map(({ group }) => group),
            parts.map(({ part }) => part),
          )
        for (const [at, { scores, clusters }] of found.entries()) {
          const { brier_model, brier_pool, brier_market, model_interval: interval } = parts[at]!
          const expected = [brier_model!, brier_pool!, brier_market!]
          for (const [who, { value }] of scores.entries()) assert.approximately(value, expected[who]!, 1e-12, name)
          assert.strictEqual(interval !== undefined, clusters >= 10)
          if (interval !== undefined) assert.isTrue(interval.low < brier_model! && brier_model! < interval.high)
        }
      }
      assert.isAbove(by_hour!.filter(({ clusters }) => clusters < 10).length, 0)
      assert.isAbove(by_edge!.filter(({ pool_interval }) => pool_interval !== undefined).length, 2)
    }),
  )

  it.effect("is drawn by the cluster of a row, or by the close where a file does not say it", () =>
    Effect.gen(function* () {
      const [line] = wireOf([settledRow()])
      const { cluster, ...without } = line!
      assert.strictEqual(cluster, "weather/2026-07-06")
      const said = { ...without, cluster: "a storm" }
      for (const [row, drawn] of [
        [without, cluster],
        [said, "a storm"],
      ] as const)
        for (const form of ["csv", "ndjson"] as const) {
          const read = yield* readMarkets(file(`cluster.${form}`, exportOf([row], form)))
          assert.strictEqual(marketsTask(read).cases[0]!.cluster, drawn)
        }
    }),
  )

  it("asks at the capture, without the outcome, and draws what depends on each other together", () => {
    for (const [place, { at, question, outcome, id, cluster: drawn }] of task.cases.entries()) {
      const row = data.rows.find((each) => `${each.venue}/${each.ticker}` === id)!
      const { result, settledAt, cluster, ...asked } = row
      assert.deepStrictEqual([question, outcome, at, drawn], [asked, result === "yes", row.capturedAt, cluster])
      assert.isAbove(settledAt, at)
      assert.isAtMost(task.cases[place - 1]?.at ?? 0, at)
    }
    const games = [
      settledRow({ domain: "nfl", event: "KXNFLGAME-26SEP17DETBUF", ticker: "A" }),
      settledRow({ domain: "nfl", event: "KXNFLTOTAL-26SEP17DETBUF", ticker: "B" }),
    ]
    const path = file("games.ndjson", exportOf(wireOf(games), "ndjson"))
    return Effect.runPromise(readMarkets(path)).then((read) =>
      assert.deepStrictEqual(
        marketsTask(read).cases.map(({ cluster }) => cluster),
        ["nfl/2026-07-08", "nfl/2026-07-08"],
      ),
    )
  })

  it.effect("knows a result from its settlement on: other results from a time on change no forecast before", () =>
    Effect.gen(function* () {
      const times = data.rows.map(({ settledAt }) => settledAt).sort((a, b) => a - b)
      const from = times[Math.floor(times.length / 3)]!
      const learner = (rows: typeof data.rows) => ({
        ...marketsTask({ ...data, rows }),
        entrants: [
          {
            kind: "baseline" as const,
            model: {
              name: "share of yes",
              start:
                () => (_: unknown, history: { readonly since: (at: number) => ReadonlyArray<{ result: string }> }) => {
                  const known = history.since(0)
                  return { p: known.filter(({ result }) => result === "yes").length / Math.max(1, known.length) }
                },
            },
          },
        ],
      })
      const other = data.rows.map((row) =>
        row.settledAt >= from ? { ...row, result: row.result === "yes" ? ("no" as const) : ("yes" as const) } : row,
      )
      yield* assertNoLookAhead(learner(data.rows), learner(other), from - 1)
      yield* assertRefusesLater(task)
      const [before, after] = [yield* entered(task), yield* entered(marketsTask({ ...data, rows: other }))]
      assert.deepStrictEqual(
        after.map(({ forecasts }) => forecasts),
        before.map(({ forecasts }) => forecasts),
      )
    }),
  )

  const [good] = wireOf([settledRow()])
  const bad: ReadonlyArray<readonly [what: string, change: object, message: string]> = [
    ["a probability above 1", { model_prob: 1.2 }, "line 2, model_prob, 1.2 is not a probability from 0 to 1."],
    ["a probability below 0", { model_prob: -0.1 }, "line 2, model_prob, -0.1 is not a probability"],
    ["NaN", { model_prob: "NaN" }, 'line 2, model_prob, "NaN" is not a number.'],
    ["no probability", { model_prob: undefined }, "line 2, model_prob, Missing value."],
    ["a price that is not the midpoint", { market_prob: 0.4 }, "line 2, market_prob, 0.4 is not the midpoint"],
    ["an unknown domain", { domain: "chess" }, 'line 2, domain, "chess" is not one of weather, nfl, mlb, crypto.'],
    ["a void contract", { result: "void" }, 'line 2, result, "void" is not one of yes, no.'],
    ["no result", { result: undefined }, "line 2, result, Missing value."],
    ["a capture after the close", { captured_at: "2026-07-09T18:00:00.000Z" }, "line 2, captured_at, 2026-07-09T18"],
    ["a settlement before the close", { settled_at: "2026-07-09T17:59:59.000Z" }, "line 2, settled_at, 2026-07-09T17"],
    ["a time without a zone", { captured_at: "2026-07-09T17:00:00" }, 'line 2, captured_at, "2026-07-09T17:00:00" is'],
    ["no event", { event: "" }, "line 2, event, Missing value."],
    ["a strike in words", { floor_strike: "warm" }, 'line 2, floor_strike, "warm" is not a number.'],
  ]
  for (const form of ["csv", "ndjson"] as const) {
    it.effect.each(bad)(`as ${form} is refused for %s`, ([, change, message]) =>
      Effect.map(
        Effect.flip(
          readMarkets(
            file(`bad.${form}`, exportOf([...(form === "csv" ? [] : [good!]), { ...good, ...change }], form)),
          ),
        ),
        // The header is line 1 of CSV; a good row is line 1 of NDJSON.
        (error) => assert.include(error.message, message),
      ),
    )
  }

  it.effect.each([
    ["twice.csv", exportOf([good!, good!], "csv"), "line 3, Duplicate of line 2: kalshi/KXHIGHNY-26JUL09-B84.5."],
    ["twice.ndjson", exportOf([good!, good!], "ndjson"), "line 2, Duplicate of line 1: kalshi/KXHIGHNY-26JUL09-B84.5."],
    ["other.csv", "a,b\n1,2\n", "line 1, domain, Missing column."],
    ["list.ndjson", "[1]\n", "line 1: is not a JSON object."],
    ["half.ndjson", '{"domain":', "line 1: is not a JSON object."],
  ] as const)("%s is refused", ([name, text, message]) =>
    Effect.map(Effect.flip(readMarkets(file(name, text))), (error) => assert.include(error.message, message)),
  )
})

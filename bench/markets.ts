import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as sqlite from "../adapters/store/engine/sqlite/open.ts"
import { layerRows, layerScoreboard, layerStore } from "../adapters/store/record/Settled.ts"
import * as Select from "../core/endpoint/Select.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import { Challenge } from "../core/lanes/markets/challenge/Challenge.ts"
import { endpoints } from "../core/lanes/markets/endpoints.ts"
import { Markets } from "../core/lanes/markets/Markets.ts"
import { MarketHistory, OpenContracts, type Position, SettledRows, SignalCalls } from "../core/lanes/markets/ports.ts"
import * as Board from "../core/record/scoreboard/board.ts"
import type { SettledMarket } from "../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../core/record/scoreboard/SettledStore.ts"
import { intervalsOf } from "../core/record/scoreboard/scores.ts"
import { recomputed, settledRows } from "../test/support/settledRows.ts"
import { makeFolder, removeFolder } from "../test/support/store.ts"
import { progress } from "./progress.ts"

const lane = Markets.layer.pipe(
  Layer.provide([
    Feeds.layerNone,
    Challenge.layerNone,
    MarketHistory.layerNone,
    OpenContracts.layerNone,
    SignalCalls.layerNone,
  ]),
  Layer.provideMerge(Layer.mergeAll(layerRows, layerScoreboard, layerStore)),
)

const open = (file: string) => ManagedRuntime.make(lane.pipe(Layer.provideMerge(sqlite.layer(file))))
type Store = ReturnType<typeof open>

const chunk = 5_000

const fill = async (store: Store, rows: ReadonlyArray<SettledMarket>) => {
  for (let from = 0; from < rows.length; from += chunk) {
    progress("settled rows stored", from, rows.length)
    await store.runPromise(Effect.flatMap(SettledStore, ({ append }) => append(rows.slice(from, from + chunk))))
  }
}

/** Milliseconds of each call, ascending. */
const timed = async (calls: number, call: () => Promise<unknown>): Promise<Float64Array> => {
  const times = new Float64Array(calls)
  for (let at = 0; at < calls; at++) {
    const begun = performance.now()
    await call()
    times[at] = performance.now() - begun
  }
  return times.sort()
}

const at = (times: Float64Array, share: number): number =>
  times[Math.min(times.length - 1, Math.floor(share * times.length))]!

const bars: Array<{ readonly name: string; readonly value: number; readonly most: number }> = []

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const held = (name: string, value: number, most: number): void => void bars.push({ name, value, most })

/** The scoreboard's answer as sent. */
const answer = (store: Store, verbose: boolean) => {
  const mask = verbose ? "all" : Select.compile(endpoints.performance.results).slim
  return () =>
    store.runPromise(
      Effect.map(
        Effect.flatMap(Markets, ({ performance: ask }) => ask({})),
        ({ results }) => JSON.stringify(Select.apply(mask, results)).length,
      ),
    )
}

/** Pages of 500 from all parts of a domain. */
const pages = async (store: Store) => {
  const { after } = Context.get(await store.runtime().then(({ context }) => context), SettledRows)
  const starts: Array<Position | undefined> = [undefined]
  for (;;) {
    const rows = await store.runPromise(after("crypto", starts.at(-1), 500))
    if (rows.length < 500) break
    starts.push(rows.at(-1))
  }
  const step = Math.max(1, Math.floor(starts.length / 50))
  const chosen = starts.filter((_, index) => index % step === 0)
  let turn = 0
  return timed(400, () => store.runPromise(after("crypto", chosen[turn++ % chosen.length], 501)))
}

const board = (rows: ReadonlyArray<SettledMarket>): Board.Board => {
  const sums = Board.empty()
  for (const row of rows) {
    const scored = Board.headToHead(row)
    if (scored !== undefined) Board.addScored(sums, scored)
  }
  return sums
}

const folder = makeFolder()
try {
  const few = settledRows(1_188, 1)
  const scoring = await timed(30, async () => intervalsOf(board(few)))
  say(
    `1,188 rows scored with 2,000 resamples: median ${at(scoring, 0.5).toFixed(1)} ms, worst ${at(scoring, 1).toFixed(1)} ms`,
  )
  held("1,188 rows with 2,000 resamples, median ms", at(scoring, 0.5), 50)

  const store = open(join(folder, "65668.db"))
  await fill(store, settledRows(65_668, 2))
  const first = await timed(1, answer(store, false))
  const slim = await timed(2_000, answer(store, false))
  const verbose = await timed(2_000, answer(store, true))
  say(
    `65,668 rows: performance p50 ${at(slim, 0.5).toFixed(3)} ms, p99 ${at(slim, 0.99).toFixed(3)} ms; verbose p99 ${at(verbose, 0.99).toFixed(3)} ms; first after a settlement ${first[0]!.toFixed(1)} ms`,
  )
  held("performance, p99 ms", at(slim, 0.99), 5)
  held("performance, verbose, p99 ms", at(verbose, 0.99), 5)
  const made = await timed(7, () => store.runPromise(recomputed))
  say(`65,668 rows: made at a start, median ${at(made, 0.5).toFixed(0)} ms, worst ${at(made, 1).toFixed(0)} ms`)
  held("scoreboard of 65,668 rows at a start, median ms", at(made, 0.5), 1_000)
  const settle = await timed(
    200,
    (() => {
      const more = settledRows(200, 3).map((row, index) => ({ ...row, ticker: `new-${index}`, event: `new-${index}` }))
      let turn = 0
      return () => store.runPromise(Effect.flatMap(SettledStore, ({ append }) => append([more[turn++]!])))
    })(),
  )
  say(
    `65,668 rows: one more settled median ${at(settle, 0.5).toFixed(2)} ms, p99 ${at(settle, 0.99).toFixed(2)} ms, on disk`,
  )
  await store.dispose()

  const medians: Array<number> = []
  for (const rows of [10_000, 100_000, 1_000_000]) {
    const one = open(join(folder, `${rows}.db`))
    const begun = performance.now()
    await fill(one, settledRows(rows, 4))
    const filled = performance.now() - begun
    const page = await pages(one)
    medians.push(at(page, 0.5))
    say(
      `${rows.toLocaleString("en-US")} rows: page of 500 median ${at(page, 0.5).toFixed(2)} ms, p99 ${at(page, 0.99).toFixed(2)} ms; appended at ${((filled / rows) * 1e3).toFixed(0)} µs a row`,
    )
    await one.dispose()
  }
  held("page of 500 at 1,000,000 rows / at 10,000", medians[2]! / medians[0]!, 1.5)
} finally {
  removeFolder(folder)
}

say("")
for (const { name, value, most } of bars) {
  say(`${value <= most ? "ok   " : "OVER "}${name}: ${value.toFixed(2)} (at most ${most})`)
}
if (bars.some(({ value, most }) => !(value <= most))) process.exitCode = 1

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { compare } from "../../../../bench/open/compare/compare.ts"
import { ownModel } from "../../../../bench/open/own/ownModel.ts"
import { benchTask } from "../../../support/benchTask.ts"
import { bundled } from "../../../support/built.ts"

const task = benchTask()
const thread = pathToFileURL(bundled("bench/open/own/modelThread.ts"))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-model-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const run = (text: string, seconds = 20) => {
  const file = join(folder, `${++files}.mjs`)
  writeFileSync(file, text)
  return ownModel(task, file, { thread, seconds })
}

const share = "history.length === 0 ? undefined : { p: history.since(0).filter(Boolean).length / history.length }"

describe("a model of one's own", () => {
  it.live.each([
    ["a function", `export const name = "mine"; export const forecast = (question, history) => ${share}`],
    ["a default", `export default { name: "mine", version: "1", forecast: (question, history) => ${share} }`],
    ["a promise", `export const name = "mine"; export const forecast = async (question, history) => ${share}`],
    [
      "a state",
      `export const name = "mine"
export const start = () => {
  let [known, came] = [0, 0]
  return (question, history) => {
    for (const one of history.since(known)) came += one ? 1 : 0
    known = history.length
    return known === 0 ? undefined : { p: came / known }
  }
}`,
    ],
  ] as const)("as %s forecasts as the served one does", ([, text]) =>
    Effect.gen(function* () {
      const own = yield* run(text)
      assert.strictEqual(own.name, "mine")
      const { contenders } = yield* compare(task, [own], { seed: 1, replicates: 2 })
      assert.deepStrictEqual([...own.forecasts], [...contenders.find(({ kind }) => kind === "served")!.forecasts])
    }),
  )

  it.live.each([
    ["asks for later facts", "history.until(1e15)", "2/a: LookAhead: Facts until"],
    ["asks for a later fact", "history.at(history.length)", "2/a: LookAhead: Fact 2 is not known at"],
    [
      "throws",
      '(() => { throw new RangeError("no such day") })()',
      "2/a: RangeError: no such day. The question has: day.",
    ],
    ["rejects", 'Promise.reject(new Error("later"))', "2/a: Error: later"],
    ["says more than 1", "({ p: 1.01 })", "2/a, p: Expected a number between 0 and 1, actual 1.01"],
    ["says NaN", "({ p: NaN })", "2/a, p: Expected a number between 0 and 1, actual NaN"],
    ["says a word", '({ p: "high" })', '2/a, p: Expected number, actual "high". The question has: day.'],
    ["says a number alone", "0.5", "2/a: Expected { readonly p: between(0, 1) }, actual 0.5"],
    ["returns a function", "({ p: () => 0.5 })", "2/a: DataCloneError"],
    ["ends the thread", "process.exit(3)", "/a: its thread ended with 3."],
    ["takes too long", "(() => { for (;;); })()", "2/a: the model took longer than 2 s."],
    ["never answers", "new Promise(() => setInterval(() => {}, 1e6))", "2/a: the model took longer than 2 s."],
  ] as const)("that %s is refused with its question", ([, later, message]) =>
    Effect.map(
      Effect.flip(run(`export const forecast = ({ day }, history) => day < 2 ? { p: 0.5 } : ${later}`, 2)),
      (error) => assert.include(error.message, message),
    ),
  )

  it.live.each([
    ["has no function", "export const name = 1", "exports neither forecast(question, history) nor start()"],
    ["cannot be read", "export const forecast = (", "SyntaxError"],
    ["throws while it loads", 'throw new Error("no data")', "Error: no data"],
    ["does not start", 'export const start = () => { throw new Error("no licence") }', "Error: no licence"],
    ["starts nothing", "export const start = () => 1", "exports neither"],
  ] as const)("that %s is refused", ([, text, message]) =>
    Effect.map(Effect.flip(run(text)), (error) => assert.include(error.message, message)),
  )

  it.live("is sent no outcome", () =>
    Effect.gen(function* () {
      const { forecasts } = yield* run(
        'export const forecast = (question) => ({ p: Object.keys(question).join() === "day" ? 0.5 : 1 })',
      )
      assert.deepStrictEqual([...new Set([...forecasts.values()].map(({ p }) => p))], [0.5])
    }),
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readForecasts } from "../../../../bench/open/own/forecastFile.ts"
import { benchTask } from "../../../support/benchTask.ts"

const task = benchTask()
const at = "1970-01-01T00:00:00Z"
const csv = (...lines: ReadonlyArray<string>) => ["id,at,p", ...lines, ""].join("\n")

describe("a file of forecasts", () => {
  it.effect.each([
    ["forecasts.csv", csv(`2/a,${at},.25`, `3/b,120,1`)],
    ["forecasts.csv", `\ufeffid,at,p\r\n2/a,1970-01-01T01:00:00+01:00,0.25\r\n"3/b","120",1\r\n`],
    ["forecasts.ndjson", `{"id":"2/a","at":"${at}","p":0.25}\n\n{"id":"3/b","at":120,"p":1}\n`],
  ] as const)("%s is read", ([name, text]) =>
    Effect.map(readForecasts(task, name, text), (forecasts) =>
      assert.deepStrictEqual(
        [...forecasts],
        [
          ["2/a", { p: 0.25 }],
          ["3/b", { p: 1 }],
        ],
      ),
    ),
  )

  it.effect.each([
    ["an unknown question", csv(`2/a,${at},.5`, `2/c,${at},.5`), "line 3, id: there is no question 2/c."],
    ["a question twice", csv(`2/a,${at},.5`, `2/a,${at},.6`), "line 3, id: 2/a is also on line 2."],
    ["a probability above 1", csv(`2/a,${at},1.5`), "line 2, p: Expected a number between 0 and 1, actual 1.5"],
    ["a negative one", csv(`2/a,${at},-.1`), "line 2, p: Expected a number between 0 and 1, actual -0.1"],
    ["NaN", csv(`2/a,${at},NaN`), 'line 2, p: Expected number, actual "NaN"'],
    ["infinity", csv(`2/a,${at},Infinity`), "line 2, p: Expected a number between 0 and 1, actual Infinity"],
    ["a word", csv(`2/a,${at},likely`), 'line 2, p: Expected number, actual "likely"'],
    ["no probability", csv(`2/a,${at},`), "line 2, p: is missing"],
    [
      "a time after the question",
      csv("2/a,201,.5"),
      "line 2, at: 1970-01-01T00:00:00.201Z is after the question's time",
    ],
    ["a time without a zone", csv("2/a,1970-01-01T00:00:00,.5"), "line 2, at: 1970-01-01T00:00:00 is no time."],
    ["no time", csv("2/a,,.5"), "line 2, at:  is no time."],
    ["a cell too few", csv(`2/a,${at}`), "line 2: 2 cells for 3 columns."],
    ["an unknown column", `id,at,q\n2/a,${at},.5`, "line 1, q: the columns are id, at, p."],
    ["no column of times", "id,p\n2/a,.5", "line 1: there is no column at."],
    ["no rows", "id,at,p\n", "has no rows."],
    ["nothing", "", "line 1: there is no column id."],
  ] as const)("is refused for %s", ([, text, message]) =>
    Effect.map(Effect.flip(readForecasts(task, "own.csv", text)), (error) =>
      assert.include(error.message, `own.csv, ${message}`),
    ),
  )

  it.effect.each([
    ["no object", "[1]", "line 1: is not a JSON object."],
    ["half a line", '{"id":"2/a","at":0,"p":.5}', "line 1: is not a JSON object."],
    ["text for a number", '{"id":"2/a","at":0,"p":"0.5"}', 'line 1, p: Expected number, actual "0.5"'],
    ["a name too many", '{"id":"2/a","at":0,"p":0.5,"q":1}', "line 1, q: is unexpected"],
    ["a number as id", '{"id":2,"at":0,"p":0.5}', "line 1, id: there is no question 2."],
  ] as const)("of JSON is refused for %s", ([, text, message]) =>
    Effect.map(Effect.flip(readForecasts(task, "own.ndjson", text)), (error) =>
      assert.include(error.message, `own.ndjson, ${message}`),
    ),
  )
})

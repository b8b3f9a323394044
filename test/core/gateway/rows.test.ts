import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Field from "../../../core/endpoint/Field.ts"
import { columnPaths, headerLine, listText, rowLine } from "../../../core/gateway/rows.ts"
import { catalogue } from "../../../core/lanes/all.ts"

const endpoint = Endpoint.declare({
  path: "/v1/some",
  kind: "Data",
  priceMicros: 0,
  auth: "key",
  summary: "Some",
  example: {},
  rows: "games",
  params: Schema.Struct({}),
  results: Schema.Struct({
    count: Field.integer(),
    games: Schema.Array(
      Schema.Struct({
        id: Field.text(),
        score: Field.optional(Schema.Struct({ home: Field.integer(), away: Schema.NullOr(Field.integer()) })),
        tags: Field.optional(Schema.Array(Schema.String)),
        pmf: Field.optional(Schema.Record({ key: Schema.String, value: Field.probability() })),
      }),
    ),
  }),
}) as unknown as Endpoint.Any

const text = (rows: ReadonlyArray<unknown>, format: "csv" | "ndjson") => [...listText(endpoint, rows, format)]

it.each(
  catalogue.entries
    .filter(({ endpoint }) => endpoint.rows !== undefined)
    .map(({ endpoint }) => [endpoint.id, endpoint] as const),
)("%s has each column once", (_, endpoint) => {
  const names = columnPaths(endpoint).map((path) => path.join("."))
  assert.lengthOf(new Set(names), names.length)
})

describe("the rows of a list", () => {
  it("have a column for each field, nested ones by their path, lists and maps as one", () => {
    assert.deepStrictEqual(columnPaths(endpoint), [["id"], ["score", "home"], ["score", "away"], ["tags"], ["pmf"]])
    assert.strictEqual(headerLine(columnPaths(endpoint)), "id,score.home,score.away,tags,pmf\r\n")
    assert.strictEqual(columnPaths(endpoint), columnPaths(endpoint))
  })

  it("are one line of JSON each, in order, and nothing for an empty list", () => {
    assert.deepStrictEqual(text([{ id: "a" }, { id: "b", tags: ["x"] }], "ndjson"), [
      '{"id":"a"}\n',
      '{"id":"b","tags":["x"]}\n',
    ])
    assert.deepStrictEqual(text([], "ndjson"), [])
  })

  it("have in CSV the columns that any row has, a null counting as had", () => {
    const rows = [{ id: "a,b" }, { id: "c", score: { home: 0, away: null } }]
    assert.deepStrictEqual(text(rows, "csv"), ["id,score.home,score.away\r\n", '"a,b",,\r\n', "c,0,\r\n"])
    assert.deepStrictEqual(text([{ id: "a", pmf: { 1: 0.5 } }], "csv"), ["id,pmf\r\n", 'a,"{""1"":0.5}"\r\n'])
  })

  it("have all columns in the CSV of an empty list", () => {
    assert.deepStrictEqual(text([], "csv"), ["id,score.home,score.away,tags,pmf\r\n"])
  })

  it("are empty where a path leads through no object, or to what an object merely inherits", () => {
    const paths = [["id"], ["score", "home"], ["constructor"]]
    assert.strictEqual(rowLine(paths, { id: 1, score: null }), "1,,\r\n")
    assert.strictEqual(rowLine(paths, { id: "", score: "home" }), ",,\r\n")
    assert.strictEqual(rowLine(paths, undefined), ",,\r\n")
  })
})

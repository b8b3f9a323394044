import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Field from "../../../core/endpoint/Field.ts"
import * as Select from "../../../core/endpoint/Select.ts"

const Team = Schema.Struct({ name: Field.text(), coach: Field.verbose(Field.text()) })
const results = Schema.Struct({
  count: Field.integer(),
  games: Schema.Array(
    Schema.Struct({ id: Field.text(), home: Team, flags: Field.verbose(Schema.Array(Schema.String)) }),
  ),
  pmf: Schema.Record({ key: Schema.String, value: Field.probability() }),
  note: Schema.NullOr(Schema.String),
  audit: Field.verbose(Schema.Struct({ by: Field.text(), at: Field.text() })),
})
const value = {
  count: 1,
  games: [{ id: "g1", home: { name: "A", coach: "B" }, flags: ["x"] }],
  pmf: { "84": 0.25, "85": 0.75 },
  note: null,
  audit: { by: "me", at: "now" },
}

const selection = Select.compile(results)
const select = (...paths: ReadonlyArray<string>): unknown => {
  const mask = selection.fields(paths)
  return typeof mask === "object" && "unknown" in mask ? mask : Select.apply(mask, value)
}

describe("Select", () => {
  it("slim leaves out the verbose fields at every depth and nothing else", () => {
    assert.deepStrictEqual(Select.apply(selection.slim, value), {
      count: 1,
      games: [{ id: "g1", home: { name: "A" } }],
      pmf: { "84": 0.25, "85": 0.75 },
      note: null,
    })
  })

  it("takes dotted paths, per element inside arrays", () => {
    const rows: ReadonlyArray<readonly [paths: ReadonlyArray<string>, expected: unknown]> = [
      [["count"], { count: 1 }],
      [["games.id"], { games: [{ id: "g1" }] }],
      [["games.home"], { games: [{ home: { name: "A" } }] }],
      [["games.home.coach"], { games: [{ home: { coach: "B" } }] }],
      [["games.home", "games.home.coach"], { games: [{ home: { name: "A", coach: "B" } }] }],
      [["games.home.coach", "games.home"], { games: [{ home: { name: "A", coach: "B" } }] }],
      [["games", "games.flags"], { games: [{ id: "g1", home: { name: "A" }, flags: ["x"] }] }],
      [["audit"], { audit: { by: "me", at: "now" } }],
      [["pmf.85", "pmf.12"], { pmf: { "85": 0.75 } }],
      [["note", "note"], { note: null }],
      [["*"], value],
      [["count", "*"], value],
    ]
    for (const [paths, expected] of rows) assert.deepStrictEqual(select(...paths), expected, paths.join())
  })

  it("shows some verbose fields by their value in the slim shape, and whatever it is where they are named", () => {
    const Doubt = Schema.Struct({ doubted: Field.boolean(), by: Field.verbose(Field.text()) })
    const Rows = Schema.Struct({
      rows: Schema.Array(
        Schema.Struct({ id: Field.text(), doubt: Field.verboseUnless(Doubt, ({ doubted }) => doubted) }),
      ),
    })
    const { slim, fields } = Select.compile(Rows)
    const [sure, unsure] = [false, true].map((doubted) => ({ doubted, by: "me" }))
    const rows = { rows: [{ id: "a", doubt: sure }, { id: "b", doubt: unsure }, { id: "c" }] }
    const seen = (mask: ReturnType<typeof fields>) => Select.apply(mask as Select.Mask, rows)
    const shown = { rows: [{ id: "a" }, { id: "b", doubt: { doubted: true } }, { id: "c" }] }
    const named = { rows: [{ id: "a", doubt: { doubted: false } }, shown.rows[1], { id: "c" }] }
    assert.deepStrictEqual(seen(slim), shown)
    assert.deepStrictEqual(seen(fields(["rows"])), shown)
    for (const paths of [
      ["rows.id", "rows.doubt"],
      ["rows", "rows.doubt"],
      ["rows.doubt", "rows"],
    ]) {
      assert.deepStrictEqual(seen(fields(paths)), named, paths.join())
    }
    assert.deepStrictEqual(seen(fields(["*"])), rows)
  })

  it("names the first path that does not exist", () => {
    for (const path of ["game", "games.hme.name", "counts", "__proto__", ""]) {
      assert.deepStrictEqual(select("count", path, "other"), { unknown: path })
    }
  })

  it("takes own keys only and never touches a prototype", () => {
    const path = fc.constantFrom("__proto__", "constructor", "prototype", "pmf", "toString", "85")
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 4 }), (names) => {
        select(names.join("."))
        return !("polluted" in {}) && Object.keys(Object.prototype).length === 0
      }),
    )
    const pmf = JSON.parse(`{"pmf":{"__proto__":{"polluted":true},"1":1}}`)
    Select.apply(selection.slim, pmf)
    Select.apply(selection.fields(["pmf.__proto__"]) as Select.Mask, pmf)
    assert.isFalse("polluted" in {})
  })
})

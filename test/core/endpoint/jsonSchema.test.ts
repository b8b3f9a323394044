import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as JsonSchema from "../../../core/endpoint/jsonSchema.ts"
import * as Param from "../../../core/endpoint/Param.ts"

describe("a JSON Schema", () => {
  it("knows an object from a list, from null and from a text", () => {
    assert.isTrue(JsonSchema.isObject({}))
    for (const other of [null, [], "text", 1, undefined]) assert.isFalse(JsonSchema.isObject(other))
  })

  it("is without the titles of filters and without descriptions that repeat the rule", () => {
    const made = JsonSchema.of(
      Schema.Struct({
        count: Schema.Number.pipe(Schema.greaterThan(0)),
        list: Schema.Array(Schema.String.annotations({ description: "The name of a team." })),
        any: Schema.Unknown,
      }),
    )
    assert.notMatch(JSON.stringify(made), /"(title|\$id)":"/)
    assert.deepStrictEqual(made["properties"], {
      count: { type: "number", exclusiveMinimum: 0 },
      list: { type: "array", items: { type: "string", description: "The name of a team." } },
      any: {},
    })
  })

  it("keeps a description that begins like the rule but goes on with a name or a capital", () => {
    const describedAs = (description: string) =>
      JsonSchema.of(Schema.String.annotations({ description }))["description"]
    assert.strictEqual(describedAs("A ULID."), "A ULID.")
    assert.strictEqual(describedAs("a ULID"), "a ULID")
    assert.strictEqual(describedAs("one of a kind"), "one of a kind")
    assert.isUndefined(describedAs("a non empty string"))
    assert.isUndefined(describedAs("an integer"))
  })

  it("keeps properties that are named like the annotations", () => {
    const made = JsonSchema.of(Schema.Struct({ title: Schema.String, description: Schema.String }))
    assert.deepStrictEqual(made["properties"], { title: { type: "string" }, description: { type: "string" } })
  })

  it("is made once for a schema", () => {
    const schema = Schema.Struct({ a: Schema.String })
    assert.strictEqual(JsonSchema.of(schema), JsonSchema.of(schema))
  })

  it("states both cases where a parameter takes any", () => {
    for (const [of, letters] of [
      [Param.upperCasePattern, /^[A-Z]\d$/],
      [Param.lowerCasePattern, /^[a-z]\d$/],
    ] as const)
      assert.strictEqual(JsonSchema.of(of(letters, "a letter and a digit", "Which."))["pattern"], "^[A-Za-z]\\d$")
  })

  it("requires nothing in a selection of fields, at any depth, but keeps a property of the name `required`", () => {
    const row = { type: "object", required: ["a"], properties: { a: { type: "string", enum: ["x"] } } }
    const whole = {
      type: "object",
      required: ["rows", "required"],
      properties: { rows: { type: "array", items: row }, required: { type: "boolean" } },
      anyOf: [row, { type: "null" }],
    }
    const loose = { type: "object", properties: { a: { type: "string", enum: ["x"] } } }
    assert.deepStrictEqual(JsonSchema.selection(whole), {
      type: "object",
      properties: { rows: { type: "array", items: loose }, required: { type: "boolean" } },
      anyOf: [loose, { type: "null" }],
    })
    assert.deepStrictEqual(row.required, ["a"])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import {
  Errors,
  Fields,
  FieldTable,
  findCommon,
  listRows,
  Parameters,
  Type,
} from "../../../../../adapters/web/docs/reference/Fields.tsx"
import { type Json, read } from "../../../../../adapters/web/docs/reference/operations.ts"

const type = (schema: Json) => renderToStaticMarkup(h("p", null, h(Type, { schema }))).slice(3, -4)

describe("a type in one line", () => {
  it.each<readonly [Json, string]>([
    [{ $ref: "#/components/schemas/Thing" }, '<a href="/schemas/v1/Thing.json">Thing</a>'],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
    [{ type: "array", items: { type: "integer" } }, "list of integer"],
    [{ type: "string", format: "date-time" }, "date-time"],
    [{}, "any"],
    [{ type: "integer", minimum: 0, maximum: 9 }, "integer 0–9"],
    [{ type: "integer", minimum: 0 }, "integer 0–"],
    [{ type: "integer", maximum: 9 }, "integer –9"],
    [{ type: "boolean", default: false }, "boolean, default <code>false</code>"],
  ])("of %j is %s", (schema, text) => {
    assert.strictEqual(type(schema), text)
  })

  it("lists its values, and folds more than twelve", () => {
    const values = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`)
    assert.include(type({ enum: values(12) }), "<code>v11</code>")
    assert.notInclude(type({ enum: values(12) }), "<details>")
    assert.include(type({ enum: values(13) }), "<summary>13 values</summary>")
  })
})

const schemas = new Map<string, Json>([
  [
    "Thing",
    {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string", description: "Its `id`." },
        parts: {
          type: "array",
          items: { type: "object", required: ["size"], properties: { size: { type: "integer" } } },
        },
        parent: { $ref: "#/components/schemas/Thing" },
      },
    },
  ],
])

describe("the fields of a schema", () => {
  const thing = { $ref: "#/components/schemas/Thing" }

  it("have nested ones after their parent, and a named schema once on a path", () => {
    assert.deepStrictEqual(
      listRows(schemas, thing, "", []).map(({ path, isRequired }) => [path, isRequired]),
      [
        ["id", true],
        ["parts", false],
        ["parts[].size", true],
        ["parent", false],
      ],
    )
  })

  it("of a list have brackets", () => {
    const paths = (prefix: string) =>
      listRows(schemas, { type: "array", items: { properties: { a: {} } } }, prefix, []).map(({ path }) => path)
    assert.deepStrictEqual(paths(""), ["[].a"])
  })

  it("are none of a schema that is above already, or of an unknown one", () => {
    assert.deepStrictEqual(listRows(schemas, thing, "", ["Thing"]), [])
    assert.deepStrictEqual(listRows(schemas, { $ref: "#/components/schemas/Other" }, "", []), [])
  })

  it("that many lists have in common are listed once", () => {
    const properties = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`f${at}`, { type: "number" }]))
    const list = { type: "array", items: { properties } }
    const rows = listRows(schemas, { properties: { one: list, other: list } }, "", [])
    assert.deepStrictEqual(
      rows.map(({ path }) => path),
      ["one", ...Object.keys(properties).map((name) => `one[].${name}`), "other"],
    )
    const html = renderToStaticMarkup(h(FieldTable, { caption: "All", rows }))
    assert.include(html, "Fields as in <code>one</code>.")
  })

  it("are a table that says what may be missing", () => {
    const html = renderToStaticMarkup(h(FieldTable, { caption: "All", rows: listRows(schemas, thing, "", []) }))
    assert.include(html, '<th scope="row"><code>id</code></th><td>string</td><td>Its <code>id</code>.</td>')
    assert.include(html, "<code>parts</code><small> optional</small>")
  })
})

describe("parameters", () => {
  it("say what is required, and where they stand if not in the query", () => {
    const one = { name: "a", place: "query", isRequired: true, description: "", schema: { type: "string" } }
    const all = [one, { ...one, name: "b", place: "path", isRequired: false }]
    const html = renderToStaticMarkup(h(Parameters, { caption: "All", all }))
    assert.include(html, "<code>a</code><small> required</small></th>")
    assert.include(html, "<code>b</code><small> path</small></th>")
  })
})

/** A document with so many operations, each with the same answer and errors. */
const reference = (count: number) =>
  read({
    tags: [{ name: "things", description: "Things." }],
    components: { schemas: Object.fromEntries(schemas) },
    paths: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `/v1/${at}`,
        {
          get: {
            operationId: `op_${at}`,
            tags: ["things"],
            parameters: [{ name: "limit", in: "query", description: "How many.", schema: {} }],
            responses: {
              200: { content: { "application/json": { schema: { properties: { as_of: {}, [`own_${at}`]: {} } } } } },
            },
            "x-error-codes": ["internal_error"],
          },
        },
      ]),
    ),
  })

describe("what many operations have", () => {
  it("is what at least eight of them have", () => {
    const few = findCommon(reference(7))
    assert.strictEqual(few.fields.size + few.errors.size, 0)
    const many = findCommon(reference(8))
    assert.deepStrictEqual(
      [...many.fields.values()].map(({ path }) => path),
      ["as_of"],
    )
    assert.deepStrictEqual([...many.errors.keys()], ["internal_error"])
    assert.isTrue(many.isField([...many.fields.values()][0]!))
  })

  it("is not listed at each operation", () => {
    const found = reference(8)
    const schema = found.groups[0]!.operations[0]!.answers[0]!.schema
    const html = renderToStaticMarkup(
      h("div", null, h(Fields, { caption: "Fields", schema, schemas: found.schemas, common: findCommon(found) })),
    )
    assert.include(html, "<summary>Fields: 1 fields</summary>")
    assert.include(html, "<code>own_0</code>")
    assert.notInclude(html, "as_of")
  })
})

describe("errors", () => {
  it("lead to their pages", () => {
    assert.strictEqual(
      renderToStaticMarkup(h(Errors, { codes: ["not_found", "internal_error"] })),
      '<p><a href="/errors/not_found">not_found</a> <a href="/errors/internal_error">internal_error</a></p>',
    )
  })
})

describe("a document that is read", () => {
  it("has a parameter of eight operations once, and of seven at each", () => {
    const [few, many] = [reference(7), reference(8)]
    assert.deepStrictEqual(few.shared, [])
    assert.lengthOf(few.groups[0]!.operations[0]!.own, 1)
    assert.deepStrictEqual(
      many.shared.map(({ name }) => name),
      ["limit"],
    )
    assert.deepInclude(many.groups[0]!.operations[0]!, { own: [], shared: ["limit"] })
  })

  it("has of each operation what a reader needs", () => {
    const document = (operation: Json) => ({
      tags: [{ name: "t" }],
      paths: { "/p": { post: { tags: ["t"], ...operation } } },
    })
    const operationOf = (operation: Json) => read(document(operation)).groups[0]!.operations[0]!
    assert.deepInclude(operationOf({}), {
      id: "",
      method: "POST",
      path: "/p",
      status: "",
      auth: "none",
      isDeprecated: false,
      isInDevelopment: false,
    })
    const full = operationOf({
      security: [{ key: [] }],
      deprecated: true,
      "x-status": "development",
      "x-charged-micros": 0,
      "x-codeSamples": [{ source: "curl x" }],
      requestBody: {
        content: { "application/json": { schema: { type: "object" }, examples: { one: { value: { n: 7 } } } } },
      },
      responses: { 400: {}, 201: { content: { "text/csv": { schema: {}, example: "a,b" } } } },
    })
    assert.deepInclude(full, {
      micros: 0,
      status: "201",
      auth: "key",
      isDeprecated: true,
      isInDevelopment: true,
      curl: "curl x",
      body: { type: "object" },
      example: { n: 7 },
      answers: [{ type: "text/csv", schema: {}, example: "a,b" }],
    })
  })
})

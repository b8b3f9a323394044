import { assert, describe, it } from "@effect/vitest"
import { type Version, versions } from "../../adapters/describe/versions.ts"
import { compare } from "../../bench/tools/compare.ts"
import { dated, due, pending, published, publishedOf, refusals, released } from "../../bench/tools/schemas.ts"
import { type Contract, contractOf } from "../../bench/tools/surface.ts"
import { catalogue } from "../../core/lanes/all.ts"

const object = (properties: object, required: ReadonlyArray<string> = []) => ({ type: "object", properties, required })

const base: Contract = {
  operations: { "GET /v1/a": { auth: "key", input: "AParams", answer: "A" } },
  schemas: {
    AParams: object(
      { n: { type: "integer", minimum: 1, maximum: 10, default: 5 }, s: { type: "string", enum: ["x", "y"] } },
      ["s"],
    ),
    A: object(
      {
        count: { type: "integer" },
        kind: { type: "string", enum: ["p", "q"] },
        rows: { type: "array", items: { $ref: "#/$defs/Row" } },
        note: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
      ["count", "rows"],
    ),
    Row: object({ id: { type: "string" }, p: { type: "number", minimum: 0, maximum: 1 } }, ["id"]),
    Error: object({ error: object({ code: { type: "string", enum: ["a"] } }) }),
  },
}

/** The base with another value at a path. */
const changed = (path: string, value: unknown): Contract => {
  const copy = structuredClone(base)
  const names = path.split("/")
  // biome-ignore lint/suspicious/noExplicitAny: any depth
  const parent = names.slice(0, -1).reduce<any>((at, name) => at[name], copy)
  if (value === undefined) delete parent[names.at(-1)!]
  else parent[names.at(-1)!] = value
  return copy
}
const param = (rest: object) =>
  changed("schemas/AParams/properties/n", { type: "integer", minimum: 1, maximum: 10, default: 5, ...rest })
const field = (rest: object) => changed("schemas/Row/properties/p", { type: "number", minimum: 0, maximum: 1, ...rest })
const operation = (rest: object): Contract => ({
  ...base,
  operations: { "GET /v1/a": { ...base.operations["GET /v1/a"]!, ...rest } },
})
const deprecation = { since: "2026-01-01", sunset: "2026-06-01" }

const minor = false
const major = true

const rows: ReadonlyArray<readonly [what: string, after: Contract, at: string, breaking: boolean]> = [
  [
    "an operation more",
    { ...base, operations: { ...base.operations, "GET /v1/b": base.operations["GET /v1/a"]! } },
    "GET /v1/b",
    minor,
  ],
  ["an operation less", { ...base, operations: {} }, "GET /v1/a", major],
  ["an end announced", operation({ deprecation }), "GET /v1/a", minor],
  ["a key that is needed no more", operation({ auth: "none" }), "GET /v1/a", minor],
  ["another answer", operation({ answer: "Row" }), "GET /v1/a", major],
  ["a field more", changed("schemas/Row/properties/more", { type: "string" }), "Row.more", minor],
  ["a field less", changed("schemas/Row/properties/p", undefined), "Row.p", major],
  ["a field of another type", field({ type: "string" }), "Row.p", major],
  ["a field that may be a fraction now", changed("schemas/A/properties/count", { type: "number" }), "A.count", major],
  ["a field that is an integer now", field({ type: "integer" }), "Row.p", minor],
  ["a field that may be absent now", changed("schemas/A/required", ["rows"]), "A.count", major],
  ["a field that is always there now", changed("schemas/Row/required", ["id", "p"]), "Row.p", minor],
  [
    "a field that may be null now",
    changed("schemas/A/properties/count", { anyOf: [{ type: "integer" }, { type: "null" }] }),
    "A.count",
    major,
  ],
  ["a field that is never null now", changed("schemas/A/properties/note", { type: "string" }), "A.note", minor],
  ["a value more in an answer", changed("schemas/A/properties/kind/enum", ["p", "q", "r"]), "A.kind", minor],
  ["a value less in an answer", changed("schemas/A/properties/kind/enum", ["p"]), "A.kind", minor],
  [
    "a code more in an error",
    changed("schemas/Error/properties/error/properties/code/enum", ["a", "b"]),
    "Error.error.code",
    minor,
  ],
  [
    "a code less in an error",
    changed("schemas/Error/properties/error/properties/code/enum", ["b"]),
    "Error.error.code",
    major,
  ],
  ["a range of an answer that is wider", field({ maximum: 2 }), "Row.p", major],
  ["rows of another kind", changed("schemas/A/properties/rows/items", { type: "string" }), "A.rows[]", major],
  ["a schema more", changed("schemas/B", object({})), "B", minor],
  ["a schema less", changed("schemas/Row", undefined), "Row", major],
  ["a parameter more", changed("schemas/AParams/properties/more", { type: "string" }), "AParams.more", minor],
  ["a parameter less", changed("schemas/AParams/properties/n", undefined), "AParams.n", major],
  ["a parameter that is needed now", changed("schemas/AParams/required", ["s", "n"]), "AParams.n", major],
  ["a parameter that may be left out now", changed("schemas/AParams/required", []), "AParams.s", minor],
  ["a narrower limit", param({ maximum: 9 }), "AParams.n", major],
  ["a wider limit", param({ maximum: 11 }), "AParams.n", minor],
  ["a limit that is gone", param({ minimum: undefined }), "AParams.n", minor],
  ["a limit that is new", param({ exclusiveMinimum: 0 }), "AParams.n", major],
  ["a form that is new", param({ pattern: "^1" }), "AParams.n", major],
  ["another default", param({ default: 6 }), "AParams.n", major],
  ["a value more to send", changed("schemas/AParams/properties/s/enum", ["x", "y", "z"]), "AParams.s", minor],
  ["a value less to send", changed("schemas/AParams/properties/s/enum", ["x"]), "AParams.s", major],
  ["any text to send", changed("schemas/AParams/properties/s", { type: "string" }), "AParams.s", minor],
]

describe("changes between two contracts", () => {
  for (const [what, after, at, breaking] of rows) {
    it(`${what}: ${breaking ? "major" : "minor"}`, () => {
      const found = compare(base, after)
      assert.deepStrictEqual(
        found.map((change) => [change.at, change.breaking]),
        [[at, breaking]],
      )
      assert.strictEqual(pending("1.2.3", found)!.version, breaking ? "2.0.0" : "1.3.0")
    })
  }

  it("is nothing between the same", () => {
    assert.deepStrictEqual(compare(base, structuredClone(base)), [])
    assert.isUndefined(pending("1.0.0", []))
  })

  it("takes an end that was announced into a section of its own", () => {
    const { deprecated, changed: others } = pending("1.0.0", compare(base, operation({ deprecation })))!
    assert.deepStrictEqual(
      [deprecated, others],
      [["`GET /v1/a` deprecated since 2026-01-01, removed after 2026-06-01"], []],
    )
  })

  it("needs the higher number when only one of several breaks", () => {
    const both = compare(base, {
      ...field({ type: "string" }),
      operations: { ...base.operations, "GET /v1/b": base.operations["GET /v1/a"]! },
    })
    assert.strictEqual(pending("1.4.0", both)!.version, "2.0.0")
  })
})

describe("the versions of the schemas", () => {
  const now = contractOf(catalogue)

  it("are those that the changes since the last release need (npm run schemas writes them)", () => {
    assert.deepStrictEqual(due(versions, released(), now), versions)
  })

  it("are not written against a promise: nothing published is rewritten, nothing breaks without notice", () => {
    assert.deepStrictEqual(refusals(versions, released(), now, published(), new Date().toISOString().slice(0, 10)), [])
  })

  it("begin without a promise, and are bound from the first release on", () => {
    const first = { version: "1.0.0", added: [], changed: [], deprecated: [], removed: [] }
    assert.deepStrictEqual(due([first], base, field({ type: "string" })), [first])
    const [released] = dated([first], "2026-01-01")
    assert.deepStrictEqual(
      due([released!], base, field({ type: "string" })).map(({ version }) => version),
      ["2.0.0", "1.0.0"],
    )
    assert.deepStrictEqual(due([{ ...first, version: "2.0.0" }, released!], base, base), [released!])
  })

  it("know no schema that is both sent and read", () => {
    const { operations, schemas } = now
    const inputs = new Set(Object.values(operations).map(({ input }) => input))
    for (const input of inputs) assert.notInclude(JSON.stringify(schemas[input]), "$ref")
    for (const { answer } of Object.values(operations)) assert.isFalse(inputs.has(answer))
  })
})

describe("the refusal to write schemas", () => {
  const empty = { added: [], changed: [], deprecated: [], removed: [] }
  const first = { version: "1.0.0", date: "2026-01-01", ...empty }
  const kept = { "1.0.0": publishedOf(first, base) }
  const ending = operation({ deprecation })
  /** 1.1.0 announced the end of the operation on a day, after 1.0.0. */
  const announced = (date: string | undefined) => {
    const [next] = due([first], base, ending)
    return date === undefined ? [next!, first] : [...dated([next!], date), first]
  }
  const at = (versions: ReadonlyArray<Version>, before: Contract, after: Contract, today: string) => {
    const [newest] = versions.filter(({ date }) => date !== undefined)
    return refusals(versions, before, after, { ...kept, [newest!.version]: publishedOf(newest!, before) }, today)
  }
  const without: Contract = { ...ending, operations: {} }

  it("is none before the first release", () => {
    assert.deepStrictEqual(refusals([first], base, { ...base, operations: {} }, {}, "2026-01-02"), [])
    assert.deepStrictEqual(refusals([first], undefined, base, {}, "2026-01-02"), [])
  })

  it("is none of changes that break nothing", () => {
    assert.deepStrictEqual(refusals([first], base, ending, kept, "2026-01-02"), [])
    assert.deepStrictEqual(refusals([first], base, base, kept, "2026-01-02"), [])
  })

  it.each(rows)(
    "meets each change that breaks and was not announced, and no other: %s",
    (_, after, subject, breaking) => {
      const refused = refusals([first], base, after, kept, "2027-01-01")
      assert.deepStrictEqual(
        refused.map(
          (line) =>
            /^`(.+?)` .*: breaking, and its end has not stood under "Deprecated" for 90 days\.$/.exec(line)?.[1],
        ),
        breaking ? [subject] : [],
      )
    },
  )

  it("ends when the announcement has stood for 90 days and its day is over", () => {
    for (const [date, today, isRefused] of [
      [undefined, "2027-01-01", true],
      ["2026-03-03", "2026-05-31", true],
      ["2026-03-03", "2026-06-01", false],
      ["2026-03-04", "2026-06-01", true],
      ["2026-01-05", "2026-05-31", true],
    ] as const) {
      const before = date === undefined ? base : ending
      assert.strictEqual(at(announced(date), before, without, today).length > 0, isRefused, `${date} ${today}`)
    }
  })

  it("looks at every operation that has the schema", () => {
    const shared: Contract = {
      ...ending,
      operations: { ...ending.operations, "GET /v1/b": { auth: "key", input: "BParams", answer: "A" } },
    }
    const narrower = (contract: Contract): Contract => ({
      ...contract,
      schemas: { ...contract.schemas, Row: object({ id: { type: "string" } }, ["id"]) },
    })
    assert.deepStrictEqual(at(announced("2026-01-05"), ending, narrower(ending), "2026-06-01"), [])
    assert.match(
      at(announced("2026-01-05"), shared, narrower(shared), "2026-06-01").join(),
      /^`Row\.p` removed: breaking/,
    )
  })

  it("keeps what is published, in the changelog and in the contract", () => {
    const rewritten = ["The changelog of 1.0.0 is published: it is not rewritten."]
    assert.deepStrictEqual(refusals([{ ...first, added: ["more"] }], base, base, kept, "2026-01-02"), rewritten)
    assert.deepStrictEqual(refusals([], base, base, kept, "2026-01-02"), rewritten)
    const more = { ...first, version: "1.1.0" }
    assert.deepStrictEqual(refusals([more, first], base, base, kept, "2026-01-02"), [
      "The changelog of 1.1.0 is published: it is not rewritten.",
    ])
    for (const contract of [ending, undefined]) {
      assert.deepStrictEqual(refusals([first], contract, ending, kept, "2026-01-02"), [
        "The contract of 1.0.0 is published: it is not rewritten.",
      ])
    }
  })
})

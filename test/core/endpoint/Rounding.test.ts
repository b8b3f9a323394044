import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Field from "../../../core/endpoint/Field.ts"
import * as Rounding from "../../../core/endpoint/Rounding.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { endpoints as proofs } from "../../../core/record/log/endpoints.ts"

const endpoint = Endpoint.declare({
  path: "/v1/some",
  kind: "Signal",
  priceMicros: 0,
  auth: "key",
  summary: "Some",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({
    p: Field.probability(),
    margin: Field.quantity("points"),
    strike: Field.number(),
    count: Field.integer(),
    maybe: Schema.NullOr(Field.quantity("usd")),
    pmf: Schema.Record({ key: Schema.String, value: Field.probability() }),
    rows: Schema.Array(Schema.Struct({ edge: Field.verbose(Field.quantity("ratio")), name: Field.text() })),
    either: Schema.Union(
      Schema.Struct({ era: Field.quantity("era") }),
      Schema.Struct({ sigma: Field.quantity("volatility") }),
    ),
  }),
})

const whole = {
  p: 1 / 3,
  margin: -7.089020830394581,
  strike: 1 / 3,
  count: 3,
  maybe: 10.126,
  pmf: { 84: 2 / 3, "-1": 0.5 },
  rows: [{ edge: 0.1234567, name: "a" }, { name: "b" }],
  either: { sigma: 0.004432456789 },
}

describe("a number", () => {
  it("is the nearest with so many decimals, the same on both sides of zero", () => {
    for (const [value, places, expected] of [
      [7.089020830394581, 2, 7.09],
      [-7.125, 2, -7.13],
      [7.125, 2, 7.13],
      [0.1 + 0.2, 6, 0.3],
      [-0.0000004, 6, 0],
      [0.9999996, 6, 1],
      [47_602.894_999, 2, 47_602.89],
      [1e300, 2, 1e300],
      [Number.POSITIVE_INFINITY, 2, Number.POSITIVE_INFINITY],
    ] as const) {
      assert.strictEqual(Object.is(Rounding.round(value, places), expected), true, `${value}`)
    }
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constantFrom(2, 4, 6), (value, places) => {
        const once = Rounding.round(value, places)
        assert.isAtMost(Math.abs(once - value), 0.5001 * 10 ** -places)
        assert.strictEqual(Rounding.round(once, places), once)
        assert.strictEqual(Rounding.round(-value, places), once === 0 ? 0 : -once)
        assert.match(String(once), /^-?\d+(\.\d{1,6})?$|e-6$/)
      }),
    )
  })
})

describe("results", () => {
  it("have the decimals of their fields, wherever a field is", () => {
    assert.deepStrictEqual(Rounding.rounded<unknown>(endpoint, whole), {
      p: 0.333333,
      margin: -7.09,
      strike: 1 / 3,
      count: 3,
      maybe: 10.13,
      pmf: { 84: 0.666667, "-1": 0.5 },
      rows: [{ edge: 0.123457, name: "a" }, { name: "b" }],
      either: { sigma: 0.00443246 },
    })
    assert.deepStrictEqual(Rounding.rounded<unknown>(endpoint, { maybe: null }), { maybe: null })
  })

  it("of a lane are not changed, and are the same object where nothing is rounded", () => {
    const before = JSON.stringify(whole)
    const after = Rounding.rounded<unknown>(endpoint, whole)
    assert.strictEqual(JSON.stringify(whole), before)
    assert.strictEqual(Rounding.rounded(endpoint, after), after)
  })

  it("of another shape, about the same fields, have the decimals of the fields' names", () => {
    assert.deepStrictEqual(
      Rounding.roundedByName<unknown>(endpoint, { from: 1 / 3, delta: { margin: 1 / 3, strike: 1 / 3, p: [1 / 3] } }),
      { from: 0.333333, delta: { margin: 0.33, strike: 1 / 3, p: [0.333333] } },
    )
  })
})

/** Verbatim from the source, the venue or the caller; everything else that is computed has a unit. */
const verbatim = new Set([
  ...["lat", "lon", "precip_in", "snow_in"],
  ...["spread_line", "total_line"],
  ...["strike", "floor_strike", "cap_strike"],
])

/** Names of the numbers without a unit. */
const unitless = (ast: AST.AST, name = ""): ReadonlyArray<string> => {
  if (ast.annotations[Field.DecimalsId] !== undefined) return []
  switch (ast._tag) {
    case "Refinement": {
      const json = AST.getJSONSchemaAnnotation(ast)
      const isInteger = json._tag === "Some" && (json.value as { type?: string }).type === "integer"
      return isInteger ? [] : unitless(ast.from, name)
    }
    case "NumberKeyword":
      return [name]
    case "TupleType":
      return ast.rest.flatMap(({ type }) => unitless(type, name))
    case "Union":
      return ast.types.flatMap((type) => unitless(type, name))
    case "TypeLiteral":
      return [
        ...ast.propertySignatures.flatMap((property) => unitless(property.type, String(property.name))),
        ...ast.indexSignatures.flatMap(({ type }) => unitless(type, name)),
      ]
    default:
      return []
  }
}

describe("the catalogue", () => {
  it.each([...catalogue.entries.map(({ endpoint }) => endpoint as Endpoint.Any), ...Object.values(proofs)])(
    "$id: every number that is computed has a unit",
    ({ results }) => {
      const ast = AST.encodedBoundAST((results as Schema.Schema.AnyNoContext).ast)
      assert.deepStrictEqual(
        unitless(ast).filter((name) => !verbatim.has(name)),
        [],
      )
    },
  )
})

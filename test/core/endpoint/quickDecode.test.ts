import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import fc from "fast-check"
import * as Options from "../../../core/endpoint/Options.ts"
import * as QuickDecode from "../../../core/endpoint/quickDecode.ts"
import * as Shape from "../../../core/endpoint/Shape.ts"
import { withAccount } from "../../../core/lanes/account/Account.ts"
import { catalogue } from "../../../core/lanes/all.ts"

const { entries } = withAccount(catalogue)

type Struct = Schema.Schema<Readonly<Record<string, unknown>>, unknown> & {
  readonly fields: Readonly<Record<string, unknown>>
}

const structs: ReadonlyArray<readonly [string, Struct, Readonly<Record<string, unknown>>]> = [
  ...entries.map(
    ({ endpoint }) =>
      [
        endpoint.id,
        endpoint.params as unknown as Struct,
        endpoint.example as Readonly<Record<string, unknown>>,
      ] as const,
  ),
  ["options", Options.keyed as unknown as Struct, { fields: ["a"], include: ["_suggestions"], verbose: true }],
]

/** Values that are valid for some parameter, just outside of its bounds, or of another type. */
const values = [
  ...[0, 1, 2, 4, 5, 60, 200, 201, 1_440, 1_441, -1, 0.5, 2_024, 2_026, Number.NaN, Number.POSITIVE_INFINITY],
  ...["", "BTC", "btc", "eth", "KNYC", "knyc", "KC", "2026-02-28", "2026-02-30", "high", "XNAS:AAPL", "crypto"],
  ...["2026-11-01T00:00:00Z", "0000320193-25-000079", "_suggestions", "x".repeat(201), "true"],
  ...[true, false, null, undefined, [], [1], [1, "2"], ["a", "b"], [0], Array(51).fill(1), {}, { a: 1 }],
  [{ endpoint: "weather_settlement", params: { station: "KNYC" } }],
  [{ endpoint: "x" }, { params: {} }],
  [{ endpoint: "weather_settlement", other: 1 }],
]

describe("the quick decoder", () => {
  for (const [name, struct, example] of structs) {
    const quick = QuickDecode.compile(Shape.of(struct))
    const parse = ParseResult.decodeUnknownEither(struct, { errors: "first", onExcessProperty: "ignore" })

    it(`${name}: decodes the example`, () => {
      assert.deepStrictEqual(quick(example), Either.getOrThrow(parse(example)))
    })

    it(`${name}: gives the parser's value, its keys in the same order, or is invalid with it`, () => {
      const parameter = fc.constantFrom(...values, ...Object.values(example))
      const names = fc.constantFrom(...Object.keys(struct.fields), "other", "__proto__")
      fc.assert(
        fc.property(fc.array(fc.tuple(names, parameter), { maxLength: 4 }), fc.boolean(), (changes, fromExample) => {
          const value = { ...(fromExample ? example : {}), ...Object.fromEntries(changes) }
          const parsed = parse(value)
          const decoded = quick(value)
          if (Either.isLeft(parsed)) assert.strictEqual(decoded, QuickDecode.invalid)
          else {
            assert.deepStrictEqual(decoded, parsed.right)
            assert.strictEqual(JSON.stringify(decoded), JSON.stringify(parsed.right))
          }
        }),
        { numRuns: 300 },
      )
    })

    it(`${name}: gives the parser's value of anything that is no object`, () => {
      for (const value of [null, undefined, 1, "text", [], [example]]) {
        assert.deepStrictEqual(
          quick(value),
          Either.getOrElse(parse(value), () => QuickDecode.invalid),
        )
      }
    })
  }
})

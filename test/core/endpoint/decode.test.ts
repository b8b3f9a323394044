import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Verbs from "../../../adapters/admin/verbs.ts"
import * as Cursor from "../../../core/endpoint/Cursor.ts"
import * as decode from "../../../core/endpoint/decode.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Shape from "../../../core/endpoint/Shape.ts"
import { withAccount } from "../../../core/lanes/account/Account.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { endpoints as proof } from "../../../core/record/log/endpoints.ts"

const operations: ReadonlyArray<Endpoint.AnyOperation> = [
  ...withAccount(catalogue).entries.map(({ endpoint }) => endpoint),
  ...Object.values(Verbs.verbs(catalogue)),
  ...Object.values(proof),
]

/** Fields whose values are texts or lists of texts, with a value that has U+0000. */
const texts = ({ params }: Endpoint.AnyOperation): ReadonlyArray<readonly [string, unknown]> =>
  Shape.fieldsOf(params).flatMap(({ name, shape: { kind } }): ReadonlyArray<readonly [string, unknown]> => {
    if (kind === "text") return [[name, "a\u0000b"]]
    return kind === "list" ? [[name, ["a\u0000b"]]] : []
  })

const table = operations.flatMap((operation) => texts(operation).map((text) => [operation, ...text] as const))

describe("a text with U+0000", () => {
  it("is looked for in many parameters", () => {
    assert.isAbove(table.length, 60)
  })

  for (const [operation, field, value] of table) {
    it(`is refused as ${field} of ${operation.id}, which is named`, () => {
      const example = "example" in operation ? (operation.example as object) : {}
      const decoded = decode.compile(operation)({ _tag: "Json", value: { ...example, [field]: value } }, 0)
      const { hints = [] } = Either.getOrThrow(Either.flip(decoded))
      assert.isDefined(hints.find((hint) => hint.field === field))
    })
  }

  it("is refused inside a cursor, which any caller can make", () => {
    const { endpoint } = catalogue.entries.find(({ endpoint: { id } }) => id === "nfl_top100")!
    const example = endpoint.example as Readonly<Record<string, unknown>>
    const of = (key: string) => Cursor.encode(endpoint.id, example, key)
    assert.strictEqual(Cursor.decode(endpoint.id, example, of("a")), "a")
    assert.isUndefined(Cursor.decode(endpoint.id, example, of("a\u0000")))
  })

  it("is refused in a query string with its name, and together with other errors", () => {
    const inclusion = decode.compile(proof.inclusion)
    const failure = Either.flip(inclusion({ _tag: "Text", entries: [["leaf", "a\u0000"]], text: "leaf=a%00" }, 0)).pipe(
      Either.getOrThrow,
    )
    assert.deepStrictEqual(failure.hints, [
      { field: "leaf", action: "change", suggestion: "Remove the character U+0000 from leaf." },
    ])
    const two = Either.getOrThrow(Either.flip(inclusion({ _tag: "Json", value: { leaf: "a\u0000", nothing: 1 } }, 0)))
    assert.sameMembers(
      two.hints!.map(({ field }) => field),
      ["nothing", "leaf"],
    )
  })
})

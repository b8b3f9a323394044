import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Cursor from "./Cursor.ts"
import type * as Endpoint from "./Endpoint.ts"
import { type Code, type Failure, fail, type Hint } from "./Failure.ts"
import * as Options from "./Options.ts"
import { CodeId } from "./Param.ts"
import { codeOf, type Form, remedy } from "./rule.ts"
import * as Select from "./Select.ts"

/** Parameters as a transport has them: text (query string, command line) or JSON (MCP, embedders). */
export type Raw =
  | { readonly _tag: "Text"; readonly entries: Iterable<readonly [string, string]> }
  | { readonly _tag: "Json"; readonly value: Readonly<Record<string, unknown>> }

/** A call whose input is good: what the lane gets, and which fields leave. */
export interface Decoded {
  readonly params: Readonly<Record<string, unknown>>
  readonly mask: Select.Mask
  /** The fields of the default shape, whichever leave. */
  readonly slim: Select.Mask
  readonly options: Options.Options
}

interface Field {
  readonly name: string
  readonly ast: AST.AST
  readonly many: boolean
  readonly read: (text: string) => unknown
  /** Decodes this field alone, so that its neighbours' errors do not hide it. */
  readonly alone: (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue>
}

const numeric = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** How one textual value becomes JSON: read off the encoded side. What does not fit stays text and fails in the schema. */
const reader = (ast: AST.AST): Pick<Field, "many" | "read"> => {
  switch (ast._tag) {
    case "Refinement":
      return reader(ast.from)
    case "NumberKeyword":
      return { many: false, read: (text) => (numeric.test(text) ? Number(text) : text) }
    case "BooleanKeyword":
      return { many: false, read: (text) => (text === "true" ? true : text === "false" ? false : text) }
    case "TupleType": {
      const item = reader(ast.rest[0]!.type)
      return { many: true, read: (text) => text.split(",").map((part) => item.read(part.trim())) }
    }
    default:
      return { many: false, read: (text) => text }
  }
}

const none: ReadonlySet<string> = new Set()
const options = { errors: "all", onExcessProperty: "ignore" } as const

const fieldsOf = (schema: Endpoint.AnyStruct): ReadonlyArray<Field> =>
  Object.entries(schema.fields).map(([name, field]) => {
    const alone = Schema.Struct({ [name]: field }) as unknown as Schema.Schema<unknown>
    const ast = AST.getPropertySignatures(AST.encodedBoundAST(alone.ast))[0]!.type
    return { name, ast, ...reader(ast), alone: ParseResult.decodeUnknownEither(alone, options) }
  })

/** @param now epoch milliseconds: which days there are depends on it */
export type Decode = (raw: Raw, now: number) => Either.Either<Decoded, Failure>

/**
 * Compiles the parameters of an endpoint and the options common to all endpoints once. Every bad field is reported in
 * one failure; rules across fields run over the good ones beside them.
 */
export const compile = (endpoint: Endpoint.Any): Decode => {
  const common = Options.of(endpoint)
  const struct = endpoint.params as Endpoint.AnyStruct
  const fields = [...fieldsOf(struct), ...fieldsOf(common)]
  const byName = new Map(fields.map((field) => [field.name, field]))
  if (byName.size !== fields.length) throw new Error(`${endpoint.id}: a parameter has the name of a common option`)
  const paged = "cursor" in struct.fields
  const selection = Select.compile(endpoint.results as Schema.Schema.AnyNoContext)
  const whole = ParseResult.decodeUnknownEither(struct as Schema.Schema<Record<string, unknown>, unknown>, options)
  const wholeCommon = ParseResult.decodeUnknownEither(common as Schema.Schema<Options.Options, unknown>, options)

  const read = (raw: Raw, hints: Array<Hint>): Record<string, unknown> => {
    if (raw._tag === "Json") return raw.value
    const value: Record<string, unknown> = {}
    for (const [name, text] of raw.entries) {
      const field = byName.get(name)
      if (field === undefined) continue
      const before = value[name]
      if (before === undefined) value[name] = field.read(text)
      else if (field.many)
        value[name] = [...(before as ReadonlyArray<unknown>), ...(field.read(text) as ReadonlyArray<unknown>)]
      else hints.push({ field: name, action: "remove", suggestion: `Send ${name} once.` })
    }
    return value
  }

  /** Slow path: every field alone, for all hints at once and for the good fields beside the bad ones. */
  const explain = (value: Readonly<Record<string, unknown>>, form: Form, hints: Array<Hint>, now: number): Failure => {
    const good: Record<string, unknown> = {}
    const codes = new Set<Code>()
    const bad = new Set(hints.map((hint) => hint.field))
    for (const field of fields) {
      if (bad.has(field.name)) continue
      const result = field.alone(value)
      if (Either.isRight(result)) Object.assign(good, result.right)
      else {
        const issue = ParseResult.ArrayFormatter.formatIssueSync(result.left)[0]!
        hints.push(remedy(field.name, field.ast, issue, form, value[field.name]))
        const own = issue._tag === "Missing" ? undefined : codeOf(field.ast, CodeId)
        codes.add(own ?? "invalid_parameter")
        bad.add(field.name)
      }
    }
    hints.push(...check(good, bad, now), ...unknownPaths(good["fields"] as Options.Options["fields"]))
    const [only] = codes
    return fail(codes.size === 1 && only !== undefined && hints.length === 1 ? only : "invalid_parameter", { hints })
  }

  const check = (
    params: Readonly<Record<string, unknown>>,
    bad: ReadonlySet<string>,
    now: number,
  ): ReadonlyArray<Hint> => endpoint.check?.(params as never, bad, now) ?? []

  const unknownPaths = (wanted: Options.Options["fields"]): ReadonlyArray<Hint> => {
    const mask = wanted === undefined ? "all" : selection.fields(wanted)
    return typeof mask === "object" && "unknown" in mask
      ? [
          {
            field: "fields",
            action: "change",
            suggestion: `There is no field ${mask.unknown}; the nearest is ${mask.nearest}.`,
          },
        ]
      : []
  }

  return (raw, now) => {
    const hints: Array<Hint> = []
    const value = read(raw, hints)
    const params = whole(value)
    const asked = wholeCommon(value)
    if (hints.length > 0 || Either.isLeft(params) || Either.isLeft(asked)) {
      return Either.left(explain(value, raw._tag === "Json" ? "json" : "text", hints, now))
    }
    hints.push(...check(params.right, none, now), ...unknownPaths(asked.right.fields))
    const { fields: wanted, verbose } = asked.right
    let own = params.right
    if (paged && own["cursor"] !== undefined) {
      const key = Cursor.decode(endpoint.id, own, String(own["cursor"]))
      if (key === undefined) hints.push(Cursor.hint)
      own = { ...own, cursor: key }
    }
    if (hints.length > 0) return Either.left(fail("invalid_parameter", { hints }))
    const mask = verbose ? "all" : wanted === undefined ? selection.slim : (selection.fields(wanted) as Select.Mask)
    return Either.right({ params: own, mask, slim: selection.slim, options: asked.right })
  }
}

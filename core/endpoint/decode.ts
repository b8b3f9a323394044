import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { BoundedMap } from "../BoundedMap.ts"
import { type Code, change, type Failure, fail, type Hint } from "../Failure.ts"
import { perObject } from "../perObject.ts"
import * as Cursor from "./Cursor.ts"
import type * as Endpoint from "./Endpoint.ts"
import { distance, maxNameLength, nearest } from "./nearest.ts"
import * as Options from "./Options.ts"
import * as QuickDecode from "./quickDecode.ts"
import { type Form, remedy } from "./rule.ts"
import * as Select from "./Select.ts"
import * as Shape from "./Shape.ts"

/** Undecoded parameters: text (query string, command line) or JSON (MCP, embedders). */
export type Raw =
  | {
      readonly _tag: "Text"
      readonly entries: Iterable<readonly [string, string]>
      /** Identifies the entries: the decoded parameters of equal texts are shared. */
      readonly text?: string
    }
  | { readonly _tag: "Json"; readonly value: Readonly<Record<string, unknown>> }

/** A valid call: the lane's parameters and the selected fields. */
export interface Decoded {
  readonly params: Readonly<Record<string, unknown>>
  readonly mask: Select.Mask
  /** The fields of the default shape, whatever the selection. */
  readonly slim: Select.Mask
  readonly options: Options.Options
  /** SHA-256 of the endpoint, params and options, once computed. Calls with one query string share it. */
  paramsHash?: string
}

interface Field {
  readonly name: string
  readonly shape: Shape.Shape
  readonly read: (text: string) => unknown
  /** Decodes this field only, so that errors of other fields do not hide its own. */
  readonly decodeField: (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue>
}

/** JSON's form of a number, without an exponent. */
const numeral = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** Converts text to JSON by the shape of its value. Text that does not fit stays text and fails in the schema. */
const reader = (shape: Shape.Shape): Field["read"] => {
  switch (shape.kind) {
    case "number":
      return (text) => (numeral.test(text) ? Number(text) : text)
    case "flag":
      return (text) => (text === "true" ? true : text === "false" ? false : text)
    case "list": {
      const item = reader(shape.item)
      return (text) => text.split(",").map((part) => item(part.trim()))
    }
    default:
      return (text) => text
  }
}

const none: ReadonlySet<string> = new Set()
/** The innermost issue of a value's first error: `remedy` needs its kind and path alone, so Effect's formatters are not used. */
const firstError = (issue: ParseResult.ParseIssue): Parameters<typeof remedy>[2] => {
  const path: Array<PropertyKey> = []
  for (let node = issue; ; ) {
    if (node._tag === "Pointer") {
      path.push(...[node.path].flat())
      node = node.issue
    } else if (node._tag === "Composite") node = [node.issues].flat()[0]!
    else if (node._tag === "Refinement" || node._tag === "Transformation") node = node.issue
    else return { _tag: node._tag, path }
  }
}

/** Stops at the first error: `explain` then decodes each field separately and reports the field's first error. */
const parseOptions = { errors: "first", onExcessProperty: "ignore" } as const

/** Most undeclared names that one failure reports one by one; the others are counted. */
export const maxUnknown = 32

/** A name as a hint shows it: any caller may send any name, of any length. */
const shortName = (name: string): string => (name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`)

/** Most edits at which a name still counts as a misspelling: one for every three characters, at least one. */
const maxEdits = (name: string): number => Math.max(1, Math.floor(name.length / 3))

/**
 * Hints for undeclared names.
 *
 * @param known the declared names
 * @param suggest whether to name the nearest one
 */
const unknownNames = (
  names: ReadonlySet<string>,
  known: ReadonlyArray<string>,
  suggest: boolean,
): ReadonlyArray<Hint> => {
  const hints = [...names].slice(0, maxUnknown).map((name): Hint => {
    const [field, suggestion] = [shortName(name), `Unknown parameter ${shortName(name)}.`]
    if (!suggest) return { field, action: "remove", suggestion }
    const near = nearest(known, name, distance, maxEdits(name))
    return near === undefined
      ? { field, action: "remove", suggestion: `${suggestion} Known: ${known.join(", ")}.` }
      : { field, action: "change", suggestion: `${suggestion} Did you mean \`${near}\`?` }
  })
  const more = names.size - hints.length
  return more === 0
    ? hints
    : [...hints, { field: "parameters", action: "remove", suggestion: `${more} more unknown parameters.` }]
}

const fieldsOf = (schema: Endpoint.AnyStruct): ReadonlyArray<Field> =>
  Shape.fieldsOf(schema).map(({ name, shape }) => {
    const struct = Schema.Struct({ [name]: schema.fields[name]! }) as unknown as Schema.Schema<unknown>
    return { name, shape, read: reader(shape), decodeField: ParseResult.decodeUnknownEither(struct, parseOptions) }
  })

/** Whether a list is too long; checked before its items are decoded. */
const isOverlong = ({ name, shape }: Field, value: Readonly<Record<string, unknown>>): boolean => {
  const list = value[name]
  return Array.isArray(list) && list.length > (shape.bounds.maxItems ?? Number.POSITIVE_INFINITY)
}

/** Most cached query strings of an endpoint. */
const maxCachedQueries = 1_000
/** The longest cached query string, characters. Longer ones mostly carry lists and are seldom repeated. */
const maxCachedLength = 128

const overlong = { _tag: "Type", path: [] } as const

/** Whether a value contains U+0000, which no name has and not every store can compare. */
const hasNul = (value: unknown): boolean => {
  if (typeof value === "string") return value.includes("\u0000")
  if (typeof value !== "object" || value === null) return false
  return Array.isArray(value) ? value.some(hasNul) : Object.entries(value).some((entry) => entry.some(hasNul))
}

/**
 * The decoded call, or one failure with all hints.
 *
 * @param now epoch milliseconds, for rules against the clock
 * @param suggest whether hints suggest the nearest name for an unknown one; plans of many calls switch it off
 */
type Decode = (raw: Raw, now: number, suggest?: boolean) => Either.Either<Decoded, Failure>

/** Decodes a valid value of a struct; undefined for every other. */
const validator = <A>(struct: Schema.Schema.AnyNoContext): ((value: unknown) => A | undefined) => {
  const quick = QuickDecode.compile(Shape.of(struct))
  const parse = ParseResult.decodeUnknownEither(struct as Schema.Schema<A>, parseOptions)
  return (value) => {
    const decoded = quick(value)
    return decoded === QuickDecode.invalid ? Either.getOrUndefined(parse(value)) : (decoded as A)
  }
}

/**
 * Compiles the parameters of an endpoint and the common options, once per endpoint. One failure reports every bad field
 * (a bad cursor only once all fields are valid) and the undeclared names: a misspelt parameter would otherwise be answered,
 * and charged, as if it were absent. Rules across fields run over the valid ones.
 */
export const compile: (endpoint: Endpoint.AnyOperation) => Decode = perObject((endpoint: Endpoint.AnyOperation) =>
  make(endpoint),
)

/** Reads the raw values by name, and pushes hints about undeclared and repeated names. */
const makeRead =
  (byName: ReadonlyMap<string, Field>) =>
  (raw: Raw, hints: Array<Hint>, suggest: boolean): Readonly<Record<string, unknown>> => {
    const unknown = new Set<string>()
    const value: Record<string, unknown> = {}
    if (raw._tag === "Json") {
      for (const name of Object.keys(raw.value)) if (!byName.has(name)) unknown.add(name)
    } else {
      for (const [name, text] of raw.entries) {
        const field = byName.get(name)
        const previous = value[name]
        if (field === undefined) unknown.add(name)
        else if (previous === undefined) value[name] = field.read(text)
        else if (field.shape.kind === "list")
          value[name] = [...(previous as ReadonlyArray<unknown>), ...(field.read(text) as ReadonlyArray<unknown>)]
        else hints.push({ field: name, action: "remove", suggestion: `Send ${name} once.` })
      }
    }
    if (unknown.size > 0) hints.push(...unknownNames(unknown, [...byName.keys()], suggest))
    return raw._tag === "Json" ? raw.value : value
  }

interface Checks {
  readonly fields: ReadonlyArray<Field>
  readonly isRefused: (field: Field, value: Readonly<Record<string, unknown>>) => boolean
  readonly check: (
    params: Readonly<Record<string, unknown>>,
    bad: ReadonlySet<string>,
    now: number,
  ) => ReadonlyArray<Hint>
  readonly selected: (wanted: Options.Options["fields"], hints: Array<Hint>, suggest: boolean) => Select.Mask
}

/** Slow path: decodes every field separately, to collect all hints and the valid fields. */
const explain = (
  { fields, isRefused, check, selected }: Checks,
  value: Readonly<Record<string, unknown>>,
  form: Form,
  hints: Array<Hint>,
  now: number,
  suggest: boolean,
): Failure => {
  const good: Record<string, unknown> = {}
  const codes = new Set<Code>()
  const bad = new Set(hints.map((hint) => hint.field))
  for (const field of fields) {
    if (bad.has(field.name)) continue
    const result = isOverlong(field, value) ? undefined : field.decodeField(value)
    if (result !== undefined && Either.isRight(result)) {
      if (isRefused(field, value)) {
        hints.push(change(field.name, `Remove the character U+0000 from ${field.name}.`))
        bad.add(field.name)
      } else Object.assign(good, result.right)
    } else {
      const issue = result === undefined ? overlong : firstError(result.left)
      hints.push(remedy(field.name, field.shape, issue, form, value[field.name]))
      codes.add((issue._tag === "Missing" ? undefined : field.shape.code) ?? "invalid_parameter")
      bad.add(field.name)
    }
  }
  hints.push(...check(good, bad, now))
  selected(good["fields"] as Options.Options["fields"], hints, suggest)
  const [only] = codes
  return fail(codes.size === 1 && only !== undefined && hints.length === 1 ? only : "invalid_parameter", { hints })
}

/**
 * Keeps decoded query strings, since agents repeat the same few calls.
 *
 * @param holds whether cached parameters still pass the rules, which may depend on the clock
 */
const withCache = (decode: Decode, holds: (params: Decoded["params"], now: number) => boolean): Decode => {
  const kept = new BoundedMap<string, Either.Right<never, Decoded>>(maxCachedQueries)
  return (raw, now, suggest) => {
    const text = raw._tag === "Text" ? raw.text : undefined
    if (text === undefined || text.length > maxCachedLength) return decode(raw, now, suggest)
    const cached = kept.get(text)
    if (cached !== undefined && holds(cached.right.params, now)) return cached
    const decoded = decode(raw, now, suggest)
    if (Either.isRight(decoded)) kept.set(text, decoded as Either.Right<never, Decoded>)
    return decoded
  }
}

const make = (endpoint: Endpoint.AnyOperation): Decode => {
  const common = Options.of(endpoint)
  const struct = endpoint.params as Endpoint.AnyStruct
  const fields = [...fieldsOf(struct), ...fieldsOf(common)]
  const byName = new Map(fields.map((field) => [field.name, field]))
  if (byName.size !== fields.length) throw new Error(`${endpoint.id}: a parameter has the name of a common option`)
  const read = makeRead(byName)
  const paged = "cursor" in struct.fields
  const selection = Select.compile(endpoint.results as Schema.Schema.AnyNoContext)
  const decodeParams = validator<Readonly<Record<string, unknown>>>(struct)
  const decodeOptions = validator<Options.Options>(common)

  /** A cursor is opaque, and decoded later. */
  const isRefused = ({ name }: Field, value: Readonly<Record<string, unknown>>): boolean =>
    !(paged && name === "cursor") && hasNul(value[name])

  const check = (
    params: Readonly<Record<string, unknown>>,
    bad: ReadonlySet<string>,
    now: number,
  ): ReadonlyArray<Hint> => endpoint.check?.(params as never, bad, now) ?? []

  /** The mask of the paths; a hint about the first that does not exist. */
  const selected = (wanted: Options.Options["fields"], hints: Array<Hint>, suggest: boolean): Select.Mask => {
    const mask = wanted === undefined ? selection.slim : selection.fields(wanted)
    if (typeof mask !== "object" || !("unknown" in mask)) return mask
    const other = suggest ? nearest(selection.paths, mask.unknown) : undefined
    const ending = other === undefined ? "" : ` Did you mean ${other}?`
    hints.push({ field: "fields", action: "change", suggestion: `Unknown field ${mask.unknown}.${ending}` })
    return selection.slim
  }

  const checks: Checks = { fields, isRefused, check, selected }
  const decode: Decode = (raw, now, suggest = true) => {
    const hints: Array<Hint> = []
    const value = read(raw, hints, suggest)
    const refused = () =>
      Either.left(explain(checks, value, raw._tag === "Json" ? "json" : "text", hints, now, suggest))
    if (hints.length > 0 || fields.some((field) => isOverlong(field, value) || isRefused(field, value)))
      return refused()
    let params = decodeParams(value)
    const selectedOptions = decodeOptions(value)
    if (params === undefined || selectedOptions === undefined) return refused()
    hints.push(...check(params, none, now))
    const mask = selected(selectedOptions.fields, hints, suggest)
    if (paged && params["cursor"] !== undefined) {
      const key = Cursor.decode(endpoint.id, params, String(params["cursor"]))
      if (key === undefined) hints.push(Cursor.hint)
      params = { ...params, cursor: key }
    }
    if (hints.length > 0) return Either.left(fail("invalid_parameter", { hints }))
    const shown = selectedOptions.verbose === true ? "all" : mask
    return Either.right({ params, mask: shown, slim: selection.slim, options: selectedOptions })
  }

  return withCache(decode, (params, now) => check(params, none, now).length === 0)
}

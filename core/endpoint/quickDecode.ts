import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"

/*
 * A decoder for valid values, compiled from a schema: a list of 21 numbers takes a tenth of the parser's time, which
 * keeps an account of every step for its error messages. Any other value gives `invalid`; the parser then explains it.
 */

/** The value is not valid, or only the parser can tell. */
export const invalid: unique symbol = Symbol.for("market-signals/quickDecode/invalid")

/** @returns the decoded value, or `invalid` */
export type Quick = (value: unknown) => unknown

const options: AST.ParseOptions = { errors: "first", onExcessProperty: "ignore" }

const never: Quick = () => invalid

const test =
  (is: (value: unknown) => boolean): Quick =>
  (value) =>
    is(value) ? value : invalid

const ofRefinement = (ast: AST.Refinement, strict: boolean): Quick => {
  const from = compile(ast.from, strict)
  return (value) => {
    const decoded = from(value)
    return decoded !== invalid && Option.isNone(ast.filter(decoded, options, ast)) ? decoded : invalid
  }
}

const ofUnion = ({ types }: AST.Union, strict: boolean): Quick => {
  const literals = types.filter(AST.isLiteral)
  if (literals.length === types.length) {
    const all = new Set<unknown>(literals.map(({ literal }) => literal))
    return test((value) => all.has(value))
  }
  const members = types.map((type) => compile(type, strict))
  return (value) => {
    for (const member of members) {
      const decoded = member(value)
      if (decoded !== invalid) return decoded
    }
    return invalid
  }
}

const ofArray = (item: Quick): Quick => {
  return (value) => {
    if (!Array.isArray(value)) return invalid
    const out: Array<unknown> = []
    for (const each of value) {
      const decoded = item(each)
      if (decoded === invalid) return invalid
      out.push(decoded)
    }
    return out
  }
}

interface Property {
  readonly name: string
  readonly decode: Quick
  /** The value of an absent property; absent: it is required. */
  readonly missing?: () => Option.Option<unknown>
}

const absent = () => Option.none()

const ofProperties = (properties: ReadonlyArray<Property>, strict: boolean): Quick => {
  const names = new Set(properties.map(({ name }) => name))
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return invalid
    const given = value as Readonly<Record<string, unknown>>
    if (strict && !Object.keys(given).every((name) => names.has(name))) return invalid
    const out: Record<string, unknown> = {}
    for (const { name, decode, missing } of properties) {
      if (Object.hasOwn(given, name)) {
        const decoded = decode(given[name])
        if (decoded === invalid) return invalid
        out[name] = decoded
      } else if (missing === undefined) return invalid
      else {
        const value = missing()
        if (Option.isSome(value)) out[name] = value.value
      }
    }
    return out
  }
}

const propertiesOf = ({ propertySignatures }: AST.TypeLiteral, strict: boolean): ReadonlyArray<Property> =>
  propertySignatures.map(({ name, type, isOptional }) => ({
    name: String(name),
    decode: compile(type, strict),
    ...(isOptional ? { missing: absent } : {}),
  }))

/** The properties in the order of the type side, in which the parser writes them: the order is part of a call's hash. */
const withDefaults = (
  from: AST.TypeLiteral,
  to: AST.TypeLiteral,
  changes: ReadonlyArray<AST.PropertySignatureTransformation>,
  strict: boolean,
): Quick | undefined => {
  const all = new Map(propertiesOf(from, strict).map((property) => [property.name, property]))
  for (const change of changes) {
    const property = all.get(String(change.from))
    // A present value must pass unchanged.
    const probe = {}
    const passed = change.decode(Option.some(probe))
    if (property === undefined || change.from !== change.to || !Option.isSome(passed) || passed.value !== probe) {
      return undefined
    }
    all.set(property.name, { ...property, missing: () => change.decode(Option.none()) })
  }
  return ofProperties(
    to.propertySignatures.flatMap(({ name }) => all.get(String(name)) ?? []),
    strict,
  )
}

const ofTransformation = (ast: AST.Transformation, strict: boolean): Quick => {
  const { from, to, transformation } = ast
  if (transformation._tag === "TypeLiteralTransformation") {
    if (!AST.isTypeLiteral(from) || !AST.isTypeLiteral(to)) return never
    // The decoded values are those of the type side: they need not be checked again.
    return withDefaults(from, to, transformation.propertySignatureTransformations, strict) ?? never
  }
  if (transformation._tag === "ComposeTransformation") return never
  const [before, after] = [compile(from, strict), compile(to, strict)]
  return (value) => {
    const decoded = before(value)
    if (decoded === invalid) return invalid
    const changed = transformation.decode(decoded, options, ast, value)
    return Either.isEither(changed) && Either.isRight(changed as Either.Either<unknown, ParseResult.ParseIssue>)
      ? after((changed as Either.Right<ParseResult.ParseIssue, unknown>).right)
      : invalid
  }
}

/** A map with open keys. */
const ofRecord = (each: Quick): Quick => {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return invalid
    const out: Record<string, unknown> = {}
    for (const [name, given] of Object.entries(value)) {
      const decoded = each(given)
      if (decoded === invalid || name === "__proto__") return invalid
      out[name] = decoded
    }
    return out
  }
}

const ofTypeLiteral = (ast: AST.TypeLiteral, strict: boolean): Quick => {
  const [index, ...more] = ast.indexSignatures
  if (index === undefined) {
    // The parser accepts any value but null for a struct without fields, and returns it.
    return ast.propertySignatures.length === 0
      ? test((value) => value !== null && value !== undefined)
      : ofProperties(propertiesOf(ast, strict), strict)
  }
  const isMap = ast.propertySignatures.length === 0 && more.length === 0 && AST.isStringKeyword(index.parameter)
  return isMap ? ofRecord(compile(index.type, strict)) : never
}

/** Whether unknown properties are errors here and below; undefined for options that only the parser knows. */
const strictness = (ast: AST.AST, inherited: boolean): boolean | undefined => {
  const own = Option.getOrUndefined(AST.getParseOptionsAnnotation(ast))
  if (own === undefined) return inherited
  const { onExcessProperty = "ignore", ...others } = own
  return Object.keys(others).length > 0 || onExcessProperty === "preserve" ? undefined : onExcessProperty === "error"
}

/**
 * Compiles the decoder of a schema; parts that it does not know are left to the parser.
 *
 * @param inherited whether unknown properties are errors
 */
export const compile = (ast: AST.AST, inherited = false): Quick => {
  const strict = strictness(ast, inherited)
  if (strict === undefined) return never
  switch (ast._tag) {
    case "UnknownKeyword":
      return (value) => value
    case "NumberKeyword":
      return test((value) => typeof value === "number")
    case "StringKeyword":
      return test((value) => typeof value === "string")
    case "BooleanKeyword":
      return test((value) => typeof value === "boolean")
    case "Literal":
      return test((value) => value === ast.literal)
    case "Refinement":
      return ofRefinement(ast, strict)
    case "Union":
      return ofUnion(ast, strict)
    case "TupleType": {
      const [item, ...more] = ast.rest
      return ast.elements.length > 0 || item === undefined || more.length > 0
        ? never
        : ofArray(compile(item.type, strict))
    }
    case "TypeLiteral":
      return ofTypeLiteral(ast, strict)
    case "Transformation":
      return ofTransformation(ast, strict)
    default:
      return never
  }
}

import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import type { Code } from "../Failure.ts"
import { perObject } from "../perObject.ts"
import { DecimalsId, ShownIfId, VerboseId } from "./Field.ts"
import { CodeAnnotation, NamesAnnotation, RuleAnnotation, TotalLengthAnnotation } from "./Param.ts"

/*
 * The only place that walks a schema: everything else that depends on a schema's form (decoding of text, rounding, field
 * selection, rules, CSV, forms, the command line, documents) folds its shape, which is compiled once.
 */

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Limits of a value, by their keywords in JSON Schema. */
export interface Bounds {
  readonly type?: "integer"
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxLength?: number
  readonly format?: string
  readonly enum?: ReadonlyArray<string>
}

/** A step that decodes a wire value of the right kind; they run in this order. */
export type Step =
  | { readonly _tag: "Filter"; readonly accepts: (value: unknown) => boolean }
  | {
      readonly _tag: "Conversion"
      readonly convert: (value: unknown) => Option.Option<unknown>
      /** The shape of the converted value. */
      readonly to: Shape
    }
  /** Absent fields get their defaults (`Field.standard`); `to` is the shape with them. */
  | { readonly _tag: "Defaults"; readonly to: Shape }

export interface Field {
  readonly name: string
  readonly shape: Shape
  readonly isOptional: boolean
  /** The decoded value of an optional field that is absent. */
  readonly standard: () => Option.Option<unknown>
}

type ByKind =
  | { readonly kind: "number" | "text" | "flag" | "unknown" }
  /** One or more literals. */
  | { readonly kind: "choice"; readonly values: ReadonlyArray<AST.LiteralValue> }
  | { readonly kind: "list"; readonly item: Shape }
  /** An object; `each`: the values of its open keys (`pmf.85`). */
  | { readonly kind: "record"; readonly fields: ReadonlyArray<Field>; readonly each?: Shape | undefined }
  | { readonly kind: "union"; readonly members: ReadonlyArray<Shape> }
  | { readonly kind: "other"; readonly name: string }

/** The wire side of a schema, with the annotations of its layers of filters and conversions merged. */
export type Shape = ByKind & {
  readonly bounds: Bounds
  /** Only the author's: those that effect/Schema adds, such as `a string`, are left out. */
  readonly description: string | undefined
  readonly identifier: string | undefined
  /** The rule in words, where the schema does not show it. */
  readonly rule: string | undefined
  /** Display names of a choice's values. */
  readonly names: Readonly<Record<string, string>> | undefined
  /** The error code if only this parameter is invalid. */
  readonly code: Code | undefined
  /** Maximum total length of a list's texts. */
  readonly together: number | undefined
  readonly decimals: number | undefined
  readonly isVerbose: boolean
  /** The values of a verbose field that are in the slim shape. */
  readonly shownIf: ((value: unknown) => boolean) | undefined
  /** Whether unknown fields are errors, here and below. */
  readonly isClosed: boolean | undefined
  readonly steps: ReadonlyArray<Step>
  /** Whether only the schema's parser can decode a value. */
  readonly needsParser: boolean
}

type Standards = ReadonlyMap<PropertyKey, Field["standard"]>

const parseOptions: AST.ParseOptions = { errors: "first", onExcessProperty: "ignore" }

type Layer = AST.Refinement | AST.Transformation

const layerStep = (layer: Layer, standards: Standards | undefined): Step | undefined => {
  if (AST.isRefinement(layer)) {
    return { _tag: "Filter", accepts: (value) => Option.isNone(layer.filter(value, parseOptions, layer)) }
  }
  const { transformation } = layer
  if (transformation._tag === "TypeLiteralTransformation" && standards !== undefined) {
    return { _tag: "Defaults", to: ofAst(layer.to) }
  }
  if (transformation._tag !== "FinalTransformation") return undefined
  const convert = (value: unknown) => {
    const changed = transformation.decode(value, parseOptions, layer, value)
    return Either.isEither(changed)
      ? Either.getRight(changed as Either.Either<unknown, ParseResult.ParseIssue>)
      : Option.none()
  }
  return { _tag: "Conversion", convert, to: ofAst(layer.to) }
}

/** Defaults of absent fields by name; undefined where a present value does not pass unchanged. */
const layerDefaults = (layer: Layer | undefined): Standards | undefined => {
  if (layer === undefined || AST.isRefinement(layer)) return undefined
  const { transformation } = layer
  if (transformation._tag !== "TypeLiteralTransformation") return undefined
  const changes = transformation.propertySignatureTransformations
  const probe = {}
  const isPassed = changes.every(
    ({ from, to, decode }) => from === to && Option.contains(decode(Option.some(probe)), probe),
  )
  return isPassed ? new Map(changes.map(({ from, decode }) => [from, () => decode(Option.none())])) : undefined
}

const readKind = (ast: AST.AST, standards: Standards | undefined): ByKind => {
  switch (ast._tag) {
    case "NumberKeyword":
      return { kind: "number" }
    case "StringKeyword":
      return { kind: "text" }
    case "BooleanKeyword":
      return { kind: "flag" }
    case "UnknownKeyword":
      return { kind: "unknown" }
    case "Literal":
      return { kind: "choice", values: [ast.literal] }
    case "Union": {
      const literals = ast.types.filter(AST.isLiteral)
      return literals.length === ast.types.length
        ? { kind: "choice", values: literals.map(({ literal }) => literal) }
        : { kind: "union", members: ast.types.map(ofAst) }
    }
    case "TupleType": {
      const [item, ...more] = ast.rest
      if (item === undefined || ast.elements.length + more.length > 0) break
      return { kind: "list", item: ofAst(item.type) }
    }
    case "TypeLiteral": {
      const fields = ast.propertySignatures.map(
        ({ name, type, isOptional }): Field => ({
          name: String(name),
          shape: ofAst(type),
          isOptional,
          standard: standards?.get(name) ?? Option.none,
        }),
      )
      const [index, ...more] = ast.indexSignatures
      if (more.length > 0) break
      return { kind: "record", fields, each: index && ofAst(index.type) }
    }
  }
  return { kind: "other", name: ast._tag }
}

/** Whether the parser is needed for the kind itself, whatever is below. */
const isSpecial = (ast: AST.AST): boolean =>
  AST.isTypeLiteral(ast) &&
  ast.indexSignatures.some(({ parameter }) => ast.propertySignatures.length > 0 || !AST.isStringKeyword(parameter))

const compile = (ast: AST.AST): Shape => {
  const layers: Array<Layer> = []
  let node = ast
  while (AST.isRefinement(node) || AST.isTransformation(node)) {
    layers.push(node)
    node = node.from
  }
  const noted = [...layers, node]
  /** The outermost annotation. */
  const note = <A>(id: symbol): A | undefined =>
    noted.find(({ annotations }) => annotations[id] !== undefined)?.annotations[id] as A | undefined
  const description = note<string>(AST.DescriptionAnnotationId)
  const { onExcessProperty, ...others } = note<AST.ParseOptions>(AST.ParseOptionsAnnotationId) ?? {}
  const standards = layerDefaults(layers.at(-1))
  const steps = layers.map((layer) => layerStep(layer, standards)).reverse()
  const kind = readKind(node, standards)
  return {
    ...kind,
    bounds: Object.assign({}, ...layers.map(({ annotations }) => annotations[AST.JSONSchemaAnnotationId])),
    description: description === undefined || /^an? [a-z]/.test(description) ? undefined : description,
    identifier: node.annotations[AST.IdentifierAnnotationId] as string | undefined,
    rule: note(RuleAnnotation),
    names: note(NamesAnnotation),
    code: note(CodeAnnotation),
    together: note(TotalLengthAnnotation),
    decimals: note(DecimalsId),
    isVerbose: note(VerboseId) === true,
    shownIf: note(ShownIfId),
    isClosed: onExcessProperty === undefined ? undefined : onExcessProperty === "error",
    steps: steps.filter((step) => step !== undefined),
    needsParser:
      kind.kind === "other" ||
      isSpecial(node) ||
      steps.includes(undefined) ||
      onExcessProperty === "preserve" ||
      Object.keys(others).length > 0,
  }
}

const ofAst = perObject(compile)

/** The shape of a schema, compiled once. */
export const of = ({ ast }: { readonly ast: AST.AST }): Shape => ofAst(ast)

const fieldsIn = (shape: Shape): ReadonlyArray<Field> => (shape.kind === "record" ? shape.fields : [])

/** The fields of an object's schema, in their order. */
export const fieldsOf = (schema: { readonly ast: AST.AST }): ReadonlyArray<Field> => fieldsIn(of(schema))

import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { ShownIfId, VerboseId } from "./Field.ts"

type Predicate = (value: unknown) => boolean

interface ShapeField {
  readonly shape: Shape
  readonly verbose: boolean
  /** The values of a verbose field that are in the slim shape. */
  readonly shownIf?: Predicate | undefined
}

/** The field tree of a results schema. Arrays are transparent: a path selects a field of every element. */
interface Shape {
  readonly fields: ReadonlyMap<string, ShapeField>
  /** Values of a map with open keys (`pmf.85`). */
  readonly each?: Shape
}

interface FieldMask {
  readonly fields: ReadonlyMap<string, Mask>
  readonly each?: Mask
  /** Fields that are selected by their value. */
  readonly shownIf?: ReadonlyMap<string, Predicate>
}

/** The selected fields: everything below, or only those listed. */
export type Mask = "all" | FieldMask

const leaf: Shape = { fields: new Map() }

const shapeOf = (ast: AST.AST): Shape => {
  switch (ast._tag) {
    case "Refinement":
      return shapeOf(ast.from)
    case "TupleType":
      return ast.rest[0] === undefined ? leaf : shapeOf(ast.rest[0].type)
    case "Union":
      return ast.types.map(shapeOf).reduce(merge, leaf)
    case "TypeLiteral": {
      const fields = new Map(
        ast.propertySignatures.map((property) => [
          String(property.name),
          {
            shape: shapeOf(property.type),
            verbose: property.type.annotations[VerboseId] === true,
            shownIf: property.type.annotations[ShownIfId] as Predicate | undefined,
          },
        ]),
      )
      const index = ast.indexSignatures[0]
      return index === undefined ? { fields } : { fields, each: shapeOf(index.type) }
    }
    default:
      return leaf
  }
}

const merge = (a: Shape, b: Shape): Shape => {
  const each = a.each ?? b.each
  const fields = new Map(a.fields)
  for (const [name, field] of b.fields) {
    const other = fields.get(name)
    fields.set(
      name,
      other === undefined ? field : { shape: merge(other.shape, field.shape), verbose: other.verbose && field.verbose },
    )
  }
  return each === undefined ? { fields } : { fields, each }
}

/** All but the verbose fields; "all" if there are none below, so that such values are not copied. */
const slim = (shape: Shape): Mask => {
  let partial = false
  const fields = new Map<string, Mask>()
  const shownIf = new Map<string, Predicate>()
  for (const [name, field] of shape.fields) {
    if (field.verbose) {
      partial = true
      if (field.shownIf === undefined) continue
      shownIf.set(name, field.shownIf)
    }
    const mask = slim(field.shape)
    if (mask !== "all") partial = true
    fields.set(name, mask)
  }
  const each = shape.each === undefined ? undefined : slim(shape.each)
  if (each !== undefined && each !== "all") return { fields, each, shownIf }
  return partial ? { fields, shownIf } : "all"
}

const at = (shape: Shape, path: ReadonlyArray<string>): Shape | undefined => {
  let here: Shape | undefined = shape
  for (const name of path) here = here?.fields.get(name)?.shape ?? here?.each
  return here
}

const union = (a: Mask | undefined, b: Mask): Mask => {
  if (a === undefined || b === "all") return b
  if (a === "all") return a
  const fields = new Map(a.fields)
  for (const [name, mask] of b.fields) fields.set(name, union(fields.get(name), mask))
  const each = b.each === undefined ? a.each : union(a.each, b.each)
  // By its value only, unless either selects it whatever it is.
  const shownIf = new Map(
    [...(a.shownIf ?? []), ...(b.shownIf ?? [])].filter(([name]) =>
      [a, b].every((mask) => !mask.fields.has(name) || mask.shownIf?.has(name) === true),
    ),
  )
  return each === undefined ? { fields, shownIf } : { fields, each, shownIf }
}

const along = (path: ReadonlyArray<string>, what: Mask): Mask =>
  path.reduceRight<Mask>((mask, name) => ({ fields: new Map([[name, mask]]) }), what)

const pathsOf = (shape: Shape, prefix: string): ReadonlyArray<string> =>
  [...shape.fields].flatMap(([name, field]) => [prefix + name, ...pathsOf(field.shape, `${prefix}${name}.`)])

export interface Selection {
  /** The default shape, without verbose fields. */
  readonly slim: Mask
  /** Every path, for documents and suggestions. */
  readonly paths: ReadonlyArray<string>
  /** The mask of an allow-list, or the first path that does not exist. */
  readonly fields: (paths: ReadonlyArray<string>) => Mask | { readonly unknown: string }
}

/** Compiles the field selection of a results schema once. Works on the encoded side: answers are wire values. */
export const compile = (results: Schema.Schema.AnyNoContext): Selection => {
  const shape = shapeOf(AST.encodedBoundAST(results.ast))
  const paths = pathsOf(shape, "")
  return {
    slim: slim(shape),
    paths,
    fields: (wanted) => {
      if (wanted.includes("*")) return "all"
      let mask: Mask = { fields: new Map() }
      for (const path of new Set(wanted)) {
        const names = path.split(".")
        const below = at(shape, names)
        if (below === undefined) return { unknown: path }
        // The union, for a path given twice or a parent and its child. A named object keeps its slim shape; a named
        // verbose field is selected.
        mask = union(mask, along(names, slim(below)))
      }
      return mask
    },
  }
}

/** Copies the selected fields. Values are JSON; only own keys are read. */
export const apply = (mask: Mask, value: unknown): unknown => {
  if (mask === "all" || value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map((item) => apply(mask, item))
  const source = value as Readonly<Record<string, unknown>>
  const out: Record<string, unknown> = {}
  if (mask.each !== undefined) for (const name of Object.keys(source)) out[name] = apply(mask.each, source[name])
  for (const [name, below] of mask.fields) {
    if (!Object.hasOwn(source, name) || source[name] === undefined) continue
    if (mask.shownIf?.get(name)?.(source[name]) === false) continue
    out[name] = apply(below, source[name])
  }
  return out
}

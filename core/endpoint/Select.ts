import type * as Schema from "effect/Schema"
import * as Shape from "./Shape.ts"

type Predicate = (value: unknown) => boolean

interface Branch {
  readonly tree: Tree
  readonly isVerbose: boolean
  readonly shownIf?: Predicate | undefined
}

/** The fields of results. Lists are transparent: a path selects a field of every element; a union has those of any member. */
interface Tree {
  readonly fields: ReadonlyMap<string, Branch>
  readonly each?: Tree | undefined
}

interface FieldMask {
  readonly fields: ReadonlyMap<string, Mask>
  readonly each?: Mask
  /** Fields that are selected by their value. */
  readonly shownIf?: ReadonlyMap<string, Predicate>
}

/** The selected fields: everything below, or only those listed. */
export type Mask = "all" | FieldMask

const leaf: Tree = { fields: new Map() }

const buildTree = (shape: Shape.Shape): Tree => {
  switch (shape.kind) {
    case "list":
      return buildTree(shape.item)
    case "union":
      return shape.members.map(buildTree).reduce(merge, leaf)
    case "record": {
      const fields = shape.fields.map(({ name, shape }): readonly [string, Branch] => {
        const { isVerbose, shownIf } = shape
        return [name, { tree: buildTree(shape), isVerbose, shownIf }]
      })
      return { fields: new Map(fields), each: shape.each && buildTree(shape.each) }
    }
    default:
      return leaf
  }
}

const merge = (a: Tree, b: Tree): Tree => {
  const fields = new Map(a.fields)
  for (const [name, branch] of b.fields) {
    const other = fields.get(name)
    const both = other && { tree: merge(other.tree, branch.tree), isVerbose: other.isVerbose && branch.isVerbose }
    fields.set(name, both ?? branch)
  }
  return { fields, each: a.each ?? b.each }
}

/** All but the verbose fields; "all" if there are none below, so that such values are not copied. */
const slim = (tree: Tree): Mask => {
  let partial = false
  const fields = new Map<string, Mask>()
  const shownIf = new Map<string, Predicate>()
  for (const [name, field] of tree.fields) {
    if (field.isVerbose) {
      partial = true
      if (field.shownIf === undefined) continue
      shownIf.set(name, field.shownIf)
    }
    const mask = slim(field.tree)
    if (mask !== "all") partial = true
    fields.set(name, mask)
  }
  const each = tree.each && slim(tree.each)
  if (each !== undefined && each !== "all") return { fields, each, shownIf }
  return partial ? { fields, shownIf } : "all"
}

const subtree = (tree: Tree, path: ReadonlyArray<string>): Tree | undefined => {
  let here: Tree | undefined = tree
  for (const name of path) here = here?.fields.get(name)?.tree ?? here?.each
  return here
}

const union = (a: Mask | undefined, b: Mask): Mask => {
  if (a === undefined || b === "all") return b
  if (a === "all") return a
  const fields = new Map(a.fields)
  for (const [name, mask] of b.fields) fields.set(name, union(fields.get(name), mask))
  const each = b.each === undefined ? a.each : union(a.each, b.each)
  // Selected by its value, unless one of the masks selects it whatever its value.
  const shownIf = new Map(
    [...(a.shownIf ?? []), ...(b.shownIf ?? [])].filter(([name]) =>
      [a, b].every((mask) => !mask.fields.has(name) || mask.shownIf?.has(name) === true),
    ),
  )
  return each === undefined ? { fields, shownIf } : { fields, each, shownIf }
}

const maskAt = (path: ReadonlyArray<string>, what: Mask): Mask =>
  path.reduceRight<Mask>((mask, name) => ({ fields: new Map([[name, mask]]) }), what)

const listPaths = (tree: Tree, prefix: string): ReadonlyArray<string> =>
  [...tree.fields].flatMap(([name, field]) => [prefix + name, ...listPaths(field.tree, `${prefix}${name}.`)])

interface Selection {
  /** The default shape, without verbose fields. */
  readonly slim: Mask
  /** Every path, for documents and suggestions. */
  readonly paths: ReadonlyArray<string>
  /** The mask of an allow-list, or the first path that does not exist. */
  readonly fields: (paths: ReadonlyArray<string>) => Mask | { readonly unknown: string }
}

/** Compiles the field selection of a results schema once. Works on the encoded side: answers are wire values. */
export const compile = (results: Schema.Schema.AnyNoContext): Selection => {
  const tree = buildTree(Shape.of(results))
  const paths = listPaths(tree, "")
  return {
    slim: slim(tree),
    paths,
    fields: (wanted) => {
      if (wanted.includes("*")) return "all"
      let mask: Mask = { fields: new Map() }
      for (const path of new Set(wanted)) {
        const names = path.split(".")
        const below = subtree(tree, names)
        if (below === undefined) return { unknown: path }
        // The union, for a path given twice or a parent and its child. A named object keeps its slim shape; a named
        // verbose field is selected.
        mask = union(mask, maskAt(names, slim(below)))
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

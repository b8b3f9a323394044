import * as AST from "effect/SchemaAST"

/** The named types that were written so far: TypeScript text by name. */
export type Named = Map<string, string>

/** The innermost annotation: filters and transformations stand around the schema that has it. */
const annotation = <A>(ast: AST.AST, id: symbol): A | undefined => {
  const own = ast.annotations[id] as A | undefined
  if (own !== undefined) return own
  return AST.isRefinement(ast) || AST.isTransformation(ast) ? annotation(ast.from, id) : undefined
}

/** A description that the schema's author wrote; effect/Schema has some of its own, such as `a string`. */
const descriptionOf = (ast: AST.AST): string | undefined => {
  const text = annotation<string>(ast, AST.DescriptionAnnotationId)
  return text === undefined || /^an? [a-z]/.test(text) ? undefined : text
}

/** A comment of one line; nothing without texts. */
export const comment = (...texts: ReadonlyArray<string | undefined>): string => {
  const text = texts.filter((each) => each !== undefined && each !== "").join(" ")
  return text === "" ? "" : `/** ${text.replaceAll("*/", "*\\/")} */\n`
}

const defaultOf = (ast: AST.AST): string | undefined => {
  const value = annotation<unknown>(ast, AST.DefaultAnnotationId)
  return value === undefined ? undefined : `Default: \`${JSON.stringify(value)}\`.`
}

const propertyName = (name: PropertyKey): string =>
  /^[A-Za-z_$][\w$]*$/.test(String(name)) ? String(name) : JSON.stringify(String(name))

/** The texts of a vocabulary that is accepted in any case: typed callers send them as listed (`Param.code`). */
const vocabulary = ({ from, to }: AST.Transformation): ReadonlyArray<string> | undefined => {
  const listed = annotation<{ readonly enum?: ReadonlyArray<string> }>(from, AST.JSONSchemaAnnotationId)?.enum
  const known = AST.isUnion(to) ? to.types.filter(AST.isLiteral) : AST.isLiteral(to) ? [to] : []
  return listed !== undefined && known.length === listed.length ? listed : undefined
}

/**
 * The wire side of a schema as a TypeScript type; schemas with an identifier become named types.
 *
 * @throws when two different schemas have one name, or a schema is of a kind that no endpoint had before
 */
export const typeOf = (ast: AST.AST, named: Named): string => {
  const name = ast.annotations[AST.IdentifierAnnotationId] as string | undefined
  if (name === undefined || !(AST.isTypeLiteral(ast) || AST.isUnion(ast))) return anonymous(ast, named)
  const text = anonymous(ast, named)
  const before = named.get(name)
  if (before !== undefined && before !== text) throw new Error(`Two schemas are called ${name}.`)
  if (before === undefined) named.set(name, text)
  return name
}

/** The same, in place. */
export const anonymous = (ast: AST.AST, named: Named): string => {
  switch (ast._tag) {
    case "StringKeyword":
      return "string"
    case "NumberKeyword":
      return "number"
    case "BooleanKeyword":
      return "boolean"
    case "UnknownKeyword":
      return "unknown"
    case "Literal":
      return ast.literal === null ? "null" : JSON.stringify(ast.literal)
    case "Union":
      return ast.types.map((each) => typeOf(each, named)).join(" | ")
    case "TupleType": {
      const elements = ast.elements.map(({ type, isOptional }) => `${typeOf(type, named)}${isOptional ? "?" : ""}`)
      const [rest] = ast.rest
      if (rest === undefined) return `readonly [${elements.join(", ")}]`
      const item = typeOf(rest.type, named)
      return elements.length === 0 ? `ReadonlyArray<${item}>` : `readonly [${elements.join(", ")}, ...Array<${item}>]`
    }
    case "TypeLiteral": {
      const signatures = ast.indexSignatures.map(
        ({ parameter, type }) => `readonly [key: ${typeOf(parameter, named)}]: ${typeOf(type, named)}`,
      )
      const properties = ast.propertySignatures.map(
        ({ name, isOptional, type }) =>
          `${comment(descriptionOf(type), defaultOf(type))}readonly ${propertyName(name)}${isOptional ? "?" : ""}: ${typeOf(type, named)}`,
      )
      const all = [...signatures, ...properties]
      return all.length === 0 ? "Record<never, never>" : `{\n${all.join("\n")}\n}`
    }
    case "Refinement":
      return typeOf(ast.from, named)
    case "Transformation": {
      const words = vocabulary(ast)
      return words === undefined ? typeOf(ast.from, named) : words.map((word) => JSON.stringify(word)).join(" | ")
    }
    default:
      throw new Error(`A schema of the kind ${ast._tag} has no TypeScript text yet.`)
  }
}

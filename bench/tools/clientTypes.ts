import * as Option from "effect/Option"
import { display } from "../../core/account/Money.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type * as Shape from "../../core/endpoint/Shape.ts"

/** The named types that were written so far: TypeScript text by name. */
export type Named = Map<string, string>

/** A comment of one line; nothing without texts. */
export const comment = (...texts: ReadonlyArray<string | undefined>): string => {
  const text = texts.filter((each) => each !== undefined && each !== "").join(" ")
  return text === "" ? "" : `/** ${text.replaceAll("*/", "*\\/")} */\n`
}

/** An id as the name of a type: `weather_signal` is WeatherSignal. */
export const pascal = (id: string): string => id.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())

/** The price of an endpoint; the text in front of it is the client's own. */
export const priceText = ({ priceMicros, status }: Endpoint.Any, listed = ""): string =>
  status === "development"
    ? "In development: not charged."
    : priceMicros === 0
      ? "Free."
      : `${listed}${display(priceMicros)}.`

const defaultOf = ({ standard }: Shape.Field): string | undefined =>
  Option.getOrUndefined(Option.map(standard(), (value) => `Default: \`${JSON.stringify(value)}\`.`))

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

/** The texts of a vocabulary that is accepted in any case: typed callers send them as listed (`Param.oneOfAnyCase`). */
const vocabulary = ({ bounds, steps }: Shape.Shape): ReadonlyArray<string> | undefined =>
  steps.some(
    (step) => step._tag === "Conversion" && step.to.kind === "choice" && step.to.values.length === bounds.enum?.length,
  )
    ? bounds.enum
    : undefined

/**
 * The wire side of a schema as a TypeScript type; objects and unions with an identifier become named types.
 *
 * @throws when two different schemas have one name, or a schema is of a kind that no endpoint had before
 */
export const typeOf = (shape: Shape.Shape, named: Named): string => {
  const name = shape.identifier
  if (name === undefined || !["record", "union", "choice"].includes(shape.kind)) return anonymous(shape, named)
  const text = anonymous(shape, named)
  const before = named.get(name)
  if (before !== undefined && before !== text) throw new Error(`Two schemas are called ${name}.`)
  if (before === undefined) named.set(name, text)
  return name
}

/** The same, in place. */
export const anonymous = (shape: Shape.Shape, named: Named): string => {
  switch (shape.kind) {
    case "text":
      return (
        vocabulary(shape)
          ?.map((word) => JSON.stringify(word))
          .join(" | ") ?? "string"
      )
    case "number":
    case "unknown":
      return shape.kind
    case "flag":
      return "boolean"
    case "choice":
      return shape.values.map((value) => JSON.stringify(value)).join(" | ")
    case "union":
      return shape.members.map((member) => typeOf(member, named)).join(" | ")
    case "list":
      return `ReadonlyArray<${typeOf(shape.item, named)}>`
    case "record": {
      const open = shape.each === undefined ? [] : [`readonly [key: string]: ${typeOf(shape.each, named)}`]
      const properties = shape.fields.map(
        (field) =>
          `${comment(field.shape.description, defaultOf(field))}readonly ${propertyName(field.name)}${field.isOptional ? "?" : ""}: ${typeOf(field.shape, named)}`,
      )
      const all = [...open, ...properties]
      return all.length === 0 ? "Record<never, never>" : `{\n${all.join("\n")}\n}`
    }
    default:
      throw new Error(`A schema of the kind ${shape.name} has no TypeScript text yet.`)
  }
}

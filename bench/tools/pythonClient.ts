// Written with the other client by `npm run client`: the types and methods of the Python client, from the same schemas.
import * as Option from "effect/Option"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Options from "../../core/endpoint/Options.ts"
import * as Shape from "../../core/endpoint/Shape.ts"
import * as Release from "../../core/release.ts"
import { pascal, priceText } from "./clientTypes.ts"

export const file = new URL("../../adapters/client/python/market_signals/generated.py", import.meta.url)

/** Classes by name, in the order in which they were met. */
type Classes = Map<string, string>

const text = (value: unknown): string => JSON.stringify(value)

/** A docstring or comment may not end the string that it is in. */
const plain = (words: string): string => words.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replaceAll("\n", " ")

const literal = (value: unknown): string =>
  value === null ? "None" : typeof value === "boolean" ? (value ? "True" : "False") : text(value)

const literals = (values: ReadonlyArray<unknown>): string => `Literal[${values.map(literal).join(", ")}]`

/** The texts of a vocabulary with its other spellings, such as old codes of a team, which the TypeScript client leaves out. */
const vocabulary = ({ bounds, steps }: Shape.Shape): ReadonlyArray<string> | undefined =>
  steps.some((step) => step._tag === "Conversion" && step.to.kind === "choice") ? bounds.enum : undefined

const fieldsOf = (shape: Shape.Shape): ReadonlyArray<Shape.Field> => (shape.kind === "record" ? shape.fields : [])

/** The wire side of a schema as a type of Python. @param hint the name of a record without one */
const typeOf = (shape: Shape.Shape, classes: Classes, hint: string): string => {
  switch (shape.kind) {
    case "text": {
      const words = vocabulary(shape)
      return words === undefined ? "str" : literals(words)
    }
    case "number":
      return "float"
    case "flag":
      return "bool"
    case "unknown":
      return "Any"
    case "choice":
      return literals(shape.values)
    case "union":
      return [...new Set(shape.members.map((member, n) => typeOf(member, classes, `${hint}${n}`)))].join(" | ")
    case "list":
      return `list[${typeOf(shape.item, classes, hint)}]`
    case "record": {
      if (shape.fields.length === 0) {
        return shape.each === undefined ? "dict[str, Any]" : `dict[str, ${typeOf(shape.each, classes, hint)}]`
      }
      const name = shape.identifier ?? hint
      if (!classes.has(name)) {
        classes.set(name, "")
        classes.set(name, classOf(name, shape.fields, classes))
      }
      return name
    }
    default:
      throw new Error(`A schema of the kind ${shape.name} has no type of Python yet.`)
  }
}

/** Names that a class body cannot have. */
const isWord = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(from|in|is|class|def|for|if|not|or|and)$/.test(name)

/** A class, or its functional form, which takes all names. */
const classOf = (name: string, fields: ReadonlyArray<Shape.Field>, classes: Classes): string => {
  const isBody = fields.every((field) => isWord(field.name))
  const rows = fields.map(({ name: key, shape, isOptional }) => {
    const type = typeOf(shape, classes, `${name}${pascal(key.replace(/\W/g, ""))}`)
    const about = shape.description === undefined ? "" : `    #: ${plain(shape.description)}\n`
    const value = isOptional ? `NotRequired[${type}]` : type
    return `${about}    ${isBody ? `${key}: ${value}` : `${text(key)}: ${text(value)},`}\n`
  })
  return isBody
    ? `class ${name}(TypedDict):\n${rows.join("")}`
    : `${name} = TypedDict(${text(name)}, {\n${rows.join("")}})\n`
}

interface Method {
  readonly sync: string
  readonly coroutine: string
  readonly row: string
}

const methodOf = (endpoint: Endpoint.Any, classes: Classes): Method => {
  const { id, auth, priceMicros, status, rows } = endpoint
  const isKeyed = auth === "key"
  const fields = fieldsOf(Shape.of(Options.input(endpoint))).filter(({ name }) => name !== "dry_run")
  const params = fields
    .map(({ name, shape, isOptional }) => {
      return { name, variable: isWord(name) ? name : `${name}_`, isOptional, type: typeOf(shape, classes, pascal(id)) }
    })
    .toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional))
  const signature = [
    "self",
    ...(params.length === 0 && !isKeyed ? [] : ["*"]),
    ...params.map(({ variable, type, isOptional }) => `${variable}: ${type}${isOptional ? " | None = None" : ""}`),
    ...(isKeyed ? ["idempotency_key: str | None = None"] : []),
  ].join(", ")
  const defaultOf = ({ standard }: Shape.Field) =>
    Option.match(standard(), { onNone: () => "", onSome: (value) => ` Default ${text(value)}.` })
  const about = [
    `${endpoint.summary}. ${endpoint.use?.replace(/\.?$/, ".") ?? ""} ${priceText(endpoint)}`,
    "",
    ...fields.map((field) => `:param ${field.name}: ${field.shape.description ?? ""}${defaultOf(field)}`),
  ].map((line) => `        ${plain(line)}`.trimEnd())
  const doc = `        """${about.join("\n").trimStart()}\n        """\n`
  const results = typeOf(Shape.of(endpoint.results), classes, pascal(id))
  const given = `{${params.map(({ name, variable }) => `${text(name)}: ${variable}`).join(", ")}}`
  const again = [
    ...params.map(({ variable }) => `${variable}=${variable}`),
    ...(isKeyed ? ["idempotency_key=idempotency_key"] : []),
  ]
  const isPaid = isKeyed && priceMicros > 0 && status !== "development"
  return {
    sync: `    def ${id}(${signature}) -> Answer[${results}]:\n${doc}        return self._call(endpoints[${text(id)}], ${given}, ${isKeyed ? "idempotency_key" : "None"})\n`,
    coroutine: `    async def ${id}(${signature}) -> Answer[${results}]:\n${doc}        return await asyncio.to_thread(lambda: self._client.${id}(${again.join(", ")}))\n`,
    row: `    ${text(id)}: Endpoint(${[Endpoint.methodOf(endpoint), endpoint.path].map(text).join(", ")}, ${literal(isKeyed)}, ${literal(isPaid)}, ${rows === undefined ? "None" : text(rows)}),\n`,
  }
}

/** The text of the file. @param methods the endpoints that answer JSON */
export const written = (methods: ReadonlyArray<Endpoint.Any>): string => {
  const classes: Classes = new Map()
  const made = methods.map((endpoint) => methodOf(endpoint, classes))
  return [
    `"""Written by \`npm run client\` from the endpoints' schemas. Do not edit."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired, TypedDict

if TYPE_CHECKING:
    from .client import Answer, Client

VERSION = ${text(Release.version)}


class Endpoint(NamedTuple):
    method: str
    path: str
    is_keyed: bool
    is_paid: bool
    #: The field of the results with the rows of a list.
    rows: str | None


`,
    `endpoints: dict[str, Endpoint] = {\n${made.map(({ row }) => row).join("")}}\n`,
    ...[...classes.values()].map((text) => `\n\n${text}`),
    `\n\nclass Methods:\n    def _call(self, endpoint: Endpoint, params: dict[str, Any], idempotency_key: str | None) -> Any:\n        raise NotImplementedError\n\n`,
    made.map(({ sync }) => sync).join("\n"),
    `\n\nclass AsyncMethods:\n    def __init__(self, client: Client):\n        self._client = client\n\n`,
    made.map(({ coroutine }) => coroutine).join("\n"),
  ].join("")
}

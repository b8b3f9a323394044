import { display } from "../../../core/account/Money.ts"
import * as Wire from "../wire.ts"

type Json = Readonly<Record<string, unknown>>

const object = (value: unknown): Json => (value ?? {}) as Json
const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const text = (value: unknown): string => (value === undefined ? "" : Wire.html(String(value)))
const paragraphs = (value: unknown): string =>
  String(value ?? "")
    .split("\n\n")
    .map((each) => `<p>${Wire.html(each)}</p>`)
    .join("")

/** Kind and name of the referenced component. */
const target = ({ $ref }: Json): readonly [kind: string, name: string] | undefined => {
  const [kind, name] = String($ref ?? "")
    .split("/")
    .slice(-2)
  return $ref === undefined || kind === undefined || name === undefined ? undefined : [kind, name]
}

/** A schema's type and values in one line; a named schema as a link. */
const typeOf = (schema: Json): string => {
  const named = target(schema)
  if (named !== undefined) return `<a href="#schema-${named[1]}">${named[1]}</a>`
  const union = list(schema["anyOf"])
  if (union.length > 0) return union.map((each) => typeOf(object(each))).join(" or ")
  const values = list(schema["enum"])
  if (values.length > 0) return values.map((value) => `<code>${text(value)}</code>`).join(" ")
  const { type, format, items, minimum, maximum, default: standard } = schema
  if (type === "array") return `array of ${typeOf(object(items))}`
  const range = minimum === undefined && maximum === undefined ? "" : ` ${text(minimum)}–${text(maximum)}`
  const usual = standard === undefined ? "" : `, default <code>${text(JSON.stringify(standard))}</code>`
  return `${text(format ?? type ?? "any")}${range}${usual}`
}

/** The fields of a schema, nested ones after their parent. */
const fields = (schema: Json, prefix = ""): string => {
  const required = list(schema["required"])
  return Object.entries(object(schema["properties"]))
    .map(([name, value]) => {
      const field = object(value)
      const path = `${prefix}${name}`
      const nested = field["type"] === "array" ? object(field["items"]) : field
      const step = field["type"] === "array" ? "[]." : "."
      return `<tr><td><code>${text(path)}</code>${required.includes(name) ? "" : " <small>optional</small>"}</td><td>${typeOf(field)}</td><td>${text(field["description"])}</td></tr>
${fields(nested, path + step)}`
    })
    .join("")
}

const table = (head: ReadonlyArray<string>, rows: string): string =>
  rows === ""
    ? ""
    : `<div class="scroll"><table><thead><tr>${head.map((each) => `<th>${each}</th>`).join("")}</tr></thead><tbody>${rows}</tbody></table></div>`

const parameter = (components: Json, given: unknown): string => {
  const named = target(object(given))
  const {
    name,
    in: place,
    required,
    description,
    schema,
  } = object(named === undefined ? given : object(components[named[0]])[named[1]])
  const where = place === "query" ? "" : ` <small>${text(place)}</small>`
  return `<tr><td><code>${text(name)}</code>${where}${required === true ? " <strong>required</strong>" : ""}</td><td>${typeOf(object(schema))}</td><td>${text(description)}</td></tr>`
}

const answers = (responses: Json): string =>
  Object.entries(responses)
    .flatMap(([status, response]) => {
      const content = Object.entries(object(object(response)["content"]))
      return content.map(
        ([type, media]) => `<p>${status} <code>${text(type)}</code>: ${typeOf(object(object(media)["schema"]))}</p>`,
      )
    })
    .join("")

const operation = (path: string, method: string, value: Json, components: Json): string => {
  const price = value["x-charged-micros"]
  const cost = typeof price === "number" ? ` <span class="price">${display(price)}</span>` : ""
  const marks = [
    ...(value["x-status"] === "development" ? ["in development"] : []),
    ...(value["deprecated"] === true ? ["deprecated"] : []),
    ...(list(value["security"]).length === 0 ? ["no key"] : []),
  ].map((mark) => ` <small>${mark}</small>`)
  const body = object(object(object(object(value["requestBody"])["content"])["application/json"])["schema"])
  const codes = list(value["x-error-codes"]).map((code) => `<a href="/errors/${code}"><code>${code}</code></a>`)
  const sample = object(list(value["x-codeSamples"])[0])["source"]
  return `<section id="${value["operationId"]}"><h3><code>${method.toUpperCase()} ${path}</code>${cost}${marks.join("")}</h3>
<p>${text(value["summary"])}.</p>${paragraphs(value["description"])}
${table(
  ["Parameter", "Value", ""],
  list(value["parameters"])
    .map((each) => parameter(components, each))
    .join(""),
)}
${Object.keys(body).length === 0 ? "" : `<p>Body: ${typeOf(body)}</p>`}
${sample === undefined ? "" : `<pre><code>${Wire.escape(String(sample))}</code></pre>`}
${answers(object(value["responses"]))}
${codes.length === 0 ? "" : `<details><summary>${codes.length} error codes</summary><p>${codes.join(" ")}</p></details>`}
</section>`
}

const style = `<style>body{max-width:60rem}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{text-align:left;vertical-align:top;padding:.25em .6em .25em 0;border-bottom:1px solid #8884}section{margin:2.5rem 0}.price{float:right;font-weight:normal}small{opacity:.75;font-weight:normal}nav ul{columns:2}</style>`

/** An OpenAPI document as an HTML page without scripts or external resources. */
export const render = (document: Json): string => {
  const info = object(document["info"])
  const components = object(document["components"])
  const all = Object.entries({ ...object(document["paths"]), ...object(document["webhooks"]) }).flatMap(
    ([path, item]) => Object.entries(object(item)).map(([method, value]) => ({ path, method, value: object(value) })),
  )
  const groups = list(document["tags"]).map((tag) => {
    const { name, description } = object(tag)
    return { name: String(name), description, own: all.filter(({ value }) => list(value["tags"]).includes(name)) }
  })
  const contents = groups
    .map(
      ({ name, own }) =>
        `<h2>${name}</h2><ul>${own.map(({ path, value }) => `<li><a href="#${value["operationId"]}">${path}</a></li>`).join("")}</ul>`,
    )
    .join("")
  const schemas = Object.entries(object(components["schemas"])).map(([name, value]) => {
    const schema = object(value)
    const alone = Object.keys(object(schema["properties"])).length === 0 ? `<p>${typeOf(schema)}</p>` : ""
    return `<section id="schema-${name}"><h3><a href="/schemas/v1/${name}.json">${name}</a></h3><p>${text(schema["description"])}</p>${alone}${table(["Field", "Value", ""], fields(schema))}</section>`
  })
  return Wire.page(
    `${info["title"]} ${info["version"]}`,
    [
      style,
      `<h1>${text(info["title"])} API <small>${text(info["version"])}</small></h1>`,
      paragraphs(info["description"]),
      `<p><a href="/openapi.json">OpenAPI document</a>, <a href="/llms.txt">llms.txt</a>, <a href="/schemas/v1">JSON Schemas</a>, <a href="/errors">errors</a>, <a href="/docs/webhooks">webhooks</a></p>`,
      `<nav>${contents}</nav>`,
      ...groups.map(
        ({ name, description, own }) =>
          `<h2>${name}</h2>${paragraphs(description)}${own.map(({ path, method, value }) => operation(path, method, value, components)).join("")}`,
      ),
      "<h2>Schemas</h2>",
      ...schemas,
    ].join("\n"),
  )
}

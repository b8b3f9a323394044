import { createConfig, lintFromString } from "@redocly/openapi-core"

/** A rule about a property of each node of a type, optionally filtered by `where`. */
const rule = (type: string, property: string | undefined, assertions: object, where: object = {}) => ({
  subject: { type, ...(property === undefined ? {} : { property }) },
  assertions,
  ...where,
})
const ifIs = (type: string, property: string, value: string) => ({
  where: [rule(type, property, { defined: true, const: value })],
})

/** Rules in addition to the recommended ones. */
const rules = {
  "operation-tag-defined": "error",
  "operation-description": "error",
  "info-contact": "error",
  "rule/info-description": rule("Info", "description", { defined: true, nonEmpty: true }),
  "rule/contact-url": rule("Contact", "url", { pattern: "/^https?:\\/\\/\\S+$/" }),
  "rule/operation-tags": rule("Operation", "tags", { defined: true, minLength: 1 }),
  "rule/no-eval": rule("Operation", "description", { notPattern: "/eval\\(/" }),
  "rule/path-parameters-required": rule(
    "Parameter",
    "required",
    { defined: true, const: true },
    ifIs("Parameter", "in", "path"),
  ),
  "rule/array-items": rule("Schema", undefined, { required: ["items"] }, ifIs("Schema", "type", "array")),
} as const

export const lint = async (source: string, without: Readonly<Record<string, "off">> = {}) => {
  const config = await createConfig({ extends: ["recommended"], rules: { ...rules, ...without } })
  return (await lintFromString({ source, config })).map(({ ruleId, message }) => [ruleId, message] as const)
}

/** Rules that validate every example, most of the time that a check takes. */
export const ofExamples = { "no-invalid-media-type-examples": "off", "no-invalid-parameter-examples": "off" } as const

/** The values of all `$ref`, those of examples included: a generator that resolves them all does not know an example. */
export const references = (document: unknown): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === "$ref") found.push(value)
    return value
  })
  return found
}

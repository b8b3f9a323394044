/** @jsxRuntime automatic @jsxImportSource preact */
import { Fragment } from "preact"
import { errorPath } from "../../../describe/paths.ts"
import { Inline, Table } from "../../view/parts.tsx"
import { frequent, type Json, list, object, type Parameter, type Reference, target } from "./operations.ts"

export type Schemas = ReadonlyMap<string, Json>

/** Longer lists of values are folded. */
const shownValues = 12

/** A schema's type and values in one line; a named schema links to its JSON Schema. */
export const Type = ({ schema }: { readonly schema: Json }) => {
  const named = target(schema)
  if (named !== undefined) return <a href={`/schemas/v1/${named}.json`}>{named}</a>
  const union = list(schema["anyOf"]).map(object)
  if (union.length > 0) {
    return (
      <>
        {union.map((each, at) => (
          <Fragment key={JSON.stringify(each)}>
            {at > 0 && " or "}
            <Type schema={each} />
          </Fragment>
        ))}
      </>
    )
  }
  const values = list(schema["enum"]).map(String)
  if (values.length > 0) return <Values values={values} />
  const { type, format, items, minimum, maximum, default: standard } = schema
  if (type === "array") {
    return (
      <>
        list of <Type schema={object(items)} />
      </>
    )
  }
  const range = [minimum, maximum].some((bound) => bound !== undefined) ? ` ${minimum ?? ""}–${maximum ?? ""}` : ""
  return (
    <>
      {String(format ?? type ?? "any")}
      {range}
      {standard !== undefined && (
        <>
          , default <code>{JSON.stringify(standard)}</code>
        </>
      )}
    </>
  )
}

const Values = ({ values }: { readonly values: ReadonlyArray<string> }) =>
  values.length <= shownValues ? (
    <span>
      {values.map((value) => (
        <Fragment key={value}>
          <code>{value}</code>{" "}
        </Fragment>
      ))}
    </span>
  ) : (
    <details>
      <summary>{values.length} values</summary>
      <code>{values.join(" ")}</code>
    </details>
  )

/** Parameters of a call. */
export const Parameters = ({ caption, all }: { readonly caption: string; readonly all: ReadonlyArray<Parameter> }) => (
  <Table
    caption={caption}
    columns={["Parameter", "Value", "Meaning"]}
    rows={all.map(({ name, place, isRequired, description, schema }) => [
      <>
        <code>{name}</code>
        {isRequired && <small> required</small>}
        {place !== "query" && <small> {place}</small>}
      </>,
      <Type key={name} schema={schema} />,
      <Inline key={description} text={description} />,
    ])}
  />
)

export interface Row {
  readonly path: string
  readonly isRequired: boolean
  readonly schema: Json
  /** A field before it that has the same nested fields, which are not listed again. */
  readonly sameAs?: string
}

/** Fewer nested fields are listed wherever they are. */
const minRepeated = 8

/** The fields of a schema, nested ones after their parent; named schemas are followed, each once on a path. */
export const listRows = (
  schemas: Schemas,
  given: Json,
  prefix: string,
  above: ReadonlyArray<string>,
  listed = new Map<string, string>(),
): ReadonlyArray<Row> => {
  const named = target(given)
  if (named !== undefined && above.includes(named)) return []
  const schema = named === undefined ? given : object(schemas.get(named))
  const within = named === undefined ? above : [...above, named]
  if (schema["type"] === "array")
    return listRows(schemas, object(schema["items"]), `${prefix}[].`.replace(".[]", "[]"), within, listed)
  const required = list(schema["required"])
  return Object.entries(object(schema["properties"])).flatMap(([name, value]) => {
    const field = object(value)
    const isList = field["type"] === "array"
    const path = `${prefix}${name}`
    const nested = isList ? object(field["items"]) : field
    const below = listRows(schemas, nested, isList ? `${path}[].` : `${path}.`, within, listed)
    const key = JSON.stringify([nested["properties"], nested["$ref"]])
    const sameAs = below.length < minRepeated ? undefined : listed.get(key)
    if (sameAs === undefined) listed.set(key, path)
    const row = { path, isRequired: required.includes(name), schema: field }
    return sameAs === undefined ? [row, ...below] : [{ ...row, sameAs }]
  })
}

const keyOf = ({ path, schema }: Row): string => `${path} ${JSON.stringify(schema)}`

/** What the answers of many operations have: the fields of the envelope, and errors. */
export interface Common {
  readonly fields: ReadonlyMap<string, Row>
  readonly errors: ReadonlyMap<string, string>
  readonly isField: (row: Row) => boolean
}

export const findCommon = ({ groups, schemas }: Pick<Reference, "groups" | "schemas">): Common => {
  const operations = groups.flatMap((group) => group.operations)
  const rows = operations.flatMap(({ answers: [first] }) =>
    first === undefined ? [] : listRows(schemas, first.schema, "", []),
  )
  const fields = frequent(rows, keyOf)
  return {
    fields,
    isField: (row) => fields.has(keyOf(row)),
    errors: frequent(
      operations.flatMap(({ errors }) => errors),
      (code) => code,
    ),
  }
}

export const Errors = ({ codes }: { readonly codes: Iterable<string> }) => (
  <p>
    {[...codes].map((code, at) => (
      <Fragment key={code}>
        {at > 0 && " "}
        <a href={errorPath(code)}>{code}</a>
      </Fragment>
    ))}
  </p>
)

export const FieldTable = ({ caption, rows }: { readonly caption: string; readonly rows: ReadonlyArray<Row> }) => (
  <Table
    caption={caption}
    columns={["Field", "Value", "Meaning"]}
    rows={rows.map(({ path, isRequired, schema: field, sameAs }) => [
      <>
        <code>{path}</code>
        {!isRequired && <small> optional</small>}
      </>,
      <Type key={path} schema={field} />,
      <Inline
        key={path}
        text={`${object(field)["description"] ?? ""}${sameAs === undefined ? "" : ` Fields as in \`${sameAs}\`.`}`}
      />,
    ])}
  />
)

/** All fields of an answer but the common ones. */
export const Fields = ({
  caption,
  schema,
  schemas,
  common,
}: {
  readonly caption: string
  readonly schema: Json
  readonly schemas: Schemas
  readonly common: Common
}) => {
  const rows = listRows(schemas, schema, "", []).filter((row) => !common.isField(row))
  return rows.length === 0 ? null : (
    <details>
      <summary>
        {caption}: {rows.length} fields
      </summary>
      <FieldTable caption={caption} rows={rows} />
    </details>
  )
}

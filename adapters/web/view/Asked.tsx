/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type { Failure } from "../../../core/Failure.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { type Field, hintAt, rangeText } from "../../admin/fields.ts"
import { Inline } from "./parts.tsx"

interface FieldProps {
  readonly field: Field
  /** Values to begin with. */
  readonly values: ReadonlyArray<string>
  readonly id: string
  readonly errors: ReadonlyArray<string>
  readonly isFirstError?: boolean
  /** More about it. */
  readonly more?: ComponentChildren
}

/** A choice in words, with the code that people know it by, such as `KNYC`. */
const choiceText = (value: string, name: string | undefined): string => {
  if (name === undefined) return value
  return value === value.toUpperCase() ? `${name} (${value})` : name
}

/** The type and the keyboard of a kind's input. */
const inputs = {
  Text: ["text"],
  Choices: ["text"],
  Money: ["text", "decimal"],
  Number: ["text", "decimal"],
  Instant: ["datetime-local"],
  Day: ["date"],
} as const satisfies Readonly<Record<string, readonly [type: string, inputMode?: string]>>

/** The note below a field: its help, and the bounds of an amount that has both. */
const noteOf = ({ help, kind }: Field): string =>
  [help, ...(kind._tag === "Money" && kind.range.most !== undefined ? [`From ${rangeText(kind.range)}.`] : [])]
    .filter((text) => text !== "")
    .join(" ")

const Control = ({ field, values, id, errors, isFirstError = false }: FieldProps) => {
  const { name, kind, isOptional } = field
  const notes = [...(noteOf(field) === "" ? [] : [`${id}-help`]), ...(errors.length === 0 ? [] : [`${id}-error`])]
  const common = {
    id,
    name,
    ...(notes.length === 0 ? {} : { "aria-describedby": notes.join(" ") }),
    ...(errors.length === 0 ? {} : { "aria-invalid": "true" as const }),
    ...(isFirstError ? { autofocus: true } : {}),
  }
  const required = isOptional ? {} : { required: true }
  const value = values[0] ?? ""
  switch (kind._tag) {
    case "Choice":
      return (
        <select {...common} {...required}>
          {isOptional && <option value="">{kind.none ?? "Default"}</option>}
          {/* One that is no choice stays as it was typed, until the verb's own rule refuses it. */}
          {[...new Set(value === "" ? kind.values : [...kind.values, value])].map((each) => (
            <option key={each} value={each} selected={each === value}>
              {choiceText(each, kind.names?.[each])}
            </option>
          ))}
        </select>
      )
    case "Flag":
      return <input {...common} type="checkbox" value="true" checked={value === "true"} />
    default: {
      const [type, inputMode] = kind._tag === "Number" && kind.isWhole ? ["text", "numeric"] : inputs[kind._tag]
      const isFree = type === "text" && inputMode !== "numeric"
      return (
        <input
          {...common}
          {...(kind._tag === "Money" && kind.isNullable ? {} : required)}
          type={type as "text"}
          {...ifDefined("inputMode", inputMode)}
          value={value}
          {...(isFree ? { autocomplete: "off" } : {})}
          {...(kind._tag === "Text" ? ifDefined("maxLength", kind.most) : {})}
        />
      )
    }
  }
}

const units = (field: Field): string =>
  field.kind._tag === "Money" ? " (USD)" : field.kind._tag === "Instant" ? " (UTC)" : ""

/** Values of a choice that stand beside each other; more are a list. */
const mostSegments = 3

/** The choices of a field side by side, each with its meaning. */
const Segments = ({
  name,
  id,
  kind,
  chosen,
}: {
  readonly name: string
  readonly id: string
  readonly kind: Extract<Field["kind"], { readonly _tag: "Choice" }>
  readonly chosen: string | undefined
}) => (
  <>
    {kind.values.map((each) => {
      const meaning = kind.meanings?.[each]
      // The meaning describes the choice, and is no part of its name.
      const described = meaning !== undefined && {
        ...{ "aria-label": kind.names?.[each] ?? each, "aria-describedby": `${id}-${each}` },
      }
      return (
        <label key={each}>
          <input type="radio" name={name} value={each} checked={each === chosen} {...described} />
          <span>{kind.names?.[each] ?? each}</span>
          {meaning !== undefined && <small id={`${id}-${each}`}>{meaning}</small>}
        </label>
      )
    })}
  </>
)

/** A field of a form. */
const Asked = (props: FieldProps) => {
  const { field, values, id, errors, more } = props
  const { kind, name, label, isOptional } = field
  const note = noteOf(field)
  const notes = (
    <>
      {note !== "" && (
        <small id={`${id}-help`}>
          <Inline text={note} />
        </small>
      )}
      {more !== undefined && <small>{more}</small>}
      {errors.length > 0 && (
        <span class="error" id={`${id}-error`}>
          {errors.join(" ")}
        </span>
      )}
    </>
  )
  // A list of anything is typed with commas.
  if (kind._tag === "Choices" && kind.values.length > 0) {
    return (
      <fieldset>
        <legend>{label}</legend>
        {kind.values.map((each) => (
          <label key={each} class="check">
            <input type="checkbox" name={name} value={each} checked={values.includes(each)} /> {each}
            {kind.meanings?.[each] !== undefined && <small>{kind.meanings[each]}</small>}
          </label>
        ))}
        {notes}
      </fieldset>
    )
  }
  if (kind._tag === "Choice" && !isOptional && kind.values.length <= mostSegments) {
    const chosen = kind.values.includes(values[0] ?? "") ? values[0] : kind.values[0]
    return (
      <fieldset class="segmented">
        <legend>{label}</legend>
        <div>
          <Segments name={name} id={id} kind={kind} chosen={chosen} />
        </div>
        {notes}
      </fieldset>
    )
  }
  return (
    <div class="field">
      {kind._tag === "Flag" ? (
        <label class="check" for={id}>
          <Control {...props} /> {label}
        </label>
      ) : (
        <>
          <label for={id}>
            {label}
            {units(field)}
            {isOptional && <small> optional</small>}
          </label>
          <Control {...props} />
        </>
      )}
      {notes}
    </div>
  )
}

/** The failure's detail, and the hints that belong to no field of the form. */
export const failureText = ({ detail }: Reasons, hints: NonNullable<Reasons["hints"]>): string =>
  [...(detail === undefined ? [] : [detail]), ...hints.map(({ suggestion }) => suggestion)].join(" ")

export type Reasons = Pick<Failure, "detail" | "hints">

/** The fields of a form, with the values and errors of one that was refused. */
export const FieldList = ({
  prefix,
  fields,
  values = {},
  sent,
  more,
}: {
  /** Of the fields' ids. */
  readonly prefix: string
  readonly fields: ReadonlyArray<Field>
  /** First values, by field. */
  readonly values?: Readonly<Record<string, string | ReadonlyArray<string> | undefined>> | undefined
  /** The form that was refused; without values of its own, it had those above. */
  readonly sent?: { readonly values?: URLSearchParams; readonly failure: Reasons } | undefined
  readonly more?: (field: Field) => ComponentChildren
}) => {
  const names = new Set(fields.map(({ name }) => name))
  const hints = sent?.failure.hints ?? []
  const wrong = hints.find(({ field }) => names.has(field))?.field
  const others = hints.filter(({ field }) => !names.has(field))
  return (
    <>
      {sent !== undefined && others.length > 0 && (
        <p class="error" role="alert">
          {failureText(sent.failure, others)}
        </p>
      )}
      {fields.map((field) => (
        <Asked
          key={field.name}
          field={field}
          id={prefix + field.name}
          values={sent?.values?.getAll(field.name) ?? [values[field.name] ?? []].flat()}
          errors={hints.flatMap((hint) => (hint.field === field.name ? [hintAt(field, hint.suggestion)] : []))}
          isFirstError={field.name === wrong}
          more={more?.(field)}
        />
      ))}
    </>
  )
}

/** @jsxRuntime automatic @jsxImportSource preact */

import type { Served } from "../../../../core/gateway/Served.ts"
import { count } from "../../../../core/text.ts"
import { docsOf } from "../../../describe/describe.ts"
import { pictureOfCall } from "../../pictures/pictures.ts"
import { Code, Inline } from "../../view/parts.tsx"
import { plot } from "../../view/plot.tsx"
import { Type } from "./Fields.tsx"
import { type Json, list, type Operation, object, type Parameter, textOf } from "./operations.ts"

/** A call that a reader has run: its parameters as they were sent, and the answer. */
export interface Run {
  readonly id: string
  readonly values: Readonly<Record<string, string>>
  readonly served: Served
}

/** The parameters of an operation in a query; those that are empty are left out. */
export const valuesIn = ({ own }: Operation, query: URLSearchParams): Run["values"] =>
  Object.fromEntries(
    own.flatMap(({ name }) => {
      const value = query.get(name)?.trim() ?? ""
      return value === "" ? [] : [[name, value]]
    }),
  )

const Control = ({
  id,
  parameter,
  value,
}: {
  readonly id: string
  readonly parameter: Parameter
  readonly value: string
}) => {
  const { name, isRequired, schema } = parameter
  const choices = schema["type"] === "boolean" ? ["true", "false"] : list(schema["enum"]).map(String)
  const common = { id, name, ...(isRequired ? { required: true } : {}) }
  if (choices.length > 0) {
    return (
      <select {...common}>
        {!isRequired && (
          <option value="">{schema["default"] === undefined ? "" : `default: ${String(schema["default"])}`}</option>
        )}
        {choices.map((choice) => (
          <option key={choice} value={choice} selected={choice === value}>
            {choice}
          </option>
        ))}
      </select>
    )
  }
  const isNumber = schema["type"] === "integer" || schema["type"] === "number"
  return (
    <input
      {...common}
      type={(schema["format"] === "date" ? "date" : "text") as "text"}
      value={value}
      inputMode={isNumber ? "decimal" : "text"}
      placeholder={schema["default"] === undefined ? "" : String(schema["default"])}
    />
  )
}

interface Hint {
  readonly field: string
  readonly suggestion: string
}

const hintsIn = (run: Run | undefined): ReadonlyArray<Hint> =>
  run === undefined || run.served.status < 400
    ? []
    : list(object(object(run.served.body.toValue() as Json)["error"])["hints"]).map((hint) => ({
        field: textOf(object(hint)["field"]),
        suggestion: textOf(object(hint)["suggestion"]),
      }))

/** The parameters of an operation as a form, whose button runs the call. It works without script. */
export const Form = ({
  operation,
  group,
  run,
  playground,
}: {
  readonly operation: Operation
  readonly group: string
  readonly run: Run | undefined
  /** The page that makes the call with a key of the reader's own; absent: there is none. */
  readonly playground: string | undefined
}) => {
  const { id, own, auth, example } = operation
  const values: Json = run?.values ?? example
  const hints = hintsIn(run)
  return (
    <form method="get" action={`${docsOf(group)}#${id}`} class="stacked">
      <input type="hidden" name="run" value={id} />
      {own.map((parameter) => {
        const { name, isRequired, description, schema } = parameter
        const at = `${id}.${name}`
        return (
          <div class="field" key={name}>
            <label for={at}>
              <code>{name}</code> {isRequired && <small>required</small>}
            </label>
            <Control id={at} parameter={parameter} value={textOf(values[name])} />
            <small>
              <Inline text={description} /> {list(schema["enum"]).length === 0 && <Type schema={schema} />}
            </small>
            {hints.flatMap(({ field, suggestion }) =>
              field === name
                ? [
                    <span key={suggestion} class="error">
                      {suggestion}
                    </span>,
                  ]
                : [],
            )}
          </div>
        )
      })}
      <p class="actions">
        <button type="submit">Run</button>{" "}
        <small>
          {auth === "key" ? "Free, on sample data." : "Free, without a key."}{" "}
          {playground !== undefined && <a href={playground}>Run it with your key</a>}
        </small>
      </p>
    </form>
  )
}

/** Longer answers are cut, characters. */
const most = 12_000

/** The answer of a call: a picture, where it has one, and JSON. */
export const Answer = ({ operation: { own }, run }: { readonly operation: Operation; readonly run: Run }) => {
  const { id, served, values } = run
  const value = object(served.body.toValue() as Json)
  const error = object(value["error"])
  const isGood = served.status < 400
  const picture = pictureOfCall(id, values, served)
  const names = new Set(own.map(({ name }) => name))
  const others = hintsIn(run).filter(({ field }) => !names.has(field))
  const text = JSON.stringify(value, null, 2)
  return (
    <section class="answer" aria-label="Answer">
      <h3>
        {served.status}, {isGood ? "free" : "nothing charged"}
      </h3>
      {!isGood && (
        <p class="error">
          {textOf(error["message"])} {others.map(({ suggestion }) => suggestion).join(" ")}{" "}
          <a href={`/errors/${textOf(error["code"])}`}>{textOf(error["code"])}</a>
        </p>
      )}
      {picture !== undefined && plot(picture)}
      <Code text={text.length > most ? `${text.slice(0, most)}\n…` : text} lang="json" label="JSON" />
      {text.length > most && <p class="soft">Cut after {count(most)} characters: the call beside gets all of it.</p>}
    </section>
  )
}

/** @jsxRuntime automatic @jsxImportSource preact */

import type { Served } from "../../../../core/gateway/Served.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { count } from "../../../../core/text.ts"
import type { Field } from "../../../admin/fields.ts"
import { docsOf } from "../../../describe/describe.ts"
import { pictureOfCall } from "../../pictures/pictures.ts"
import { Asked } from "../../view/Asked.tsx"
import { Code } from "../../view/parts.tsx"
import { plot } from "../../view/plot.tsx"
import { Type } from "./Fields.tsx"
import { type Json, list, type Operation, object, textOf } from "./operations.ts"

/** A call that a reader has run: its parameters as they were sent, and the answer. */
export interface Run {
  readonly id: string
  readonly values: Readonly<Record<string, string>>
  readonly served: Served
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
  fields,
  group,
  run,
  playground,
}: {
  readonly operation: Operation
  readonly fields: ReadonlyArray<Field>
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
      {fields.map((field) => {
        const { name } = field
        const text = textOf(values[name])
        const { schema = {} } = own.find((each) => each.name === name) ?? {}
        const none = schema["default"] === undefined ? undefined : `default: ${String(schema["default"])}`
        return (
          <Asked
            key={name}
            id={`${id}.${name}`}
            field={{ ...field, label: name, kind: { ...field.kind, ...ifDefined("none", none) } }}
            values={field.kind._tag === "Choices" ? text.split(",") : [text]}
            errors={hints.flatMap((hint) => (hint.field === name ? [hint.suggestion] : []))}
            more={field.kind._tag === "Number" && <Type schema={schema} />}
          />
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

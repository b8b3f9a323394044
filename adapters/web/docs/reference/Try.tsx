/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type { Failure } from "../../../../core/Failure.ts"
import type { Served } from "../../../../core/gateway/Served.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { count } from "../../../../core/text.ts"
import type { Field } from "../../../admin/fields.ts"
import { errorPath, groupDocsPath } from "../../../describe/paths.ts"
import { pictureOfCall } from "../../pictures/pictures.ts"
import { FieldList } from "../../view/Asked.tsx"
import { Code } from "../../view/parts.tsx"
import { plot } from "../../view/plot.tsx"
import { Type } from "./Fields.tsx"
import { type Json, type Operation, textOf } from "./operations.ts"

/** A call that a reader has run: its parameters as they were sent, and the answer. */
export interface Run {
  readonly id: string
  readonly values: Readonly<Record<string, string>>
  readonly served: Served
}

/** Why a call was refused; undefined: it was not. */
export const readRefusal = ({ status, body }: Served) =>
  status < 400 ? undefined : (body.toValue() as { readonly error: Failure }).error

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
  const schemaOf = (name: string): Json => own.find((each) => each.name === name)?.schema ?? {}
  const failure = run === undefined ? undefined : readRefusal(run.served)
  return (
    <form method="get" action={`${groupDocsPath(group)}#${id}`} class="stacked">
      <input type="hidden" name="run" value={id} />
      <FieldList
        prefix={`${id}.`}
        fields={fields.map((field) => {
          const standard = schemaOf(field.name)["default"]
          const none = standard === undefined ? undefined : `default: ${String(standard)}`
          return { ...field, label: field.name, kind: { ...field.kind, ...ifDefined("none", none) } }
        })}
        values={Object.fromEntries(
          fields.map(({ name, kind }) => {
            const text = textOf((run?.values ?? example)[name])
            return [name, kind._tag === "Choices" ? text.split(",") : text]
          }),
        )}
        sent={failure === undefined ? undefined : { failure }}
        more={({ name, kind }) => kind._tag === "Number" && <Type schema={schemaOf(name)} />}
      />
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
const longestShown = 6_000

/** Characters of an answer in colours, which make it half as long again. */
const longestColoured = 3_000

/** The answer of a call below its text: a picture, where it has one, and JSON. */
export const Answer = ({
  run: { id, values, served },
  isWhole = false,
  children,
}: {
  readonly run: Run
  readonly isWhole?: boolean
  readonly children: ComponentChildren
}) => {
  const picture = pictureOfCall(id, values, served)
  const text = JSON.stringify(served.body.toValue(), null, 2)
  const isCut = !isWhole && text.length > longestShown
  return (
    <section class="answer" aria-label="Answer">
      {children}
      {picture !== undefined && plot(picture)}
      <Code
        text={isCut ? `${text.slice(0, longestShown)}\n…` : text}
        {...ifDefined("lang", text.length > longestColoured ? undefined : ("json" as const))}
        label="JSON"
      />
      {isCut && <p class="soft">Cut after {count(longestShown)} characters: the call beside gets all of it.</p>}
    </section>
  )
}

/** The answer to a reader of the reference. */
export const Answered = ({ run }: { readonly run: Run }) => {
  const failure = readRefusal(run.served)
  return (
    <Answer run={run}>
      <h3>
        {run.served.status}, {failure === undefined ? "free" : "nothing charged"}
      </h3>
      {failure !== undefined && (
        <p class="error">
          {failure.message} <a href={errorPath(failure.code)}>{failure.code}</a>
        </p>
      )}
    </Answer>
  )
}

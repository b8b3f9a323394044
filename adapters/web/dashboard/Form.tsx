/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type * as AdminOperation from "../../admin/AdminOperation.ts"
import { type Field, fieldsOf } from "../../admin/fields.ts"
import { FieldList, failureText } from "../view/Asked.tsx"
import type { Sent, Visit } from "./Page.ts"

interface FormProps {
  readonly visit: Visit
  /** The name of the action. */
  readonly action: string
  readonly button: ComponentChildren
  /** For actions that cannot be undone. */
  readonly isDanger?: boolean
  /** One button in a row, without fields. */
  readonly isInline?: boolean
  /** The page that the form was opened from. */
  readonly cancel?: string
  /** The button's accessible name, where several have the same text. */
  readonly about?: string
  /** Values that the form sends as they are. They tell a form from others of the same action. */
  readonly given?: Readonly<Record<string, string>>
  readonly children?: ComponentChildren
}

const findSent = ({ sent }: Visit, action: string, given: Readonly<Record<string, string>> = {}): Sent | undefined =>
  sent?.action === action && Object.entries(given).every(([name, value]) => sent.values.get(name) === value)
    ? sent
    : undefined

/** Every form sends its session and its id; `action` names one of the page's actions. */
export const FormHead = ({ visit, action }: { readonly visit: Visit; readonly action?: string }) => (
  <>
    <input type="hidden" name="form_token" value={visit.formToken} />
    <input type="hidden" name="form_id" value={visit.formId} />
    {action !== undefined && <input type="hidden" name="action" value={action} />}
  </>
)

/** A form whose button runs an action of this page. It works without script. */
export const Form = ({ visit, action, button, isDanger, isInline, cancel, about, given = {}, children }: FormProps) => {
  // The page says who may send it.
  if (visit.barred?.actions.includes(action) === true) return null
  const failure = findSent(visit, action, given)?.failure
  const hints = failure?.hints ?? []
  // A form in a row has no fields at which hints are shown.
  const elsewhere =
    failure === undefined
      ? undefined
      : hints.length === 0
        ? failure.message
        : isInline === true
          ? failureText(failure, hints)
          : undefined
  const submit = (
    <button type="submit" {...(isDanger === true ? { class: "danger" } : {})}>
      {button}
      {about !== undefined && <span class="unseen"> {about}</span>}
    </button>
  )
  return (
    <form method="post" class={isInline === true ? "inline" : "stacked"}>
      <FormHead visit={visit} action={action} />
      {elsewhere !== undefined && (
        <p class="error" role="alert">
          {elsewhere}
        </p>
      )}
      {Object.entries(given).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {cancel === undefined ? (
        submit
      ) : (
        <p class="actions">
          {submit} <a href={cancel}>Cancel</a>
        </p>
      )}
    </form>
  )
}

/** A button that pauses what is active, and resumes what is paused. */
export const PauseForm = ({
  isActive,
  ...form
}: Pick<FormProps, "visit" | "about" | "given"> & { readonly isActive: boolean }) => (
  <Form
    {...form}
    {...(isActive ? { action: "pause", button: "Pause" } : { action: "resume", button: "Resume" })}
    isInline
  />
)

interface FieldsProps {
  readonly visit: Visit
  readonly action: string
  readonly verb: Endpoint.AnyOperation & Pick<AdminOperation.Any, "operatorOnly">
  /** First values of the fields, by parameter. */
  readonly values?: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** Parameters that the page itself gives. */
  readonly omitted?: ReadonlyArray<string>
  /** Choices of a list of texts with their labels, by parameter. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Fields of the page's own, below them. */
  readonly more?: ReadonlyArray<Field>
}

/** The form of a verb: its fields, further content, and the button that runs it. */
export const VerbForm = ({
  verb,
  values = {},
  omitted = [],
  choices = {},
  more = [],
  children,
  ...form
}: FieldsProps & FormProps) => (
  <Form {...form}>
    <Fields visit={form.visit} action={form.action} {...{ verb, values, omitted, choices, more }} />
    {children}
  </Form>
)

export const Fields = ({ visit, action, verb, values, omitted = [], choices = {}, more = [] }: FieldsProps) => {
  const left = new Set([...omitted, ...(visit.actor.member === undefined ? [] : (verb.operatorOnly ?? []))])
  const fields = fieldsOf(verb).flatMap((field): ReadonlyArray<Field> => {
    const meanings = choices[field.name]
    if (left.has(field.name)) return []
    if (meanings === undefined) return [field]
    return [{ ...field, help: "", kind: { _tag: "Choices", values: Object.keys(meanings), meanings } }]
  })
  return (
    <FieldList
      prefix={`${action}-`}
      sent={findSent(visit, action)}
      values={values}
      // The name comes first.
      fields={[...fields, ...more].toSorted((a, b) => Number(b.name === "name") - Number(a.name === "name"))}
    />
  )
}

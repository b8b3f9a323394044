/** @jsxRuntime automatic @jsxImportSource preact */
import { type ComponentChildren, createContext } from "preact"
import { iso } from "../../../core/time.ts"
import { ageOf, timeText } from "../view/dates.ts"
import type { Names } from "./names.ts"

/** When the page is made, epoch milliseconds: by it times are shown as ages. */
export const Now = createContext<number | undefined>(undefined)

/**
 * A time of the API, or epoch milliseconds: its age, with the time itself as its title; beyond two days the time.
 *
 * @param isExact the time with its seconds
 */
export const Time = ({
  at,
  isExact = false,
}: {
  readonly at: string | number | undefined
  readonly isExact?: boolean
}) => {
  if (at === undefined) return <>–</>
  const millis = new Date(at).getTime()
  const exact = timeText(millis, true)
  const common = { datetime: iso(millis), title: exact }
  if (isExact) return <time {...common}>{exact}</time>
  return (
    <Now.Consumer>
      {(now) => {
        const age = now === undefined ? undefined : ageOf(millis, now)
        return (
          <time {...common} {...(age === undefined ? {} : { class: "age" })}>
            {age ?? timeText(millis)}
          </time>
        )
      }}
    </Now.Consumer>
  )
}

/** A link to the agent of a row, by its name. */
export const agentLink = (id: string | undefined, { agents }: Pick<Names, "agents">) =>
  id === undefined ? "none" : <a href={`/dashboard/agents/${id}`}>{agents.get(id) ?? id}</a>

/** Live or test, distinguished by word and shape. */
export const Environment = ({ name }: { readonly name: "live" | "test" }) => (
  <span class={`badge ${name === "live" ? "good" : "test"}`}>
    <span aria-hidden="true">{name === "live" ? "●" : "◌"}</span> {name}
  </span>
)

/** The field of a form that destroys something (`confirmed` in actions.ts). */
export const Confirm = ({
  label,
  most,
  children,
}: {
  readonly label: string
  readonly most?: number
  /** Tells the reader what to type. */
  readonly children?: ComponentChildren
}) => (
  <div class="field">
    <label for="confirm">{label}</label>
    <input
      id="confirm"
      name="confirm"
      type="text"
      autocomplete="off"
      required
      {...(most === undefined ? {} : { maxLength: most })}
      {...(children === undefined ? {} : { "aria-describedby": "confirm-help" })}
    />
    {children !== undefined && <small id="confirm-help">{children}</small>}
  </div>
)

export const Secret = ({ text, children }: { readonly text: string; readonly children: ComponentChildren }) => (
  <section class="notice" aria-label="Shown once">
    <p>
      <strong>{children}</strong>
    </p>
    <pre>
      <code class="secret">{text}</code>
    </pre>
  </section>
)

/** An id by its two ends, with a button that copies all of it. */
export const Id = ({ of }: { readonly of: string }) => (
  <code title={of} data-copy={of}>
    {of.length <= 14 ? of : `${of.slice(0, 5)}…${of.slice(-5)}`}
  </code>
)

/** Whom to ask: the operator's contact, a URL or an e-mail address. */
export const Contact = ({ contact }: { readonly contact: string }) => (
  <>
    the operator of this service: <a href={contact}>{contact.replace(/^mailto:/, "")}</a>
  </>
)

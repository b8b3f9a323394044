/** @jsxRuntime automatic @jsxImportSource preact */
import type { Named } from "../condition/Condition.ts"
import { State } from "../view/parts.tsx"
import type { Value } from "./live/values.ts"

/** Lines of a list. */
export const lines = 5

/**
 * The conditions that need action, each with a link to its remedy.
 *
 * @param of the worst first
 * @param is a value that is another one when the list is; absent: the list is as it was when the page was opened
 */
export const Attention = ({
  of,
  is,
  href,
}: {
  readonly of: ReadonlyArray<Named>
  readonly is?: Value
  /** Of the page. */
  readonly href: string
}) => (
  <>
    {is !== undefined && (
      <p class="notice" role="status" data-live-unless={`${is.name}=${is.shown.text}`} hidden>
        What needs attention has changed. <a href={href}>Show it</a>
      </p>
    )}
    {of.length === 0 ? (
      <p class="soft">Nothing needs attention.</p>
    ) : (
      <section class="urgent" aria-labelledby="attention">
        <h2 id="attention">Needs attention</h2>
        <ul>
          {of.slice(0, lines).map(({ name, condition }) => (
            <li key={name}>
              <State is={condition} /> <strong>{name}</strong>: {condition.cause}.
              {condition.next !== undefined && (
                <>
                  {" "}
                  <a href={condition.next.href}>{condition.next.label}</a>
                </>
              )}
            </li>
          ))}
        </ul>
        {of.length > lines && <p class="soft">And {of.length - lines} more.</p>}
      </section>
    )}
  </>
)

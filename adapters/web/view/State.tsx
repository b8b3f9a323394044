/** @jsxRuntime automatic @jsxImportSource preact */
import { type Condition, marks } from "../../server/http/condition/Condition.ts"

/** A state in words, with a shape, so that nothing depends on colour. */
export const State = ({
  is: { tone, label },
  live,
}: {
  readonly is: Pick<Condition, "tone" | "label">
  /** The name under which a page of the dashboard is told of changes. */
  readonly live?: string
}) => (
  <span class={`badge ${tone}`} {...(live === undefined ? {} : { "data-live": live })}>
    <span aria-hidden="true">{marks[tone]}</span> {live === undefined ? label : <span>{label}</span>}
  </span>
)

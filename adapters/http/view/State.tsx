/** @jsxRuntime automatic @jsxImportSource preact */

/** The shape of a state, so that nothing depends on colour. */
export const markOf = (isGood: boolean): string => (isGood ? "●" : "▲")

/** A state in words, with a shape. */
export const State = ({
  words,
  isGood,
  live,
}: {
  readonly words: string
  readonly isGood: boolean
  /** The name under which a page of the dashboard is told of changes. */
  readonly live?: string
}) => (
  <span class={`badge ${isGood ? "good" : "bad"}`} {...(live === undefined ? {} : { "data-live": live })}>
    <span aria-hidden="true">{markOf(isGood)}</span> {live === undefined ? words : <span>{words}</span>}
  </span>
)

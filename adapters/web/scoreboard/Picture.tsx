/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact"

/** A picture with the tables of its numbers folded below it. Without enough markets for a picture the tables are open. */
export const Picture = ({
  title,
  words,
  chart,
  children,
}: {
  readonly title: string
  readonly words: string
  readonly chart: VNode | undefined
  readonly children: ComponentChildren
}) => (
  <section>
    <h2>{title}</h2>
    <p class="soft">{words}</p>
    {chart === undefined ? (
      children
    ) : (
      <figure>
        {chart}
        <details>
          <summary>{title} in figures</summary>
          {children}
        </details>
      </figure>
    )}
  </section>
)

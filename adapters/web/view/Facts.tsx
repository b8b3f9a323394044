/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"

/** A list of names with what is known of each; those whose value is false are left out. */
export const Facts = ({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class="facts">
    {Object.entries(of).map(
      ([name, value]) =>
        value !== false && (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ),
    )}
  </dl>
)

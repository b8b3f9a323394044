/** @jsxRuntime automatic @jsxImportSource preact */
import type { Failure } from "../../../core/Failure.ts"
import type { View } from "./Page.ts"

/** Says why something was refused. */
export const refusedView = (title: string, { message, hints = [] }: Failure): View => ({
  title,
  body: (
    <>
      <p>{message}</p>
      {hints.length > 0 && (
        <ul>
          {hints.map(({ field, suggestion }) => (
            <li key={`${field} ${suggestion}`}>{suggestion}</li>
          ))}
        </ul>
      )}
      <p>
        <a href="/dashboard">Back to the overview</a>
      </p>
    </>
  ),
})

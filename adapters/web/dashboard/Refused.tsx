/** @jsxRuntime automatic @jsxImportSource preact */
import type { Failure } from "../../../core/Failure.ts"
import type { Site } from "../../server/http/Site.ts"
import { Elsewhere } from "../NotFound.tsx"
import type { View } from "./Page.ts"

/** Says why something was refused. */
export const refusedView = (title: string, { message, detail, status, hints = [] }: Failure, site: Site): View => ({
  title,
  body: (
    <>
      {/* The title says already that something is not there; a detail says what. */}
      {(status !== 404 || detail !== undefined) && <p>{message}</p>}
      {hints.length > 0 && (
        <ul>
          {hints.map(({ field, suggestion }) => (
            <li key={`${field} ${suggestion}`}>{suggestion}</li>
          ))}
        </ul>
      )}
      {status === 404 && <Elsewhere site={site} path="" />}
      <p>
        <a href="/dashboard">Back to overview</a>
      </p>
    </>
  ),
})

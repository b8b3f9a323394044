import type { Suggestion } from "../endpoint/Answer.ts"
import { type Failure, fail, type Hint } from "../Failure.ts"

/** A follow-up call, by the endpoint's id. */
export const suggest = (endpoint: string, params: Suggestion["params"], why: string): Suggestion => ({
  endpoint,
  params,
  why,
})

/** A field that needs another value. */
export const change = (field: string, suggestion: string): Hint => ({ field, action: "change", suggestion })

export const notFound = (detail: string, ...hints: ReadonlyArray<Hint>): Failure => fail("not_found", { detail, hints })

import type { Suggestion } from "../endpoint/Answer.ts"

export { change, notFound } from "../Failure.ts"

/** Suggests a follow-up call, by the endpoint's id. */
export const suggest = (endpoint: string, params: Suggestion["params"], why: string): Suggestion => ({
  endpoint,
  params,
  why,
})

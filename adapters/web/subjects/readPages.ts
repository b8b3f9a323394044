import * as Effect from "effect/Effect"
import type { Answer } from "../../../core/endpoint/Answer.ts"
import * as Cursor from "../../../core/endpoint/Cursor.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"

type Page = { readonly cursor?: string }

/** The answers of a list page by page, at most so many. `read` sends the page's cursor with the filters. */
export const readPages = Effect.fnUntraced(function* <A extends Pick<Answer<unknown>, "next">, E>(
  endpoint: Endpoint.Any,
  filters: Readonly<Record<string, unknown>>,
  maxPages: number,
  read: (page: Page) => Effect.Effect<A, E>,
) {
  const answers: Array<A> = []
  for (let page: Page | undefined = {}; page !== undefined && answers.length < maxPages; ) {
    const answer: A = yield* read(page)
    answers.push(answer)
    const cursor = Cursor.next(endpoint, filters, answer)
    page = cursor === undefined ? undefined : { cursor }
  }
  return answers
})

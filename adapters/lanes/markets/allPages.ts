import * as Effect from "effect/Effect"
import { misshapen, type Upstream, type UpstreamError } from "../../runtime/upstream/upstream.ts"

const maxPages = 50

/**
 * All rows of a list that a venue gives page by page.
 *
 * @param ask requests the page at a cursor, empty for the first one; `next` is empty on the last one
 */
export const allPages = (
  upstream: Upstream,
  path: string,
  ask: (
    cursor: string,
  ) => Effect.Effect<{ readonly rows: ReadonlyArray<unknown>; readonly next: string }, UpstreamError>,
): Effect.Effect<ReadonlyArray<unknown>, UpstreamError> =>
  Effect.gen(function* () {
    const all: Array<unknown> = []
    let cursor = ""
    for (let page = 0; page < maxPages; page++) {
      const { rows, next } = yield* ask(cursor)
      all.push(...rows)
      if (next === "") return all
      if (next === cursor) break
      cursor = next
    }
    return yield* misshapen(upstream, `${path} does not end within ${maxPages} pages, or begins again.`)
  })

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as decode from "../../../core/endpoint/decode.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../../core/Failure.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as answers from "../../../core/record/log/answers.ts"
import { endpoints } from "../../../core/record/log/endpoints.ts"
import { find } from "../../../core/record/log/RecordLog.ts"
import { minute } from "../../../core/time.ts"
import { queryOf } from "../../server/http/query.ts"
import { Site } from "../../server/http/Site.ts"
import { choiceIn, marketFiltersIn, problemsIn } from "../view/filters.tsx"
import * as RecordPage from "./RecordPage.tsx"
import { type Asked, completed, entryOf, entryPage, shows } from "./readEntries.ts"

/** Failures that the reader's question caused. */
const isAbout = ({ code }: Failure): boolean => code === "not_found" || code === "invalid_parameter"

const hintsOf = ({ hints = [] }: Failure): ReadonlyArray<string> => hints.map(({ suggestion }) => suggestion)

const unlessAbsent = <A, R>(found: Effect.Effect<A, Failure, R>): Effect.Effect<A | undefined, Failure, R> =>
  Effect.catchAll(found, (failure) => (failure.code === "not_found" ? Effect.succeed(undefined) : Effect.fail(failure)))

/** Parameters as a query string has them. */
const textOf = (values: Readonly<Record<string, string>>): decode.Raw => {
  const query = new URLSearchParams(values)
  return { _tag: "Text", text: query.toString(), entries: query }
}

const decodeInclusion = decode.compile(endpoints.inclusion)

/** The proof of a leaf, and the leaf as an entry; or why there is none, in a sentence. */
const proven = (leaf: string) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { params } = yield* decodeInclusion(textOf({ leaf }), now)
    const found = yield* answers.inclusion(params as Endpoint.Params<typeof endpoints.inclusion>)
    const logged = yield* find(String(found.leaf.position))
    return { found, ...(logged === undefined ? {} : { entry: yield* completed(entryOf(logged, now), now) }) }
  }).pipe(
    Effect.catchAll((failure) =>
      isAbout(failure)
        ? Effect.succeed({ found: { problem: [failure.detail ?? [], hintsOf(failure)].flat().join(" ") } })
        : Effect.fail(failure),
    ),
  )

/** The filters of the list. One that is not understood is left out, and a sentence says so. */
export const askedIn = (
  query: URLSearchParams,
): { readonly asked: Asked; readonly problems: ReadonlyArray<string> } => {
  const before = Number(query.get("before") ?? Number.NaN)
  const understood = {
    show: choiceIn(query, "show", shows),
    ...marketFiltersIn(query),
    before: Number.isSafeInteger(before) && before >= 0 ? before : undefined,
  }
  return { asked: { ...understood, show: understood.show ?? "ours" }, problems: problemsIn(query, understood) }
}

/**
 * The page for people. A leaf that does not exist is a sentence of the page, not an error. The page that asks nothing is
 * kept for its checkpoint, and for a minute at most: leaves are opened when their markets close.
 */
export const recordPage = (baseUrl: string) => {
  let [keptAs, kept] = ["", ""]
  return (target: string, isDemo: boolean) =>
    Effect.gen(function* () {
      const query = queryOf(target)
      const leaf = (query.get("leaf") ?? "").trim().slice(0, RecordPage.longest)
      const checkpoint = yield* unlessAbsent(answers.checkpoint({}))
      const now = yield* Clock.currentTimeMillis
      const version = [checkpoint?.note, isDemo, Math.floor(now / minute)].join()
      if (query.size === 0 && version === keptAs) return kept
      const shown = askedIn(query)
      const size = checkpoint?.size ?? 0
      const page = RecordPage.recordPage({
        ...{ site: yield* Site, baseUrl, isDemo, checkpoint, leaf },
        ...(leaf === "" ? {} : yield* proven(leaf)),
        ...ifDefined(
          "list",
          leaf === "" && (checkpoint !== undefined || !isDemo)
            ? { ...shown, page: yield* entryPage(shown.asked, size, now) }
            : undefined,
        ),
      })
      if (query.size === 0 && checkpoint !== undefined) [keptAs, kept] = [version, page]
      return page
    })
}

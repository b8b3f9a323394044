import * as Either from "effect/Either"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import * as decode from "../endpoint/decode.ts"
import { change, type Failure, fail } from "../Failure.ts"
import type * as Watch from "./Watch.ts"

export interface Question {
  /** Path and query. */
  readonly call: string
  readonly entry: Catalogue.Entry
  readonly watch: Watch.Any
  /** As the gateway decodes it again. */
  readonly raw: decode.Raw
  readonly params: Readonly<Record<string, unknown>>
}

const refuse = (suggestion: string): Either.Either<never, Failure> =>
  Either.left(fail("invalid_request_body", { hints: [change("call", suggestion)] }))

/** Reads the path and query of a call that a watch has. Its hints are those of the call itself. */
export const reader = (catalogue: Catalogue.Any, watches: ReadonlyArray<Watch.Any>) => {
  const byPath = new Map(watches.map((watch) => [watch.endpoint.path as string, watch]))
  return (call: string, now: number): Either.Either<Question, Failure> => {
    const [name = "", query] = call.split("?", 2)
    const entry = catalogue.byPath.get(name) ?? catalogue.byId.get(name)
    const path = entry?.endpoint.path ?? ""
    const watch = byPath.get(path)
    if (watch === undefined || entry === undefined) {
      return refuse(
        `Write one of these calls, with its parameters as a query (?name=value&…): ${[...byPath.keys()].join(", ")}.`,
      )
    }
    const raw: decode.Raw = { _tag: "Text", entries: [...new URLSearchParams(query)], text: query ?? "" }
    return Either.match(decode.compile(entry.endpoint)(raw, now), {
      onLeft: ({ hints = [] }) =>
        Either.left(
          fail("invalid_request_body", {
            hints: hints.map((hint) => ({ ...hint, field: "call", suggestion: `${hint.field}: ${hint.suggestion}` })),
          }),
        ),
      onRight: ({ params, options }) =>
        options.dry_run === true
          ? refuse("Leave out dry_run: a firing is a call that is answered.")
          : Either.right({ call: query === undefined ? path : `${path}?${query}`, entry, watch, raw, params }),
    })
  }
}

/** The parameters of a check. They filter rows at the lowest value at which a subject stays above the threshold. */
export const lookParams = (
  { watch: { bar }, params }: Question,
  { threshold, hysteresis }: Watch.Bounds,
): typeof params =>
  bar === undefined ? params : { ...params, [bar(params).param]: Math.max(0, threshold - hysteresis) }

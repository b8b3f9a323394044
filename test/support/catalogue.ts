import * as Either from "effect/Either"
import * as decode from "../../core/endpoint/decode.ts"
import { catalogue } from "../../core/lanes/all.ts"

export const decoders = new Map(catalogue.entries.map(({ endpoint }) => [endpoint.id, decode.compile(endpoint)]))

export const now = Date.UTC(2026, 8, 25, 12)

export const ask = (id: string, query: string) =>
  decoders.get(id)!({ _tag: "Text", entries: [...new URLSearchParams(query)] as ReadonlyArray<[string, string]> }, now)

export const params = (id: string, query: string) => Either.getOrThrow(ask(id, query)).params

/** Every bad field with its remedy, and the code of the failure. */
export const refused = (id: string, query: string) =>
  Either.match(ask(id, query), {
    onRight: () => undefined,
    onLeft: ({ code, hints = [] }) => ({ code, hints: hints.map(({ field, action }) => `${action} ${field}`).sort() }),
  })

import type * as Effect from "effect/Effect"
import { demoKey } from "../../core/account/ApiKey.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../core/Failure.ts"
import type { Gateway, Reply } from "../../core/gateway/Gateway.ts"
import type { Served } from "../../core/gateway/Served.ts"

const authorization = `Bearer ${demoKey}`

/** Calls of the pages with the key of visitors: answered from generated data, for nothing. */
export interface Demo {
  /** For a page's own pictures. The page limits its readers itself. */
  readonly call: <E extends Endpoint.Any>(
    endpoint: E,
    input: Endpoint.Input<E>,
  ) => Effect.Effect<Reply<Endpoint.Results<E>>, Failure>
  /** The call of a reader, limited by the address. */
  readonly run: (
    entry: Catalogue.Entry,
    params: Readonly<Record<string, string>>,
    address: string | undefined,
  ) => Effect.Effect<Served>
}

export const of = ({ call, serve }: Gateway["Type"]): Demo => ({
  call: (endpoint, input) => call(endpoint, input, { authorization }),
  run: (entry, params, address) =>
    serve(
      entry,
      { _tag: "Text", entries: Object.entries(params) },
      { authorization, ...(address === undefined ? {} : { address }) },
    ),
})

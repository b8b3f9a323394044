import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Cursor from "../../endpoint/Cursor.ts"
import * as decode from "../../endpoint/decode.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Envelope from "../../endpoint/Envelope.ts"
import { LaneSets } from "../../endpoint/LaneSets.ts"
import * as Step from "../../Step.ts"

/** Counts the tokens of the mock lanes' answer to an endpoint's example; undefined if the example fails. */
export class ExampleTokens extends Context.Tag("market-signals/core/lanes/account/ExampleTokens")<
  ExampleTokens,
  { readonly of: (endpoint: Endpoint.Any, now: number) => Effect.Effect<number | undefined> }
>() {
  /** Counts on first use and caches the count. */
  static readonly layer: Layer.Layer<ExampleTokens, never, LaneSets> = Layer.effect(
    ExampleTokens,
    Effect.map(LaneSets, ({ test }) => {
      const counted = new Map<string, number | undefined>()
      const count = Effect.fnUntraced(function* (endpoint: Endpoint.Any, now: number) {
        const value = endpoint.example as Readonly<Record<string, unknown>>
        const decoded = decode.compile(endpoint)({ _tag: "Json", value }, now)
        const handler = test.get(endpoint.id)
        if (Either.isLeft(decoded) || handler === undefined) return undefined
        const { params, mask } = decoded.right
        const tokens = yield* Step.run(handler(params)).pipe(
          Effect.map((answer) => {
            const cursor = Cursor.next(endpoint, params, answer)
            const results = Envelope.writeResults(endpoint, answer, mask, cursor)
            return Envelope.tokenSize(Envelope.prepare(endpoint, answer, results, {}, cursor))
          }),
          // A failed example has no estimate.
          Effect.orElseSucceed(() => undefined),
        )
        counted.set(endpoint.id, tokens)
        return tokens
      })
      return {
        of: (endpoint, now) =>
          Effect.suspend(() =>
            counted.has(endpoint.id) ? Effect.succeed(counted.get(endpoint.id)) : count(endpoint, now),
          ),
      }
    }),
  )
}

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import type { ProductSource } from "../../../../core/lanes/weather/reports/climateSources.ts"
import { toFailure } from "../../../runtime/upstream/upstream.ts"
import { wholeProduct } from "../wholeProduct.ts"
import type { Api } from "./api.ts"

/** `GET /products/types/CLI/locations/NYC`: the products of about a week, newest first. */
const List = Schema.Struct({
  "@graph": Schema.Array(
    Schema.Struct({
      id: Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9-]{1,64}$/)),
      issuanceTime: Schema.String.pipe(Schema.filter((text) => !Number.isNaN(Date.parse(text)))),
    }),
  ),
})

/** `GET /products/{id}`. */
const Product = Schema.Struct({ productText: Schema.String })

const mostKept = 1_000

/** The weather service's climate reports. */
export const make = (service: Api): ProductSource => {
  const api = service.accepting("application/ld+json")
  // A product never changes: its text is fetched once.
  const cache = new BoundedMap<string, string>(mostKept)
  return {
    name: "NWS daily climate report",
    list: ({ cliProduct }, from) =>
      api.get(List, `/products/types/CLI/locations/${cliProduct.slice(3)}`).pipe(
        Effect.map((wire) =>
          wire["@graph"]
            .map(({ id, issuanceTime }) => ({ id, issuedAt: Date.parse(issuanceTime) }))
            .filter(({ issuedAt }) => issuedAt >= from),
        ),
        Effect.mapError(toFailure),
      ),
    text: ({ cliProduct }, id) => {
      const known = cache.get(id)
      if (known !== undefined) return Effect.succeed(known)
      return api.get(Product, `/products/${id}`).pipe(
        Effect.flatMap(({ productText }) => wholeProduct(api.upstream, productText, cliProduct)),
        Effect.tap((text) => Effect.sync(() => cache.set(id, text))),
        Effect.mapError(toFailure),
      )
    },
  }
}

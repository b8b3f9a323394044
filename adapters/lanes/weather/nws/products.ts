import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import type { ProductSource } from "../../../../core/lanes/weather/ports.ts"
import type { Station } from "../../../../core/lanes/weather/stations.ts"
import { toInstant } from "../../../../core/sources/identity.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { toFailure } from "../../../runtime/upstream/upstream.ts"
import { isProduct } from "../wholeProduct.ts"

/** `GET /products/types/CLI/locations/NYC`: the products of about a week, newest first. */
const List = Schema.Struct({
  "@graph": Schema.Array(
    Schema.Struct({
      id: Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9-]{1,64}$/)),
      issuanceTime: Schema.String.pipe(Schema.filter((text) => toInstant(text) !== undefined)),
    }),
  ),
})

const Product = Schema.Struct({ productText: Schema.String })

const mostKept = 1_000

const policy = { headers: { accept: "application/ld+json" } }

export const products = Upstream.question(Upstream.readJson(List), {
  path: ({ cliProduct }: Station) => `/products/types/CLI/locations/${cliProduct.slice(3)}`,
  policy,
  unstated: "The station: the AWIPS id of each product that is listed.",
  identity: Either.right,
})

export const product = Upstream.question(Upstream.readJson(Product), {
  path: ({ id }: { readonly id: string; readonly awipsId: string }) => `/products/${id}`,
  policy,
  identity: ({ productText }, { awipsId }, now) => isProduct(productText, awipsId, now),
})

export const make = ({ ask }: Upstream.Source): ProductSource => {
  // A product never changes: its text is fetched once.
  const cache = new BoundedMap<string, string>(mostKept)
  return {
    name: "NWS daily climate report",
    list: (station, from) =>
      ask(products, station).pipe(
        Effect.map((wire) =>
          wire["@graph"]
            .map(({ id, issuanceTime }) => ({ id, issuedAt: Date.parse(issuanceTime) }))
            .filter(({ issuedAt }) => issuedAt >= from),
        ),
        Effect.mapError(toFailure),
      ),
    text: ({ cliProduct }, id) => {
      const cached = cache.get(id)
      if (cached !== undefined) return Effect.succeed(cached)
      return ask(product, { id, awipsId: cliProduct }).pipe(
        Effect.tap((text) => Effect.sync(() => cache.set(id, text))),
        Effect.mapError(toFailure),
      )
    },
  }
}

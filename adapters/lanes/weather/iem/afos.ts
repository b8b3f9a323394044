import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Failure } from "../../../../core/Failure.ts"
import type { ProductSource } from "../../../../core/lanes/weather/ports.ts"
import { makeIdentityCheck, sharedValue, toInstant } from "../../../../core/sources/identity.ts"
import { day, dayOf } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { misshapen, toFailure } from "../../../runtime/upstream/upstream.ts"
import { isProduct } from "../wholeProduct.ts"

/** Issue time, office, heading, AWIPS id and amendment. */
const productForm = /^\d{12}-[A-Z0-9]{4}-[A-Z0-9]{6}-([A-Z0-9]{3,6})(?:-[A-Z0-9]{3})?$/

/** `GET /api/1/nws/afos/list.json?pil=CLINYC&date=2026-07-10`: the products of one day, UTC. */
const List = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      product_id: Schema.String.pipe(Schema.pattern(productForm)),
      entered: Schema.String.pipe(Schema.filter((text) => toInstant(text) !== undefined)),
    }),
  ),
})

interface Asked {
  readonly awipsId: string
  /** UTC. */
  readonly date: string
}

export const products = Upstream.question(Upstream.readJson(List), {
  path: () => "/api/1/nws/afos/list.json",
  query: ({ awipsId, date }: Asked) => ({ pil: awipsId, date }),
  identity: makeIdentityCheck({
    name: ({ awipsId, date }) => `The list of ${awipsId} of ${date}`,
    says: {
      "AWIPS id": ({ data }, { awipsId }) => [
        sharedValue(data.map(({ product_id }) => productForm.exec(product_id)?.[1] ?? "")) ?? awipsId,
        awipsId,
      ],
      date: ({ data }, { date }) => [sharedValue(data.map(({ entered }) => dayOf(Date.parse(entered)))) ?? date, date],
    },
  }),
})

/** The text of a product, `GET /api/1/nwstext/{id}`. */
export const productText = Upstream.question(Upstream.readText, {
  path: (id: string) => `/api/1/nwstext/${id}`,
  policy: { maxBytes: 65_536, headers: { accept: "text/plain" } },
  identity: (text, id, now) => isProduct(text, productForm.exec(id)![1]!, now),
})

/** The text of a product; a malformed id is refused, so that it enters no path. */
export const fetchText = ({ ask, upstream }: Upstream.Source, id: string): Effect.Effect<string, Failure> =>
  Effect.mapError(
    productForm.test(id) ? ask(productText, id) : misshapen(upstream, `${id} is not a product id.`),
    toFailure,
  )

/** The archive's copy of the weather service's text products, for outages of the service. */
export const make = (source: Upstream.Source): ProductSource => ({
  name: "Iowa Environmental Mesonet, archive of text products",
  list: ({ cliProduct }, from, now) => {
    const days = Array.from({ length: Math.floor(now / day) - Math.floor(from / day) + 1 }, (_, n) =>
      dayOf(from + n * day),
    )
    return Effect.forEach(days, (date) => source.ask(products, { awipsId: cliProduct, date })).pipe(
      Effect.map((pages) =>
        pages
          .flatMap(({ data }) => data)
          .map(({ product_id, entered }) => ({ id: product_id, issuedAt: Date.parse(entered) }))
          .filter(({ issuedAt }) => issuedAt >= from),
      ),
      Effect.mapError(toFailure),
    )
  },
  text: (_station, id) => fetchText(source, id),
})

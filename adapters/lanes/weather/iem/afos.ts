import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ProductSource } from "../../../../core/lanes/weather/reports/climateSources.ts"
import { day, dayOf } from "../../../../core/time.ts"
import { misshapen, toFailure, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { wholeProduct } from "../wholeProduct.ts"
import type { Api } from "./api.ts"

/** Issue time, office, heading, AWIPS id and amendment. */
const productForm = /^\d{12}-[A-Z0-9]{4}-[A-Z0-9]{6}-([A-Z0-9]{3,6})(?:-[A-Z0-9]{3})?$/

/** `GET /api/1/nws/afos/list.json?pil=CLINYC&date=2026-07-10`: the products of one day, UTC. */
const List = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      product_id: Schema.String.pipe(Schema.pattern(productForm)),
      entered: Schema.String.pipe(Schema.filter((text) => !Number.isNaN(Date.parse(text)))),
    }),
  ),
})

/** The text of a product, `GET /api/1/nwstext/{id}`. */
export const productText = (api: Api, id: string): Effect.Effect<string, UpstreamError> => {
  const awipsId = productForm.exec(id)?.[1]
  return awipsId === undefined
    ? Effect.fail(misshapen(api.upstream, `${id} is not a product id.`))
    : Effect.flatMap(api.text(`/api/1/nwstext/${id}`), (text) => wholeProduct(api.upstream, text, awipsId))
}

/** The archive's copy of the weather service's text products, for outages of the service itself. */
export const make = (api: Api): ProductSource => ({
  name: "Iowa Environmental Mesonet, archive of text products",
  list: ({ cliProduct }, from, now) => {
    const days = Array.from({ length: Math.floor(now / day) - Math.floor(from / day) + 1 }, (_, n) =>
      dayOf(from + n * day),
    )
    return Effect.forEach(days, (date) => api.json(List, "/api/1/nws/afos/list.json", { pil: cliProduct, date })).pipe(
      Effect.map((pages) =>
        pages
          .flatMap(({ data }) => data)
          .map(({ product_id, entered }) => ({ id: product_id, issuedAt: Date.parse(entered) }))
          .filter(({ issuedAt }) => issuedAt >= from),
      ),
      Effect.mapError(toFailure),
    )
  },
  text: (_station, id) => Effect.mapError(productText(api, id), toFailure),
})

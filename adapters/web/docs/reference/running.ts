import * as Effect from "effect/Effect"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { docsOf } from "../../../describe/describe.ts"
import type { Demo } from "../../demo.ts"
import { addressWith } from "../../view/addresses.ts"
import type { Operation } from "./operations.ts"
import { type Run, valuesIn } from "./Try.tsx"

/** The address of the reference at which a call is run, with its answer. */
export const addressOfRun = (
  catalogue: Catalogue.Any,
  { id }: Endpoint.Any,
  params: Readonly<Record<string, unknown>>,
): string => {
  const { endpoint, lane } = catalogue.byId.get(id)!
  return `${addressWith(docsOf(Endpoint.sectionOf(endpoint, lane)), { run: id, ...params })}#${id}`
}

/** Runs the call of a query, by endpoint. One that is not here cannot be run by readers. */
export type Runs = ReadonlyMap<string, (query: URLSearchParams, address: string | undefined) => Effect.Effect<Run>>

/**
 * Readers may run the endpoints that are read with GET and are not about an account.
 *
 * @param demo absent: they may run none
 * @param find the operation of an endpoint in the reference
 */
export const runs = (catalogue: Catalogue.Any, demo: Demo | undefined, find: (id: string) => Operation): Runs =>
  new Map(
    Catalogue.live(catalogue).flatMap((entry) => {
      const { id, writes, method } = entry.endpoint
      if (demo === undefined || entry.lane.about !== "market" || writes !== undefined || method === "POST") return []
      const run = (query: URLSearchParams, address: string | undefined) => {
        const values = valuesIn(find(id), query)
        return Effect.map(demo.run(entry, values, address), (served): Run => ({ id, values, served }))
      }
      return [[id, run] as const]
    }),
  )

import * as Effect from "effect/Effect"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { type Field, fieldsOf } from "../../../admin/fields.ts"
import { groupDocsPath } from "../../../describe/paths.ts"
import type { Demo } from "../../demo.ts"
import { addressWith } from "../../view/addresses.ts"
import type { Run } from "./Try.tsx"

/** The address of the reference at which a call is run, with its answer. */
export const addressOfRun = (
  catalogue: Catalogue.Any,
  { id }: Endpoint.Any,
  params: Readonly<Record<string, unknown>>,
): string => {
  const { endpoint, lane } = catalogue.byId.get(id)!
  return `${addressWith(groupDocsPath(Endpoint.sectionOf(endpoint, lane)), { run: id, ...params })}#${id}`
}

/** An endpoint that readers may run: its fields, and the call of a query. */
interface Runnable {
  readonly fields: ReadonlyArray<Field>
  readonly run: (query: URLSearchParams, address: string | undefined) => Effect.Effect<Run>
}

/** By endpoint. One that is not here cannot be run by readers. */
export type Runs = ReadonlyMap<string, Runnable>

/**
 * Readers may run the endpoints that are read with GET and are not about an account.
 *
 * @param demo absent: they may run none
 */
export const runs = (catalogue: Catalogue.Any, demo: Demo | undefined): Runs =>
  new Map(
    Catalogue.live(catalogue).flatMap((entry) => {
      const { id, writes, method } = entry.endpoint
      if (demo === undefined || entry.lane.about !== "market" || writes !== undefined || method === "POST") return []
      const fields = fieldsOf(entry.endpoint)
      const run: Runnable["run"] = (query, address) => {
        const values = Object.fromEntries(
          fields.flatMap(({ name }) => {
            const text = query
              .getAll(name)
              .map((each) => each.trim())
              .filter((each) => each !== "")
              .join(",")
            return text === "" ? [] : [[name, text]]
          }),
        )
        return Effect.map(demo.run(entry, values, address), (served): Run => ({ id, values, served }))
      }
      return [[id, { fields, run }] as const]
    }),
  )

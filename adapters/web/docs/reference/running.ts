import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { docsOf } from "../../../describe/describe.ts"
import { Site } from "../../../server/http/Site.ts"
import type { Demo } from "../../demo.ts"
import { type Document, fixed, rendered, types } from "../../view/document.ts"
import type { Operation } from "./operations.ts"
import { type Run, valuesIn } from "./Try.tsx"

/** The address of the reference at which a call is run, with its answer. */
export const addressOfRun = (
  catalogue: Catalogue.Any,
  { id }: Endpoint.Any,
  params: Readonly<Record<string, unknown>>,
): string => {
  const { endpoint, lane } = catalogue.byId.get(id)!
  const query = new URLSearchParams([
    ["run", id],
    ...Object.entries(params).map(([name, value]) => [name, String(value)]),
  ])
  return `${docsOf(Endpoint.sectionOf(endpoint, lane))}?${query}#${id}`
}

/** The endpoints that a reader may run: they are read with GET, and are not about an account. */
export const runnableIn = (catalogue: Catalogue.Any): ReadonlyArray<string> =>
  Catalogue.live(catalogue).flatMap(({ endpoint, lane }) =>
    lane.about === "market" && endpoint.writes === undefined && Endpoint.methodOf(endpoint) === "GET"
      ? [endpoint.id]
      : [],
  )

/** Runs the call that an address names; undefined: it names none. */
export type Ask = (query: URLSearchParams, address: string | undefined) => Effect.Effect<Run | undefined>

/** @param find an operation of the reference by its id */
export const runs = (catalogue: Catalogue.Any, demo: Demo, find: (id: string) => Operation | undefined): Ask => {
  const runnable = new Set(runnableIn(catalogue))
  return (query, address) => {
    const id = query.get("run") ?? ""
    const [entry, operation] = [catalogue.byId.get(id), find(id)]
    if (entry === undefined || operation === undefined || !runnable.has(id)) return Effect.succeed(undefined)
    const values = valuesIn(operation, query)
    return Effect.map(demo.run(entry, values, address), (served): Run => ({ id, values, served }))
  }
}

/** A page that is kept as it is, and rendered for each call that a reader runs on it. */
export const answeringRuns = (asked: Ask | undefined, render: (site: Site, run?: Run) => string): Document => {
  const unasked = rendered((site) => render(site))
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url, remoteAddress }) => {
    const at = url.indexOf("?run=")
    if (asked === undefined || at === -1) return unasked
    return Effect.flatMap(asked(new URLSearchParams(url.slice(at)), Option.getOrUndefined(remoteAddress)), (run) =>
      run === undefined ? unasked : Effect.flatMap(Site, (site) => fixed(types.html, render(site, run))),
    )
  })
}

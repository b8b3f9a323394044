import * as Endpoint from "./Endpoint.ts"
import type * as Lane from "./Lane.ts"

type ById<E extends Endpoint.Any> = { readonly [X in E as X["id"]]: X }

export interface Entry<E extends Endpoint.Any = Endpoint.Any> {
  readonly endpoint: E
  readonly lane: Lane.Any
  /** The name of the lane's method for it. */
  readonly method: string
}

/** Any catalogue, without type parameters, for code that folds over one. */
export interface Any {
  readonly lanes: ReadonlyArray<Lane.Any>
  readonly entries: ReadonlyArray<Entry>
  readonly byId: ReadonlyMap<string, Entry>
  readonly byPath: ReadonlyMap<string, Entry>
}

export interface Catalogue<L extends Lane.Any> extends Any {
  readonly lanes: ReadonlyArray<L>
  readonly endpoints: ById<Lane.EndpointsOf<L>>
  readonly get: <Id extends keyof ById<Lane.EndpointsOf<L>>>(id: Id) => ById<Lane.EndpointsOf<L>>[Id]
}

/** Every endpoint of the given lanes. An embedder can make a catalogue of some lanes only. */
export const make = <const L extends ReadonlyArray<Lane.Any>>(...lanes: L): Catalogue<L[number]> => {
  const entries: ReadonlyArray<Entry> = lanes.flatMap((lane) =>
    Object.entries(lane.endpoints as Lane.Endpoints).map(([method, endpoint]) => ({ endpoint, lane, method })),
  )
  const byId = new Map(entries.map((entry) => [entry.endpoint.id, entry]))
  const byPath = new Map(entries.map((entry) => [entry.endpoint.path as string, entry]))
  const routes = new Set(entries.map(({ endpoint }) => `${endpoint.method ?? "GET"} ${endpoint.path}`))
  if (byId.size !== entries.length || routes.size !== entries.length)
    throw new Error("Catalogue: an id or path is used twice")
  const endpoints = Object.fromEntries(entries.map((entry) => [entry.endpoint.id, entry.endpoint])) as unknown as ById<
    Lane.EndpointsOf<L[number]>
  >
  return { lanes, entries, endpoints, byId, byPath, get: (id) => endpoints[id] }
}

/** The sold endpoints. Those in development answer, but are not counted, listed as tools or charged. */
export const live = (catalogue: Any): ReadonlyArray<Entry> =>
  catalogue.entries.filter(({ endpoint }) => endpoint.status !== "development")

export const counts = (
  catalogue: Any,
): { readonly endpoints: number; readonly free: number; readonly lowestPaidMicros: number } => {
  const prices = live(catalogue).map(({ endpoint }) => Endpoint.charge(endpoint))
  return {
    endpoints: prices.length,
    free: prices.filter((micros) => micros === 0).length,
    lowestPaidMicros: Math.min(...prices.filter((micros) => micros > 0)),
  }
}

/** Withdrawn paths, which answer 410; `/*` stands for any last segment. */
export const notOffered = [
  "/v1/options/unusual",
  "/v1/factor/score",
  "/v1/backtest/run",
  "/v1/jobs/*",
  "/v1/equity/research",
  "/v1/regime/classify",
  "/v1/news/sentiment",
  "/v1/portfolio/risk",
] as const

export const isNotOffered = (path: string): boolean =>
  notOffered.some((each) =>
    each.endsWith("/*") ? path.startsWith(each.slice(0, -1)) && path.length >= each.length : path === each,
  )

import * as Context from "effect/Context"

/** The paths that a listener serves: pages link to nothing else. */
export interface Site {
  readonly served: (path: string) => boolean
}

/** The site of the listener that answers a request: handlers of pages read it, for only it knows all routes. */
export const Site = Context.GenericTag<Site>("market-signals/adapters/server/http/Site")

/** A site without paths, for pages outside a listener. */
export const emptySite: Site = { served: () => false }

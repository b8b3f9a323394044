import { display } from "../../../core/account/Money.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { planEstimate } from "../../../core/lanes/account/endpoints.ts"
import * as Pricing from "./pricing.ts"
import * as Schemas from "./schemas.ts"
import * as Toolsets from "./toolsets.ts"

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schemas.ObjectSchema
  /** In outline; the whole schema is a resource. */
  readonly outputSchema: Schemas.ObjectSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly openWorldHint: boolean
  }
  readonly _meta: {
    readonly price_micros: number
    readonly price: string
    readonly auth: Endpoint.Auth
    /** The same call over HTTP. */
    readonly endpoint: string
  }
}

const capitals: ReadonlySet<string> = new Set(["nfl", "mlb", "qb", "sec"])

/** A short title of an id: `nfl_fair_line` is NFL fair line. */
const titleOf = (id: string): string => {
  const words = id.split("_").map((word) => (capitals.has(word) ? word.toUpperCase() : word))
  return words.join(" ").replace(/^./, (letter) => letter.toUpperCase())
}

const deprecated = ({ deprecation }: Endpoint.Any): string =>
  deprecation === undefined ? "" : ` Deprecated since ${deprecation.since}, removed after ${deprecation.sunset}.`

const described = (endpoint: Endpoint.Any): Tool => ({
  name: endpoint.id,
  title: titleOf(endpoint.id),
  description:
    `${endpoint.summary}.${deprecated(endpoint)}${endpoint.auth === "none" ? " No API key needed." : ""}` +
    ` Price per call: ${display(endpoint.priceMicros)}.`,
  inputSchema: Schemas.input(endpoint),
  outputSchema: Schemas.outline(endpoint),
  annotations: {
    readOnlyHint: endpoint.writes === undefined,
    destructiveHint: endpoint.writes === "destructive",
    openWorldHint: endpoint.kind !== "Proof",
  },
  _meta: {
    price_micros: endpoint.priceMicros,
    price: display(endpoint.priceMicros),
    auth: endpoint.auth,
    endpoint: endpoint.path,
  },
})

const pricing: Tool = {
  name: Pricing.name,
  title: titleOf(Pricing.name),
  description: `${Pricing.summary}. No API key needed for the list. Price per call: ${Pricing.price}.`,
  inputSchema: Pricing.input,
  outputSchema: Pricing.outline,
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  _meta: {
    price_micros: Pricing.priceMicros,
    price: Pricing.price,
    auth: "none",
    endpoint: planEstimate.path,
  },
}

/** A tool with what decides whether it is listed. */
export interface Entry extends Toolsets.Membership {
  readonly tool: Tool
}

/** One tool per live endpoint, and `pricing`. */
export const entries = (catalogue: Catalogue.Any): ReadonlyArray<Entry> => [
  ...Catalogue.live(catalogue).map(({ endpoint, lane }) => ({
    tool: described(endpoint),
    toolset: lane.name,
    isKeyed: !Endpoint.isKeyless(endpoint),
  })),
  { tool: pricing, isKeyed: false },
]

/** The tools that a caller sees; by default all. */
export const list = (catalogue: Catalogue.Any, view: Toolsets.View = {}): ReadonlyArray<Tool> =>
  entries(catalogue)
    .filter((entry) => Toolsets.isListed(entry, view))
    .map(({ tool }) => tool)

import { display } from "../../../core/account/Money.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { accountCatalogue } from "../../../core/lanes/account/Account.ts"
import { callerTools } from "../../../core/lanes/account/find.ts"
import { planEstimate } from "../../../core/lanes/account/plan.ts"
import * as Pricing from "./pricing.ts"
import * as Schemas from "./schemas.ts"
import * as Toolsets from "./toolsets.ts"

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schemas.ObjectSchema
  /** Shortened; the whole schema is a resource. */
  readonly outputSchema: Schemas.ObjectSchema
  /** `readOnlyHint` always; the others where they differ from the protocol's defaults: destructive, on an open world. */
  readonly annotations: {
    readonly readOnlyHint?: boolean
    readonly destructiveHint?: false
    readonly openWorldHint?: false
  }
  readonly _meta: {
    readonly price_micros: number
    /** Present for tools that need no key. */
    readonly auth?: "none"
    /** The path of its endpoint over HTTP. */
    readonly endpoint: string
  }
}

const acronyms: ReadonlySet<string> = new Set(["nfl", "mlb", "qb", "sec"])

/** A short title of an id: `nfl_fair_line` is NFL fair line. */
const titleOf = (id: string): string => {
  const words = id.split("_").map((word) => (acronyms.has(word) ? word.toUpperCase() : word))
  return words.join(" ").replace(/^./, (letter) => letter.toUpperCase())
}

const deprecated = ({ deprecation }: Endpoint.Any): string =>
  deprecation === undefined ? "" : ` Deprecated since ${deprecation.since}, removed after ${deprecation.sunset}.`

/** A priced call debits the wallet, so that it is not read-only. */
const annotationsOf = ({ writes, kind, priceMicros }: Endpoint.Any): Tool["annotations"] => ({
  readOnlyHint: writes === undefined && priceMicros === 0,
  ...(writes === "destructive" || (writes === undefined && priceMicros === 0) ? {} : { destructiveHint: false }),
  ...(kind === "Proof" ? { openWorldHint: false } : {}),
})

const makeTool = (endpoint: Endpoint.Any): Tool => ({
  name: endpoint.id,
  title: titleOf(endpoint.id),
  description: [
    `${endpoint.summary}.${deprecated(endpoint)}`,
    endpoint.use,
    endpoint.auth === "none" ? "No key, free." : `Price: ${display(endpoint.priceMicros)}.`,
  ]
    .filter((part) => part !== undefined)
    .join(" "),
  inputSchema: Schemas.input(endpoint),
  outputSchema: Schemas.outline(endpoint),
  annotations: annotationsOf(endpoint),
  _meta: {
    price_micros: endpoint.priceMicros,
    ...(endpoint.auth === "none" ? { auth: "none" } : {}),
    endpoint: Endpoint.pathTemplate(endpoint),
  },
})

const pricing: Tool = {
  name: Pricing.name,
  title: titleOf(Pricing.name),
  description: Pricing.description,
  inputSchema: Pricing.input,
  outputSchema: Pricing.outline,
  annotations: { readOnlyHint: true, openWorldHint: false },
  _meta: { price_micros: 0, auth: "none", endpoint: planEstimate.path },
}

export interface Entry extends Toolsets.Membership {
  readonly tool: Tool
  /** The endpoint that the tool calls; absent for `pricing`, which this server answers itself. */
  readonly served?: Catalogue.Entry
}

/** One tool per live endpoint, `pricing`, the key's `wallet` and `find`, and with `manages` those of alerts and webhooks. */
export const entries = (catalogue: Catalogue.Any, manages = true): ReadonlyArray<Entry> => [
  ...Catalogue.live(catalogue).map((served) => ({
    tool: makeTool(served.endpoint),
    served,
    toolset: served.lane.name,
    isKeyed: !Endpoint.isKeyless(served.endpoint),
  })),
  { tool: pricing, isKeyed: false },
  ...accountCatalogue.entries.flatMap((served): ReadonlyArray<Entry> => {
    const tool = makeTool(served.endpoint)
    if (served.lane.about === "caller") return callerTools.has(tool.name) ? [{ tool, served, isKeyed: true }] : []
    return manages ? [{ tool, served, toolset: served.lane.name, isKeyed: true }] : []
  }),
]

/** The tools that a caller sees; without a view all but those that manage. */
export const list = (catalogue: Catalogue.Any, view: Toolsets.View = {}): ReadonlyArray<Tool> =>
  entries(catalogue)
    .filter((entry) => Toolsets.isListed(entry, view))
    .map(({ tool }) => tool)

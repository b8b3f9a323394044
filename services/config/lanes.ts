import * as Config from "effect/Config"
import * as Option from "effect/Option"
import {
  type Any,
  type AnySettings,
  type LaneOf,
  type Mode,
  servedMode,
  type UpstreamsOf,
} from "../../adapters/lanes/LaneModule.ts"
import type { WorldConfig } from "../../adapters/lanes/world.ts"
import type { Definition } from "../../adapters/runtime/upstream/Definition.ts"
import { freshnesses } from "../../core/endpoint/Answer.ts"
import { choice, matching, subset, values, variable, webUrl } from "./values.ts"

/** The names of lanes with live data, whose mode can be set. */
type Switched<M> = M extends unknown ? ("live" extends keyof M ? LaneOf<M>["name"] : never) : never

export interface Lanes<M> {
  readonly modes: Readonly<Record<Switched<M>, Mode>>
  /** Upstream URLs, which tests and mirrors can replace, and our User-Agent. */
  readonly upstreams: Readonly<Record<UpstreamsOf<M>, string>> & { readonly userAgent: string }
  /** Sources that have an address and are not read, because their terms are not accepted. */
  readonly unaccepted: ReadonlyArray<string>
}

/** The User-Agent without a contact. */
export const anonymous = "market-signals"

/** The variables of all lanes. The weather service requires a contact in every User-Agent. */
export const general = {
  mode: variable("DATA_FRESHNESS", choice(freshnesses), "mock, shadow or live data in every lane", { default: "mock" }),
  contact: variable(
    "UPSTREAM_CONTACT",
    matching(/^[\x20-\x7e]{1,200}$/, "Expected 1 to 200 printable ASCII characters, such as an e-mail address."),
    "contact in the User-Agent for sources; the weather service requires one",
  ),
}

/** The variables of the lanes with live data, whose names derive from their modules. */
export const laneVariables = (modules: ReadonlyArray<Any>) => {
  const live = modules.flatMap(({ live, definition: { lane }, upstreams }) =>
    live === undefined ? [] : [{ lane: lane.name, upstreams: Object.values(upstreams) }],
  )
  const mode = (lane: string) =>
    variable(
      `DATA_FRESHNESS_${lane.toUpperCase()}`,
      choice(freshnesses),
      `mock, shadow or live data of the lane ${lane}`,
      { defaultText: "as DATA_FRESHNESS" },
    )
  // A source without an address is off until an operator, who knows its terms, sets one.
  const address = (lane: string, source: string, url: string) =>
    variable(
      `${source.toUpperCase()}_URL`,
      webUrl,
      `base URL of the source ${source} of the lane ${lane}, or of a mirror`,
      { default: url, ...(url === "" && { defaultText: "not asked" }) },
    )
  return {
    modes: Object.fromEntries(live.map(({ lane }) => [lane, mode(lane)])),
    upstreams: Object.fromEntries(
      live.flatMap(({ lane, upstreams }) => upstreams.map(({ name, url }) => [name, address(lane, name, url)])),
    ),
  }
}

/** The sources whose terms restrict the use of their data. */
export const sourcesWithTerms = (modules: ReadonlyArray<Any>): ReadonlyArray<Definition> =>
  modules.flatMap(({ upstreams }) => Object.values(upstreams)).filter(({ terms }) => terms !== undefined)

const unaccepted = (modules: ReadonlyArray<Any>, accepted: ReadonlySet<string>): ReadonlyArray<string> =>
  sourcesWithTerms(modules).flatMap(({ name }) => (accepted.has(name) ? [] : [name]))

/** The variable in which the operator accepts such terms. */
export const termsVariables = (modules: ReadonlyArray<Any>) => {
  const names = sourcesWithTerms(modules).map(({ name }) => name)
  return {
    termsAccepted: variable(
      "TERMS_ACCEPTED",
      subset(names),
      `sources whose terms you accept, separated by commas, of ${names.join(", ")}; a live lane reads none of these that is missing here, and \`doctor\` says what they restrict`,
      { default: new Set<string>(), defaultText: "none" },
    ),
  }
}

/** Modes, upstream URLs and terms of lanes, from the variables in their modules. */
export const laneSettings = <const Modules extends ReadonlyArray<Any>>(
  modules: Modules,
): Config.Config<Lanes<Modules[number]>> => {
  const { modes, upstreams } = laneVariables(modules)
  return Config.all({
    general: values(general),
    modes: values(modes),
    upstreams: values(upstreams),
    accepted: values(termsVariables(modules)),
  }).pipe(
    Config.map(({ general: { mode, contact }, modes, upstreams, accepted: { termsAccepted } }) => ({
      modes: Object.fromEntries(
        Object.entries(modes).map(([lane, given]) => [lane, Option.getOrElse(given, () => mode)]),
      ),
      upstreams: {
        ...upstreams,
        ...Object.fromEntries(unaccepted(modules, termsAccepted).map((name) => [name, ""])),
        userAgent: Option.match(contact, { onNone: () => anonymous, onSome: (text) => `market-signals (${text})` }),
      },
      unaccepted: unaccepted(modules, termsAccepted).filter((name) => upstreams[name] !== ""),
    })),
  ) as Config.Config<unknown> as Config.Config<Lanes<Modules[number]>>
}

/** The configuration of the world. A lane without live data is always mock. */
export const readWorld = <const Modules extends ReadonlyArray<Any>>(
  modules: Modules,
  { modes, upstreams }: Omit<Lanes<Modules[number]>, "unaccepted">,
): WorldConfig => ({
  modes: Object.fromEntries(
    modules.map((module) => {
      const { name } = module.definition.lane
      return [name, servedMode(module, (modes as Readonly<Record<string, Mode>>)[name] ?? "mock")]
    }),
  ),
  settings: (): AnySettings => upstreams,
})

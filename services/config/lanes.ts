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
import { freshnesses } from "../../core/endpoint/Answer.ts"
import { choice, consent, matching, values, variable, webUrl } from "./values.ts"

/** Lanes with live data, whose mode can be set. */
type Switched<M> = M extends unknown ? ("live" extends keyof M ? LaneOf<M>["name"] : never) : never

/** The settings of the modules' lanes. */
export interface Lanes<M> {
  readonly modes: Readonly<Record<Switched<M>, Mode>>
  /** Upstream URLs, which tests and mirrors can replace, and our User-Agent. */
  readonly upstreams: Readonly<Record<UpstreamsOf<M>, string>> & { readonly userAgent: string }
  /** Accepted upstream terms. */
  readonly termsAccepted: Readonly<Record<string, boolean>>
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
  const live = modules.flatMap(({ live, definition: { lane }, upstreams, terms }) =>
    live === undefined ? [] : [{ lane: lane.name, upstreams: Object.values(upstreams), terms }],
  )
  const mode = (lane: string) =>
    variable(
      `DATA_FRESHNESS_${lane.toUpperCase()}`,
      choice(freshnesses),
      `mock, shadow or live data of the lane ${lane}`,
      { otherwise: "as DATA_FRESHNESS" },
    )
  const accepted = (lane: string, name: string) =>
    consent(name, `\`yes\` confirms that you comply with the source's terms (required for live ${lane} data)`)
  // A source without an address is off until an operator, who knows its terms, sets one.
  const address = (lane: string, source: string, url: string) =>
    variable(
      `${source.toUpperCase()}_URL`,
      webUrl,
      `base URL of the source ${source} of the lane ${lane}, or of a mirror`,
      { default: url, ...(url === "" && { otherwise: "not asked" }) },
    )
  return {
    modes: Object.fromEntries(live.map(({ lane }) => [lane, mode(lane)])),
    terms: Object.fromEntries(
      live.flatMap(({ lane, terms }) => (terms === undefined ? [] : [[lane, accepted(lane, terms)]])),
    ),
    upstreams: Object.fromEntries(
      live.flatMap(({ lane, upstreams }) => upstreams.map(({ name, url }) => [name, address(lane, name, url)])),
    ),
  }
}

/** Modes, upstream URLs and terms of lanes, from the variables in their modules. */
export const config = <const Modules extends ReadonlyArray<Any>>(
  modules: Modules,
): Config.Config<Lanes<Modules[number]>> => {
  const { modes, terms, upstreams } = laneVariables(modules)
  return Config.all({
    general: values(general),
    modes: values(modes),
    upstreams: values(upstreams),
    termsAccepted: values(terms),
  }).pipe(
    Config.map(({ general: { mode, contact }, modes, upstreams, termsAccepted }) => ({
      modes: Object.fromEntries(
        Object.entries(modes).map(([lane, given]) => [lane, Option.getOrElse(given, () => mode)]),
      ),
      upstreams: {
        ...upstreams,
        userAgent: Option.match(contact, {
          onNone: () => anonymous,
          onSome: (text) => `market-signals (${text})`,
        }),
      },
      termsAccepted,
    })),
  ) as Config.Config<unknown> as Config.Config<Lanes<Modules[number]>>
}

/** The settings in the form of a world. A lane without live data is always mock. */
export const readWorld = <const Modules extends ReadonlyArray<Any>>(
  modules: Modules,
  { modes, upstreams, termsAccepted }: Lanes<Modules[number]>,
): WorldConfig => ({
  modes: Object.fromEntries(
    modules.map((module) => {
      const { name } = module.definition.lane
      return [name, servedMode(module, (modes as Readonly<Record<string, Mode>>)[name] ?? "mock")]
    }),
  ),
  settings: (lane): AnySettings => ({ ...upstreams, termsAccepted: termsAccepted[lane] ?? false }),
})

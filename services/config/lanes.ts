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
import { choice, consent, webUrl } from "./values.ts"

const mode = (name: string): Config.Config<Mode> => choice(name, freshnesses)

/** Contact for upstreams: the weather service requires one in every User-Agent. */
const userAgent = Config.option(
  Config.string("UPSTREAM_CONTACT").pipe(
    Config.validate({
      message: "Expected 1 to 200 printable ASCII characters, such as an e-mail address.",
      validation: (contact) => /^[\x20-\x7e]{1,200}$/.test(contact),
    }),
  ),
).pipe(Config.map(Option.match({ onNone: () => "market-signals", onSome: (contact) => `market-signals (${contact})` })))

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

const general = mode("DATA_FRESHNESS").pipe(Config.withDefault<Mode>("mock"))

const ofEach = <A>(
  items: ReadonlyArray<readonly [name: string, value: Config.Config<A>]>,
): Config.Config<Readonly<Record<string, A>>> => Config.all(Object.fromEntries(items)) as never

/** Modes, upstream URLs and terms of lanes, from the variables in their modules. */
export const config = <const Modules extends ReadonlyArray<Any>>(
  modules: Modules,
): Config.Config<Lanes<Modules[number]>> => {
  const switched = modules.filter(({ live }) => live !== undefined)
  return Config.all({
    modes: ofEach(
      switched.map(({ definition: { lane } }) => [
        lane.name,
        Config.all([general, Config.option(mode(`DATA_FRESHNESS_${lane.name.toUpperCase()}`))]).pipe(
          Config.map(([mode, own]) => Option.getOrElse(own, () => mode)),
        ),
      ]),
    ),
    upstreams: Config.all({
      urls: ofEach(
        switched.flatMap(({ upstreams }) =>
          Object.entries(upstreams).map(([name, url]) => [
            name,
            webUrl(`${name.toUpperCase()}_URL`).pipe(Config.withDefault(url)),
          ]),
        ),
      ),
      userAgent,
    }).pipe(Config.map(({ urls, userAgent }) => ({ ...urls, userAgent }))),
    termsAccepted: ofEach(
      switched.flatMap(({ terms, definition: { lane } }) => (terms === undefined ? [] : [[lane.name, consent(terms)]])),
    ),
  }) as Config.Config<unknown> as Config.Config<Lanes<Modules[number]>>
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

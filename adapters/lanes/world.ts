import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { fromContext, LaneSets } from "../../core/endpoint/LaneSets.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import type { Job } from "../../core/jobs/Job.ts"
import type { Transactions } from "../store/engine/Transactions.ts"
import { register } from "./feeds.ts"
import {
  type Any,
  type AnySettings,
  type Base,
  type JobNeedsOf,
  type Mode,
  portsOf,
  type Services,
  servedMode,
} from "./LaneModule.ts"

export interface WorldConfig {
  /** Default `mock`. */
  readonly modes: Readonly<Record<string, Mode>>
  /**
   * Overrides of the defaults: the public addresses of upstreams, and the user agent `market-signals`. An upstream whose
   * terms restrict what may be done with its data is off until its address is given here.
   */
  readonly settings: (lane: string) => Partial<AnySettings>
}

const anonymous: AnySettings = { userAgent: "market-signals" }
const unconfigured: WorldConfig = { modes: {}, settings: () => ({}) }

const moduleSettings = ({ upstreams, definition }: Any, settings: WorldConfig["settings"]): AnySettings => ({
  ...Object.fromEntries(Object.values(upstreams).map(({ name, url, terms }) => [name, terms === undefined ? url : ""])),
  ...anonymous,
  ...settings(definition.lane.name),
})

const moduleContext = (module: Any, { modes, settings }: WorldConfig) => ({
  mode: servedMode(module, modes[module.definition.lane.name] ?? "mock"),
  modes,
  settings: moduleSettings(module, settings),
})

/** The register of the feeds of lanes that are not generated. */
export const registerFeeds = (
  modules: ReadonlyArray<Any>,
  config: WorldConfig,
): Effect.Effect<Feeds["Type"], never, Transactions> =>
  Effect.flatMap(
    Effect.forEach(
      modules
        .map((module) => [module, moduleContext(module, config)] as const)
        .filter(([, { mode }]) => mode !== "mock"),
      ([{ definition, feeds }, context]) => Effect.map(feeds(context), (owed) => [definition.lane.name, owed] as const),
    ),
    register,
  )

/**
 * The lanes of test keys over mock data, and those of live keys over the ports of their modes. Each port, upstream client
 * and store is built once per mode and shared by jobs and pages. A lane in mock mode is shared by both kinds of keys.
 *
 * @returns the two sets of lanes, and the services behind live keys
 */
export const layer = <const Modules extends ReadonlyArray<Any>>(
  catalogue: Catalogue.Any,
  modules: Modules,
  config: WorldConfig = unconfigured,
): Layer.Layer<Feeds | LaneSets | Services<Modules[number]>, never, Exclude<Base, Feeds>> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      type Found = Context.Context<Services<Modules[number]>>
      const { modes, settings } = config
      const feeds = yield* registerFeeds(modules, config)
      const base = Context.add(yield* Effect.context<Exclude<Base, Feeds> | Scope.Scope>(), Feeds, feeds)
      /** Builds a layer over the services built so far. */
      const build = (layer: Layer.Layer<never, never, unknown>, below: Found): Effect.Effect<Found> =>
        Effect.provide(Layer.build(layer), Context.merge(base, below)) as Effect.Effect<Found>
      let [test, live] = [Context.empty() as Found, Context.empty() as Found]
      for (const module of modules) {
        const { lane, layer } = module.definition
        const ownSettings = moduleSettings(module, settings)
        const shared = yield* build(Layer.merge(module.clients(ownSettings), module.stores), Context.empty() as Found)
        // In every mode mock ports use the mock lanes before them.
        const generated = yield* build(module.mock, Context.merge(test, shared))
        const ports = { ...module, mock: Layer.succeedContext(generated) }
        const served = (mode: Mode, below: Found) =>
          build(
            // Generated data owe no feeds.
            layer.pipe(
              Layer.provide(mode === "live" ? Layer.succeed(Feeds, feeds) : Feeds.layerNone),
              Layer.provideMerge(portsOf(ports as never, mode, ownSettings as never, modes)),
            ),
            Context.merge(below, shared),
          )
        const mock = yield* served("mock", test)
        const mode = servedMode(module, modes[lane.name] ?? "mock")
        test = Context.merge(test, mock)
        live = Context.mergeAll(live, shared, mode === "mock" ? mock : yield* served(mode, live)) as Found
      }
      const clock = yield* Effect.clock
      return Context.add(Context.add(live, Feeds, feeds), LaneSets, {
        test: fromContext(catalogue, test, clock),
        live: fromContext(catalogue, live, clock),
      })
    }),
  )

export const clientsAndStores = (module: Any, { settings }: WorldConfig): Layer.Layer<never, never, Base> =>
  Layer.merge(module.clients(moduleSettings(module, settings)), module.stores)

export const jobs = <const Modules extends ReadonlyArray<Any>>(
  modules: Modules,
  config: WorldConfig,
): Effect.Effect<ReadonlyArray<Job>, never, JobNeedsOf<Modules[number]>> => {
  const all = [...modules].sort((a, b) => (a.definition.lane.name < b.definition.lane.name ? -1 : 1))
  const lists = all.map(
    (module): Effect.Effect<ReadonlyArray<Job>, never, JobNeedsOf<Modules[number]>> =>
      module.jobs(moduleContext(module, config)),
  )
  return Effect.map(Effect.all(lists), (jobs) => jobs.flat())
}

import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { modules } from "../../adapters/lanes/all.ts"
import type { Ingest } from "../../adapters/lanes/LaneCommand.ts"
import type { Any } from "../../adapters/lanes/LaneModule.ts"
import { clientsAndStores } from "../../adapters/lanes/world.ts"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { config as environment, worldConfig } from "../Config.ts"
import { watched } from "../progress.ts"
import { laneOptions } from "./laneOptions.ts"
import { family, make } from "./parser.ts"
import { json, print, readable, store } from "./shared.ts"

/** The services of a lane's ingest, as the environment configures them. */
const servicesOf = (module: Any) =>
  Layer.unwrapEffect(Effect.map(environment, (config) => clientsAndStores(module, worldConfig(config)))).pipe(
    Layer.provide([FetchHttpClient.layer, hasher.layer, Feeds.layerNone]),
    Layer.provideMerge(store),
  )

/** A command for each lane that reads data into its stores. */
export const ingestCommands = (modules: ReadonlyArray<Any>) =>
  modules.flatMap((module) => {
    const { definition } = module
    if (module.ingest === undefined) return []
    // Of the module's own clients and stores, which a list of modules does not type.
    const ingest: Ingest<never> = module.ingest as Ingest<never>
    return make(
      definition.lane.name,
      ingest.description,
      { lane: laneOptions(ingest.arguments), json },
      ({ lane, json: asJson }) =>
        Effect.gen(function* () {
          const report = yield* readable(ingest.run(lane, asJson ? () => Effect.void : Console.log))
          yield* print(asJson, report.value, report.text)
          if (report.failure !== undefined) return yield* Effect.fail(new Error(report.failure))
        }).pipe(watched, Effect.provide(servicesOf(module))),
    )
  })

export const ingest = family("ingest", "Import upstream data into the store.", ingestCommands(modules))

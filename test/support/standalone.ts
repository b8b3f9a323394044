import * as Layer from "effect/Layer"
import { type Base, type LaneModule, type Mode, portsOf, type Settings } from "../../adapters/lanes/LaneModule.ts"
import type * as Lane from "../../core/endpoint/Lane.ts"

/** The ports of a lane in a mode over clients and stores of their own, for one that is used alone. */
export const standalone = <L extends Lane.Any, Ports, Stores, Clients, Upstream extends string, Needs, Below>(
  module: LaneModule<L, Ports, Stores, Clients, Upstream, Needs, Below>,
  mode: Mode,
  settings: Settings<Upstream>,
): Layer.Layer<Ports, never, Base | Exclude<Below, Clients | Stores>> =>
  portsOf(module, mode, settings).pipe(Layer.provide(Layer.merge(module.clients(settings), module.stores)))

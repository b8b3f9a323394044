import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Layer from "effect/Layer"
import { sources } from "../../adapters/lanes/markets/module.ts"
import * as App from "../../services/app.ts"
import { type Settings as Configuration, worldConfig } from "../../services/Config.ts"
import { layer } from "../../services/jobs.ts"

/** The jobs of a configuration over a world of their own. */
export const jobsOf = (config: Configuration) => layer(config).pipe(Layer.provideMerge(App.world(config)))

/** The signals and sources on contracts of venues, with the world behind them. */
export const marketsOf = (config: Configuration) => {
  const { modes, settings } = worldConfig(config)
  return sources(modes, settings("markets") as never).pipe(
    Layer.provideMerge(App.world(config)),
    Layer.provide(FetchHttpClient.layer),
  )
}

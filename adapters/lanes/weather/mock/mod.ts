/**
 * Generated data of the weather lane, without stores and upstreams: it also runs in a browser.
 *
 * @module
 */

import * as Layer from "effect/Layer"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import type { WeatherPorts } from "../../../../core/lanes/weather/Weather.ts"
import { layer } from "./reports.ts"

/** The ports of the lane; generated data owe no feeds. */
export const mock: Layer.Layer<Feeds | WeatherPorts> = Layer.merge(layer, Feeds.layerNone)

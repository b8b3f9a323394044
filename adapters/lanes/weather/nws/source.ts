import type * as HttpClient from "@effect/platform/HttpClient"
import * as Layer from "effect/Layer"
import { byId } from "../../../../core/lanes/weather/stations.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { callBudget, isOverload, type RequestPolicy, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { alerts } from "./alerts.ts"
import { Nws, parseProblem, title } from "./api.ts"
import { periods } from "./forecast.ts"
import { grid } from "./grid.ts"
import { observations } from "./observations.ts"
import { point } from "./points.ts"
import { product, products } from "./products.ts"
import { publicUrl } from "./wire.ts"

/** Its network blocks frequent clients for some seconds with 403; a body with a problem may be about one grid. */
const asksForPause = (error: UpstreamError): boolean =>
  (error.status === 403 || isOverload(error)) && (error.status === 429 || parseProblem(error) === undefined)

/** The National Weather Service's public API, whose rate limit is not published. */
export const nws = Upstream.define({
  ...{ name: "nws", title, url: publicUrl, atOnce: 8, redirects: false, ...callBudget },
  headers: { accept: "application/geo+json" },
  isOverload: asksForPause,
  questions: { point, periods, grid, alerts, observations, products, product },
  probe: ({ ask }) => ask(point, byId.get("KNYC")!.coordinates),
})

export const layer = (
  settings: Upstream.Settings<"nws">,
  policy: RequestPolicy = {},
): Layer.Layer<Nws, never, HttpClient.HttpClient> => Layer.effect(Nws, Upstream.open(nws, settings, policy))

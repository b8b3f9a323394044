import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClimateDays } from "../../../../core/lanes/weather/ports.ts"
import { byId } from "../../../../core/lanes/weather/stations.ts"
import { dayOf } from "../../../../core/time.ts"
import { patienceMs } from "../../../runtime/upstream/breaker.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { products, productText } from "./afos.ts"
import { climateYear, make } from "./climateDays.ts"

/** The process-wide client of the archive. */
export class Iem extends Context.Tag("market-signals/adapters/lanes/weather/Iem")<Iem, Upstream.Source>() {}

type IemRequestPolicy = Parameters<typeof Upstream.open>[2]

/** The archive of the Iowa Environmental Mesonet. It blocks clients with many requests at a time. */
export const iem = Upstream.define({
  ...{ name: "iem", title: "The Iowa archive", url: "https://mesonet.agron.iastate.edu", redirects: false },
  // An uncached year of a station takes the archive a few seconds.
  ...{ atOnce: 1, atMost: 64, gapMs: 250, timeoutMs: 20_000, patienceMs },
  questions: { products, productText, climateYear },
  probe: ({ ask }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      ask(products, { awipsId: byId.get("KNYC")!.cliProduct, date: dayOf(now) }),
    ),
})

export const layer = (
  settings: Upstream.Settings<"iem">,
  policy?: IemRequestPolicy,
): Layer.Layer<Iem, never, HttpClient.HttpClient> => Layer.effect(Iem, Upstream.open(iem, settings, policy))

export const layerDays: Layer.Layer<ClimateDays, never, Iem> = Layer.effect(ClimateDays, Effect.map(Iem, make))

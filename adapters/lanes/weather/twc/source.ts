import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fail } from "../../../../core/Failure.ts"
import { venueSource } from "../../../../core/lanes/weather/venue/reading.ts"
import { VenueSource } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { dayOf } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { callBudget, type RequestPolicy, toFailure } from "../../../runtime/upstream/upstream.ts"
import { Day, readReadings } from "./wire.ts"

const readings = Upstream.question(Upstream.readJson(Day), {
  path: () => "/kalshi/api/climate/primary",
  query: (day: string) => ({ date: day }),
  unstated: "Where it does not say `isOfficial`, the status of the row.",
  identity: readReadings,
})

/** The Weather Company's page of values for the venue, without a key; off without an address. */
export const twc = Upstream.define({
  ...{ name: "twc", title: venueSource, url: "", redirects: false, ...callBudget },
  terms:
    "The Weather Company's Terms of Use govern the page, and may forbid reading it by a program or selling what it states.",
  questions: { readings },
  probe: ({ ask }) => Effect.flatMap(Clock.currentTimeMillis, (now) => ask(readings, dayOf(now))),
})

export const layer = (
  settings: Upstream.Settings<"twc">,
  policy: RequestPolicy = {},
): Layer.Layer<VenueSource, never, HttpClient.HttpClient> =>
  Layer.effect(
    VenueSource,
    Effect.map(Upstream.open(twc, settings, policy), ({ ask }) => ({
      day: (day) =>
        settings.twc === ""
          ? Effect.fail(fail("data_provider_unavailable"))
          : Effect.mapError(ask(readings, day), toFailure),
    })),
  )

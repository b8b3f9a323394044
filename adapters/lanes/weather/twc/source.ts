import * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { fail } from "../../../../core/Failure.ts"
import { venueSource } from "../../../../core/lanes/weather/venue/reading.ts"
import { VenueSource } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import * as Breaker from "../../../runtime/upstream/breaker.ts"
import {
  callBudget,
  getJson,
  implausible,
  type RequestPolicy,
  toFailure,
  type Upstream,
} from "../../../runtime/upstream/upstream.ts"
import { Day, readingsOf } from "./wire.ts"

/** Address of the service, empty where it is off, and our user agent. */
export interface Settings {
  readonly twc: string
  readonly userAgent: string
}

/** The service's public address. */
export const publicUrl = "https://weather.com"

/** The values of The Weather Company's page for the venue, without a key. Off without an address. */
export const layer = (
  { twc, userAgent }: Settings,
  policy: RequestPolicy = {},
): Layer.Layer<VenueSource, never, HttpClient.HttpClient> =>
  Layer.effect(
    VenueSource,
    Effect.map(HttpClient.HttpClient, (client) => {
      if (twc === "") return { day: () => Effect.fail(fail("data_provider_unavailable")) }
      const upstream: Upstream = {
        ...Breaker.breakerNamed("twc", venueSource),
        baseUrl: twc,
        ...callBudget,
        ...policy,
        headers: { "user-agent": userAgent, ...policy.headers },
      }
      return {
        day: (day) =>
          Effect.gen(function* () {
            const answer = yield* getJson(client, upstream, Day, "/kalshi/api/climate/primary", { date: day })
            const readings = readingsOf(answer, day, yield* Clock.currentTimeMillis)
            return yield* Either.mapLeft(readings, (reason) => implausible(upstream, reason))
          }).pipe(Effect.mapError(toFailure)),
      }
    }),
  )

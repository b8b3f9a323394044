import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClimateReports, firstOfficial, type Issuance } from "../../../../core/lanes/weather/ports.ts"
import { byId, climateDay } from "../../../../core/lanes/weather/stations.ts"
import { type Agreement, agreementOf, type Pair, pairValues } from "../../../../core/lanes/weather/venue/agreement.ts"
import type { VenueReading } from "../../../../core/lanes/weather/venue/reading.ts"
import { VenueSettlement } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import * as Step from "../../../../core/Step.ts"
import { addDays } from "../../../../core/time.ts"
import { uniform } from "../../mock/hash.ts"

/** Days that the generated source has been read for. */
const readDays = 60
/** One in so many of its values is a degree beside the report. */
const perDifference = 200

const beside = (key: string): number =>
  uniform(key, "venue") * perDifference >= 1 ? 0 : uniform(key, "side") < 0.5 ? -1 : 1

const readingOf = ({ station, issuedAt, report: { day, highF, lowF } }: Issuance): VenueReading => ({
  ...{ station, day, issuedAt, status: "official" },
  ...(highF !== undefined && { highF: highF + beside(`${station}/${day}/high`) }),
  ...(lowF !== undefined && { lowF: lowF + beside(`${station}/${day}/low`) }),
})

/** A source that repeats the first final report, but for a few values: the same on every run. */
export const layerVenue: Layer.Layer<VenueSettlement, never, ClimateReports> = Layer.effect(
  VenueSettlement,
  Effect.map(ClimateReports, ({ versions, range }) => {
    const first = (all: ReadonlyArray<Issuance>): VenueReading | undefined => {
      const official = firstOfficial(all)
      return official && readingOf(official)
    }
    interface Compared {
      readonly today: string
      readonly agreement: Agreement
      readonly pairs: ReadonlyArray<Pair>
    }
    /** The last comparison of each station, by the day until which it was made. */
    const computed = new Map<string, Compared>()
    const compare = (id: string) =>
      Step.gen(function* () {
        const today = climateDay(byId.get(id)!, yield* Step.now)
        const last = computed.get(id)
        if (last?.today === today) return last
        const days = yield* range(id, addDays(today, -readDays), addDays(today, -1))
        const compared = pairValues(new Map(days.flatMap((all) => first(all) ?? []).map((one) => [one.day, one])), days)
        const made: Compared = { today, agreement: agreementOf(compared), pairs: compared.pairs }
        computed.set(id, made)
        return made
      })
    return {
      freshness: "mock",
      firstOfficial: (station, day) => Effect.map(versions(station, day), first),
      agreement: (id) =>
        Step.gen(function* () {
          return (yield* compare(id)).agreement
        }),
      pairs: (id) => Effect.map(compare(id), ({ pairs }) => pairs),
    }
  }),
)

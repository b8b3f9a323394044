import * as Effect from "effect/Effect"
import { type Findable, type Finds, ready } from "../../find/Findable.ts"
import { addDays } from "../../time.ts"
import { forecast, history, settlement, signal } from "./endpoints.ts"
import { daysBetween, type Station, stations } from "./stations.ts"

/** What people call cities, beside their names. */
const nicknames: Readonly<Record<string, string>> = {
  KNYC: "nyc manhattan",
  KMDW: "chi",
  KLAX: "la",
  KPHL: "philly",
  KBOS: "beantown",
}

const stationOf = ({ id, name, city, state, tz, cliProduct, settles, coordinates }: Station): Findable => ({
  kind: "station",
  name: `${city}, ${name}`,
  words: [id, id.slice(1), state, cliProduct, nicknames[id] ?? "", ...Object.values(settles), "weather station"].join(
    " ",
  ),
  ids: { station: id },
  zone: tz,
  calls: [
    ready(
      signal,
      "high low temperature hot cold warm degrees probability chance distribution above below at least contract",
      ({ day, today }) =>
        day === undefined ? { station: id } : day < today ? undefined : { station: id, target: day },
    ),
    ready(
      settlement,
      "official report latest settlement high low temperature hot cold wet recorded settled observed precipitation snow rain",
      ({ day, today }) => (day === undefined ? { station: id } : day < today ? { station: id, day } : undefined),
    ),
    ready(
      forecast,
      "forecast rain rainy snow wind windy storm conditions alerts warnings precipitation",
      ({ day, today }) => {
        const ahead = day === undefined ? 1 : daysBetween(today, day)
        return ahead < 0 ? undefined : { ...coordinates, hours: 24 * (ahead + 1) }
      },
    ),
    ready(history, "history past days since range archive series month year", ({ day, today }) => ({
      station: id,
      start: day ?? addDays(today, -30),
      end: addDays(today, -1),
    })),
  ],
})

/** The stations, by city. */
export const finds: Finds = () => [{ what: "stations", read: Effect.sync(() => stations.map(stationOf)) }]

import { isCorrected, issuedAt, type Kind, printReport } from "../../adapters/lanes/weather/mock/climateText.ts"
import { drawIssuance } from "../../adapters/lanes/weather/mock/reports.ts"
import type { Issuance } from "../../core/lanes/weather/ports.ts"
import { byId, climateDay, listDays, type Station, stations } from "../../core/lanes/weather/stations.ts"
import { addDays } from "../../core/time.ts"
import { json, type Payload, type Route } from "./replay.ts"

/** A product as the mock offices issued it. */
export interface Issued {
  readonly id: string
  readonly issuedAt: number
  readonly text: string
}

const kinds = (station: Station, day: string): ReadonlyArray<Kind> =>
  isCorrected(station, day) ? ["preliminary", "final", "correction"] : ["preliminary", "final"]

/** Made once for each station, day and kind of report: the mock offices never change what they issued. */
const once = <A>(make: (station: Station, day: string, kind: Kind) => A) => {
  const made = new Map<string, A>()
  return (station: Station, day: string, kind: Kind): A => {
    const name = `${station.id} ${day} ${kind}`
    const value = made.get(name) ?? make(station, day, kind)
    made.set(name, value)
    return value
  }
}

const productOf = once(
  (station, day, kind): Issued => ({
    id: drawIssuance(station, day, kind).productId,
    issuedAt: issuedAt(station, day, kind),
    text: printReport(station, day, kind),
  }),
)

/** What the mock offices issued for some climate days by `now`, oldest first. */
export const issued = (station: Station, days: ReadonlyArray<string>, now: number): ReadonlyArray<Issued> =>
  days.flatMap((day) =>
    kinds(station, day)
      .filter((kind) => issuedAt(station, day, kind) <= now)
      .map((kind) => productOf(station, day, kind)),
  )

const printed = (value: number | undefined, isTrace = false): number | string =>
  isTrace ? "T" : value === undefined ? "M" : value

/** A row as the archive of daily reports writes it; what is given replaces a field as it is. */
export const archiveRow = (
  { station, productId, report }: Issuance,
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  station,
  valid: report.day,
  state: "NY",
  wfo: "OKX",
  link: `/api/1/nwstext/${productId}`,
  product: productId,
  name: byId.get(station)!.name.toUpperCase(),
  high: printed(report.highF),
  high_record: 100,
  high_record_years: [1993],
  high_time: report.highTimeLocal ?? null,
  low: printed(report.lowF),
  low_time: report.lowTimeLocal ?? null,
  precip: printed(report.precipIn, report.flags.includes("precip_trace")),
  precip_normal: 0.15,
  snow: printed(report.snowIn, report.flags.includes("snow_trace")),
  snow_jul1_depart: "M",
  ...changes,
})

const rowOf = once((station, day, kind) => archiveRow(drawIssuance(station, day, kind)))

/** The archive's rows of a year as they stand at `now`: of every day the newest report. */
export const archiveRows = (
  station: Station,
  year: number,
  now: number,
): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const today = climateDay(station, now)
  return listDays(`${year}-01-01`, today < `${year}-12-31` ? today : `${year}-12-31`).flatMap((day) => {
    const newest = kinds(station, day).findLast((kind) => issuedAt(station, day, kind) <= now)
    return newest === undefined ? [] : [rowOf(station, day, newest)]
  })
}

const plain = (body: string): Payload => ({ headers: { "content-type": "text/plain" }, body })

const week = (now: number): ReadonlyArray<string> => {
  const today = new Date(now).toISOString().slice(0, 10)
  return listDays(addDays(today, -8), today)
}

const productsOf = (cliProduct: string, now: number): ReadonlyArray<Issued> =>
  stations.filter((station) => station.cliProduct === cliProduct).flatMap((station) => issued(station, week(now), now))

/** A product by its id, whenever it was issued. */
const productById = (id: string, now: number): Issued | undefined => {
  const [stamp = "", , , awipsId] = id.split("-")
  const day = `${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}`
  return stations
    .filter((station) => station.cliProduct === awipsId)
    .flatMap((station) => issued(station, listDays(addDays(day, -2), day), now))
    .find((each) => each.id === id)
}

/** The archive over the mock offices: rows by year, products of the last week by day, and texts. */
export const archiveRoutes = (now: () => number): ReadonlyArray<Route> => [
  {
    path: "/json/cli.py",
    reply: ({ query }) =>
      json({
        results: archiveRows(byId.get(query.get("station")!)!, Number(query.get("year")), now()),
        generated_at: new Date(now()).toISOString(),
      }),
  },
  {
    path: "/api/1/nws/afos/list.json",
    reply: ({ query }) =>
      json({
        data: productsOf(query.get("pil")!, now())
          .filter((each) => new Date(each.issuedAt).toISOString().startsWith(query.get("date")!))
          .map(({ id, issuedAt: at }, index) => ({
            index,
            entered: new Date(at).toISOString().replace(".000", ""),
            pil: query.get("pil"),
            product_id: id,
            count: 1,
          })),
      }),
  },
  {
    path: /^\/api\/1\/nwstext\//,
    reply: ({ path }) => {
      const id = path.split("/").at(-1)!
      const text = productById(id, now())?.text
      return text === undefined ? { status: 404, body: "Not found" } : plain(text)
    },
  },
]

/** The weather service over the mock offices: the products of the last week, newest first. */
export const productRoutes = (now: () => number): ReadonlyArray<Route> => [
  {
    path: /^\/products\/types\/CLI\/locations\/[A-Z]{3}$/,
    reply: ({ path }) =>
      json({
        "@context": {},
        "@graph": [...productsOf(`CLI${path.slice(-3)}`, now())].reverse().map(({ id, issuedAt: at }) => ({
          "@id": `https://api.weather.gov/products/${id}`,
          id,
          wmoCollectiveId: id.split("-")[2],
          issuingOffice: id.split("-")[1],
          issuanceTime: new Date(at).toISOString().replace(".000Z", "+00:00"),
          productCode: "CLI",
          productName: "Daily Climate Report",
        })),
      }),
  },
  {
    path: /^\/products\/\d{12}-/,
    reply: ({ path }) => {
      const id = path.split("/").at(-1)!
      const found = productsOf(id.split("-")[3]!, now()).find((each) => each.id === id)
      return found === undefined ? { ...json({ status: 404 }), status: 404 } : json({ id, productText: found.text })
    },
  },
]

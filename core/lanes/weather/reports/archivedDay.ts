import * as Either from "effect/Either"
import { present } from "../../../endpoint/Field.ts"
import { addDays, hour } from "../../../time.ts"
import type { Issuance } from "../ports.ts"
import { climateDayStart, type Station } from "../stations.ts"
import type { ClimateReport, QualityFlag } from "./ClimateReport.ts"
import { coldest, hottest, mostPrecipIn, mostSnowIn } from "./climateColumns.ts"
import { isClock } from "./climateHeading.ts"
import type { ArchivedDay, Printed } from "./climateSources.ts"

/** A row that was judged: an issuance, or one that only the text of its product can tell final from preliminary. */
export interface Judged {
  readonly issuance: Issuance
  readonly unclear: boolean
}

const productForm =
  /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})-([A-Z0-9]{4})-([A-Z0-9]{6})-([A-Z0-9]{3,6})(?:-([A-Z0-9]{3}))?$/

interface Product {
  readonly issuedAt: number
  readonly awipsId: string
  readonly amendment: string | undefined
}

const productOf = (id: string): Product | undefined => {
  const match = productForm.exec(id)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, , , awipsId, amendment] = match
  const issuedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  return Number.isNaN(issuedAt) ? undefined : { issuedAt, awipsId: awipsId!, amendment }
}

const isMissing = (printed: Printed): boolean => printed === null || printed === "M" || printed === "MM"

/** A value and what is to be said of it, or why it cannot be one. */
type Read = Either.Either<{ readonly value?: number; readonly flag?: "missing" | "trace" }, string>

const temperatureOf = (what: string, printed: Printed): Read => {
  if (isMissing(printed)) return Either.right({ flag: "missing" })
  if (typeof printed !== "number" || !Number.isInteger(printed)) {
    return Either.left(`the ${what} ${JSON.stringify(printed)} is no whole degree.`)
  }
  return printed < coldest || printed > hottest
    ? Either.left(`the ${what} ${printed} is outside ${coldest} to ${hottest} °F.`)
    : Either.right({ value: printed })
}

const amountOf = (what: string, printed: Printed, most: number): Read => {
  if (isMissing(printed)) return Either.right({ flag: "missing" })
  // Archives keep a trace as a number that is smaller than any that can be measured.
  if (printed === "T" || (typeof printed === "number" && printed > 0 && printed < 0.005)) {
    return Either.right({ value: 0, flag: "trace" })
  }
  if (typeof printed !== "number") return Either.left(`the ${what} ${JSON.stringify(printed)} is no amount.`)
  return printed < 0 || printed > most
    ? Either.left(`the ${what} ${printed} is outside 0 to ${most} inches.`)
    : Either.right({ value: printed })
}

const timeOf = (what: string, printed: string | null): Either.Either<string | undefined, string> => {
  const text = printed?.trim() ?? ""
  if (text === "" || text === "M" || text === "MM") return Either.right(undefined)
  const [clock, half, ...more] = text.split(/ +/)
  return isClock(clock!) && (half === "AM" || half === "PM") && more.length === 0
    ? Either.right(`${clock} ${half}`)
    : Either.left(`the time of the ${what}, ${JSON.stringify(text.slice(0, 40))}, is not one of a 12-hour clock.`)
}

/**
 * Reads a row of an archive under the same rules as the text of a report: whole degrees and inches within what the
 * network has seen, the high not below the low, times of a 12-hour clock. A row that breaks one is refused whole.
 *
 * An archive keeps the newest report alone and does not say which kind it is: one issued after the climate day's end is
 * final. Offices print local time, so in the last hour of the climate day a report of either kind can be issued; such a
 * row is `unclear`. The archive does not tell a report without a snowfall block from one whose snowfall is missing, so
 * that an absent snowfall carries no flag here.
 *
 * @returns the issuance, or in one plain sentence why there is none
 */
export const judge = (row: ArchivedDay, station: Station, source: string): Either.Either<Judged, string> =>
  Either.gen(function* () {
    const product = row.productId === null ? undefined : productOf(row.productId)
    if (product === undefined) return yield* Either.left("it names no text product.")
    if (product.awipsId !== station.cliProduct) {
      return yield* Either.left(`its product is ${product.awipsId}, not ${station.cliProduct}.`)
    }
    const high = yield* temperatureOf("high", row.high)
    const low = yield* temperatureOf("low", row.low)
    if (high.value !== undefined && low.value !== undefined && high.value < low.value) {
      return yield* Either.left("its high is below its low.")
    }
    const precip = yield* amountOf("precipitation", row.precip, mostPrecipIn)
    const snow = yield* amountOf("snowfall", row.snow, mostSnowIn)
    const highTime = yield* timeOf("high", row.highTime)
    const lowTime = yield* timeOf("low", row.lowTime)
    const over = climateDayStart(station, addDays(row.day, 1))
    const final = product.issuedAt >= over
    const correction = product.amendment?.startsWith("CC") === true
    const flags: Array<QualityFlag> = []
    if (high.flag !== undefined) flags.push("high_missing")
    if (low.flag !== undefined) flags.push("low_missing")
    if (precip.flag !== undefined) flags.push(`precip_${precip.flag}`)
    if (snow.flag === "trace") flags.push("snow_trace")
    if (correction) flags.push("correction")
    if (!final) flags.push("preliminary")
    const report: ClimateReport = {
      station: row.name,
      day: row.day,
      status: final ? "final" : "preliminary",
      correction,
      ...present("highF", high.value),
      ...present("lowF", low.value),
      ...(high.value === undefined || highTime === undefined ? {} : { highTimeLocal: highTime }),
      ...(low.value === undefined || lowTime === undefined ? {} : { lowTimeLocal: lowTime }),
      ...present("precipIn", precip.value),
      ...present("snowIn", snow.value),
      flags: flags.sort(),
    }
    return {
      issuance: { station: station.id, productId: row.productId!, issuedAt: product.issuedAt, source, report },
      unclear: !final && product.issuedAt >= over - hour,
    }
  })

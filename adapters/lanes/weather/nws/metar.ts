import { day, hour, iso, minute } from "../../../../core/time.ts"

const timeForm = /\b(\d{2})([01]\d|2[0-3])([0-5]\d)Z\b/
/** Tenths of a degree Celsius, in the remarks. */
const tenthsForm = / T([01])(\d{3})[01]\d{3}\b/
/** Whole degrees Celsius, before the remarks. */
const wholeForm = / (M?)(\d{2})\/(?:M?\d{2})?(?= |$)/

/** Tolerance between the time of an observation and that of its message. */
const tolerance = 15 * minute
/** Rounding to whole degrees Celsius, and of those to Fahrenheit. */
const maxApartC = 1

const readCelsius = (message: string): number | undefined => {
  const tenths = tenthsForm.exec(message)
  if (tenths !== null) return ((tenths[1] === "1" ? -1 : 1) * Number(tenths[2])) / 10
  const whole = wholeForm.exec(message)
  return whole === null ? undefined : (whole[1] === "M" ? -1 : 1) * Number(whole[2])
}

/**
 * Why an observation contradicts its coded message; undefined if it does not, or if there is no message.
 *
 * @param at epoch milliseconds
 * @param tempF degrees Fahrenheit
 */
export const contradictsMessage = (message: string, at: number, tempF: number): string | undefined => {
  const time = timeForm.exec(message)
  if (time !== null) {
    const [, , hours, minutes] = time
    const coded = Number(hours) * hour + Number(minutes) * minute
    const apart = Math.abs((((at % day) - coded + 1.5 * day) % day) - day / 2)
    if (apart > tolerance) return `timestamp is ${iso(at)}, and its message is of ${hours}:${minutes} UTC`
  }
  const celsius = readCelsius(message)
  const measured = ((tempF - 32) * 5) / 9
  return celsius === undefined || Math.abs(celsius - measured) <= maxApartC
    ? undefined
    : `temperature is ${measured.toFixed(1)} °C, and its message has ${celsius} °C`
}

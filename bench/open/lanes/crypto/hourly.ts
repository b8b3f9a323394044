import { makeBlend, type PriceModel } from "../../../../core/lanes/crypto/distribution.ts"
import { type Season, toLocalHour, toLocalWeekday } from "../../../../core/lanes/crypto/season.ts"

/**
 * Variance per minute by hour, relative to the week's average, in New York time: 0–23 for weekdays, 24–47 for Saturdays and
 * Sundays. Fitted on Binance BTCUSDT five-minute bars, March 2024 to May 2025; it does not change any more.
 */
export const hourlyProfile: ReadonlyArray<number> = [
  0.641, 0.662, 0.73, 0.797, 0.802, 0.759, 0.733, 0.863, 1.407, 2.22, 2.517, 2.126, 1.713, 1.571, 1.562, 1.48, 1.265,
  1.037, 0.859, 0.847, 0.988, 1.014, 0.849, 0.69, 0.383, 0.282, 0.29, 0.317, 0.311, 0.295, 0.318, 0.352, 0.407, 0.505,
  0.569, 0.579, 0.602, 0.611, 0.567, 0.554, 0.655, 0.816, 0.925, 0.986, 1.032, 0.952, 0.781, 0.589,
]

export const hourlySeason: Season = {
  minutesPerSlot: 60,
  multiplier(hour) {
    const local = toLocalHour(hour)
    const weekday = toLocalWeekday(local)
    return hourlyProfile[local - 24 * Math.floor(local / 24) + (weekday === 0 || weekday === 6 ? 24 : 0)]!
  },
}

export const blendT1: PriceModel = makeBlend("blend-t-1", hourlySeason)

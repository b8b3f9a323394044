import { assert, describe, it } from "@effect/vitest"
import { contradictsMessage } from "../../../../../adapters/lanes/weather/nws/metar.ts"

const at = Date.UTC(2026, 6, 9, 17, 51)
const fahrenheit = (celsius: number): number => (celsius * 9) / 5 + 32
const message = (time: string, rest: string): string => `KNYC ${time} AUTO 20005KT 10SM CLR ${rest}`
const tenths = message("091751Z", "29/18 A3001 RMK AO2 SLP159 T02890178")

describe("an observation and its coded message", () => {
  const agreeing: ReadonlyArray<readonly [what: string, message: string, at: number, celsius: number]> = [
    ["tenths of a degree", tenths, at, 28.9],
    ["whole degrees alone", message("091751Z", "29/18 A3001"), at, 28.9],
    ["whole degrees below zero", message("091751Z", "M05/M11 A3001"), at, -5.4],
    ["tenths below zero", message("091751Z", "M01/M11 A3001 RMK AO2 T10061106"), at, -0.6],
    ["no dew point", message("091751Z", "29/ A3001"), at, 29],
    ["a time a quarter of an hour apart", tenths, at + 15 * 60_000, 28.9],
    ["a time on the other side of midnight", message("092355Z", "29/18 A3001"), Date.UTC(2026, 6, 10, 0, 5), 29],
    ["neither a time nor a temperature", "KNYC NIL", at, 28.9],
    ["tenths that are a degree apart", tenths, at, 29.9],
  ]
  for (const [what, text, time, celsius] of agreeing) {
    it(`agree: ${what}`, () => assert.isUndefined(contradictsMessage(text, time, fahrenheit(celsius))))
  }

  const contradicting: ReadonlyArray<
    readonly [what: string, message: string, at: number, celsius: number, reason: string]
  > = [
    ...([
      [
        "another hour",
        tenths,
        at + 3_600_000,
        28.9,
        "timestamp is 2026-07-09T18:51:00.000Z, and its message is of 17:51 UTC",
      ],
      [
        "sixteen minutes",
        tenths,
        at - 16 * 60_000,
        28.9,
        "timestamp is 2026-07-09T17:35:00.000Z, and its message is of 17:51 UTC",
      ],
      ["another temperature", tenths, at, 27.8, "temperature is 27.8 °C, and its message has 28.9 °C"],
      ["the sign", message("091751Z", "M05/M11 A3001"), at, 5, "temperature is 5.0 °C, and its message has -5 °C"],
      ["the unit", tenths, at, 84, "temperature is 84.0 °C, and its message has 28.9 °C"],
    ] as const),
  ]
  for (const [what, text, time, celsius, reason] of contradicting) {
    it(`contradict each other: ${what}`, () =>
      assert.strictEqual(contradictsMessage(text, time, fahrenheit(celsius)), reason))
  }
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as numeral from "../../../core/endpoint/numeral.ts"

const isNumeral = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** The definition: JSON's form without an exponent, read by the engine. */
const expected = (text: string): number | undefined => (isNumeral.test(text) ? Number(text) : undefined)

const agrees = (text: string): void =>
  assert.isTrue(Object.is(numeral.read(text), expected(text)), `${text}: ${numeral.read(text)}`)

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength, maxLength })

describe("the number of a text", () => {
  for (const text of [
    ..."-|.|-.|1.|.5|-0|0|00|01|-01|0.0|-0.50|1e3|1E3|+1|0x10|1_0|Infinity|NaN|1,5|1.2.3|--1|1-|９|1.5 ".split("|"),
    "",
    " 1",
    "62513.00",
    "999999999999999",
    "-999999999999999",
    "9007199254740993",
    "0.000000000000001",
    "0.1234567890123456789",
    "123456789012345678901234567890",
  ]) {
    it(`${JSON.stringify(text)} is ${expected(text) ?? "none"}`, () => agrees(text))
  }

  it("is the engine's, to the last bit", () => {
    const decimals = fc
      .tuple(fc.constantFrom("", "-"), digits(0, 17), fc.constantFrom("", "."), digits(0, 17))
      .map((parts) => parts.join(""))
    const shortest = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)
    const cents = fc.integer({ min: -1e9, max: 1e9 }).map((cents) => (cents / 100).toFixed(2))
    fc.assert(fc.property(fc.oneof(decimals, shortest, cents, fc.string()), agrees), { numRuns: 2_000 })
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { type Identity, issueDoubt, makeIdentityCheck, sharedValue, toInstant } from "../../../core/sources/identity.ts"
import { day, minute } from "../../../core/time.ts"

interface Reading {
  readonly station?: string
  readonly issued?: string
}

const from = Date.UTC(2026, 6, 9)
const now = from + 60 * day
const identity: Identity<string, Reading> = {
  name: (station) => `The reading of ${station}`,
  says: { station: ({ station }, asked) => [station, asked] },
  issued: ({ issued }) => ({ time: issued, from, lagMs: day }),
}
const judged = (reading: Reading) => Either.merge(makeIdentityCheck(identity)(reading, "KNYC", now))

describe("the identity of an answer", () => {
  it("is what it states beside what was asked for, and an issue time that can be", () => {
    const reading = { station: "KNYC", issued: "2026-07-09T06:21:00Z" }
    assert.strictEqual(judged(reading), reading)
  })

  const doubts: ReadonlyArray<readonly [what: string, reading: Reading, reason: string]> = [
    ["another station", { station: "KMDW", issued: "2026-07-09T06:21Z" }, "its station is KMDW, not KNYC"],
    ["no station", { issued: "2026-07-09T06:21Z" }, "its station is not stated, not KNYC"],
    ["no time", { station: "KNYC" }, "its time of issue is absent, without an offset"],
    [
      "a time of an unknown zone",
      { station: "KNYC", issued: "2026-07-09T06:21:00" },
      "its time of issue is 2026-07-09T06:21:00, without an offset",
    ],
    [
      "a time before its day",
      { station: "KNYC", issued: "2026-07-09T01:00:00+02:00" },
      "it was issued at 2026-07-08T23:00:00.000Z, before 2026-07-09T00:00:00.000Z",
    ],
    [
      "a time of weeks later",
      { station: "KNYC", issued: "2026-07-20T00:00:00Z" },
      "it was issued 11 days late and is not marked as a correction",
    ],
    [
      "a time to come",
      { station: "KNYC", issued: "2026-12-01T00:00:00Z" },
      "it was issued in the future, at 2026-12-01T00:00:00.000Z",
    ],
  ]
  for (const [what, reading, reason] of doubts) {
    it(`is not that of an answer with ${what}`, () =>
      assert.strictEqual(judged(reading), `The reading of KNYC: ${reason}`))
  }

  it("allows a correction of any later time, and clocks that differ by ten minutes", () => {
    assert.isUndefined(issueDoubt({ time: from + 50 * day, from, lagMs: day, isCorrection: true }, now))
    assert.isUndefined(issueDoubt({ time: now + 10 * minute, from, lagMs: 90 * day }, now))
    assert.isDefined(issueDoubt({ time: now + 11 * minute, from, lagMs: 90 * day }, now))
  })

  it("reads a written time by its offset alone", () => {
    assert.strictEqual(toInstant("2026-07-09T02:17:00-05:00"), Date.UTC(2026, 6, 9, 7, 17))
    for (const text of ["2026-07-09T02:17:00", "2026-07-09", "July 9Z", "2026-13-09T02:17:00Z"]) {
      assert.isUndefined(toInstant(text), text)
    }
  })

  it("names what the parts of an answer have in common, and what they have not", () => {
    assert.deepStrictEqual(
      [sharedValue([]), sharedValue([2026, 2026]), sharedValue([2026, 2025])],
      [undefined, "2026", "2026, 2025"],
    )
  })
})

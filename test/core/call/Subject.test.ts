import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { parse, type Subject, show } from "../../../core/call/Subject.ts"

const word = fc.stringMatching(/^[A-Z0-9]{2,5}$/)
const instant = fc.integer({ min: 0, max: 4_000_000_000_000 })
const day = instant.map((at) => new Date(at).toISOString().slice(0, 10))

const subjects: fc.Arbitrary<Subject> = fc.oneof(
  fc.record({ _tag: fc.constant("StationDay" as const), station: word, day }),
  fc.record({ _tag: fc.constant("AssetAt" as const), asset: word, at: instant }),
  fc.record({
    _tag: fc.constant("AssetAhead" as const),
    asset: word,
    horizonMinutes: fc.integer({ min: 1, max: 9999 }),
  }),
  fc.record({ _tag: fc.constant("Game" as const), id: fc.stringMatching(/^[A-Z0-9_]{1,16}$/) }),
  fc.record(
    { _tag: fc.constant("Matchup" as const), day, away: word, home: word, game: fc.constantFrom(1, 2) },
    { requiredKeys: ["_tag", "day", "away", "home"] },
  ) as fc.Arbitrary<Subject>,
)

describe("the subject of a signal", () => {
  it("is read back from the text under which it is stored", () => {
    fc.assert(fc.property(subjects, (subject) => assert.deepStrictEqual(parse(show(subject)), subject)))
  })

  it.each([
    ["KNYC/2026-07-12", { _tag: "StationDay", station: "KNYC", day: "2026-07-12" }],
    ["BTC/2026-07-12T17:00:00.000Z", { _tag: "AssetAt", asset: "BTC", at: Date.UTC(2026, 6, 12, 17) }],
    ["BTC/60", { _tag: "AssetAhead", asset: "BTC", horizonMinutes: 60 }],
    ["2026_01_KC_LAC", { _tag: "Game", id: "2026_01_KC_LAC" }],
    ["500001", { _tag: "Game", id: "500001" }],
    ["2026-09-09/KC/LAC", { _tag: "Matchup", day: "2026-09-09", away: "KC", home: "LAC" }],
    ["2026-09-04/DET/CLE/2", { _tag: "Matchup", day: "2026-09-04", away: "DET", home: "CLE", game: 2 }],
  ] as ReadonlyArray<[string, Subject]>)("stands in the record as %s", (text, subject) => {
    assert.deepStrictEqual(parse(text), subject)
    assert.strictEqual(show(subject), text)
  })

  it("preserves every text, also of an unknown subject", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9 :/_.-]{0,40}$/), (text) => {
        const shown = show(parse(text))
        // Only instants have several spellings.
        if (parse(text)._tag === "Game") assert.strictEqual(shown, text)
      }),
    )
  })
})

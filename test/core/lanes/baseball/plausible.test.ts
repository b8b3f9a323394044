import { assert, describe, it } from "@effect/vitest"
import type { StandingLine } from "../../../../core/lanes/baseball/plausible.ts"
import {
  whyImplausibleLog,
  whyImplausibleSlate,
  whyImplausibleStandings,
} from "../../../../core/lanes/baseball/plausible.ts"
import type { ListedGame } from "../../../../core/lanes/baseball/ports.ts"

const side = { teamId: 1, name: "One", wins: 0, losses: 0 }

const game = (hoursAfterMidnight: number, phase: ListedGame["phase"] = "scheduled"): ListedGame => ({
  ...{ gamePk: 1, season: 2026, type: "R", officialDate: "2026-07-09", state: "Scheduled", phase, venue: "Park" },
  ...{ firstPitch: Date.parse("2026-07-09") + hoursAfterMidnight * 3_600_000, neutral: false, doubleHeader: "N" },
  ...{ gameNumber: 1, home: side, away: side },
})

/** An afternoon, evenings in the East, and evenings in the West. */
const hours = [17, 20, 23, 23, 23.2, 24, 24.2, 26, 26.1, 26.2]
const slate = (shift: number) => hours.map((at) => game(at + shift))

describe("a slate", () => {
  it("of usual hours can be, with a game abroad in the morning", () => {
    assert.isUndefined(whyImplausibleSlate(slate(0)))
    assert.isUndefined(whyImplausibleSlate([...slate(0), game(10)]))
  })
  for (const shift of [-8, -7, 4, 5, 8]) {
    it(`that is ${shift} hours off cannot`, () => assert.match(whyImplausibleSlate(slate(shift))!, /games begin/))
  }
  it("of few games, or of games that are put off, says nothing", () => {
    assert.isUndefined(whyImplausibleSlate(slate(8).slice(0, 7)))
    assert.isUndefined(whyImplausibleSlate(hours.map((at) => game(at + 8, "off"))))
  })
})

/** Thirty teams that won more the more runs they made. */
const teams = (games = 90): ReadonlyArray<StandingLine> =>
  Array.from({ length: 30 }, (_, at) => ({
    ...{ id: at + 1, games, wins: Math.round(games * (0.3 + (0.4 * at) / 29)) },
    ...{ scored: Math.round(4.5 * games) + at, allowed: Math.round(4.5 * games) + 29 - at },
  }))
const changed = (at: number, changes: Partial<StandingLine>) =>
  teams().map((line, index) => (index === at ? { ...line, ...changes } : line))

describe("standings", () => {
  it("of the whole league, and of none before opening day, can be", () => {
    assert.isUndefined(whyImplausibleStandings(teams()))
    assert.isUndefined(whyImplausibleStandings([], "2026-04-01"))
    assert.match(whyImplausibleStandings([])!, /0 of 30 teams/)
    assert.isUndefined(whyImplausibleStandings(teams(2)))
    // Nobody has played so many games by then: they are of a later day.
    assert.isUndefined(whyImplausibleStandings(teams(90), "2026-06-13"))
    assert.match(whyImplausibleStandings(teams(90), "2026-06-12")!, /gamesPlayed of team 1 is 90/)
  })
  const wrong: ReadonlyArray<readonly [what: string, lines: ReadonlyArray<StandingLine>, reason: RegExp]> = [
    ["a team short", teams().slice(1), /29 of 30 teams/],
    ["with a team twice", [...teams(), teams()[0]!], /a team twice/],
    ["of too many games", changed(3, { games: 171 }), /gamesPlayed of team 4 is 171/],
    ["with runs that nobody allowed", changed(3, { scored: 500 }), /runs were scored/],
    ["with a tenth of a team's runs", changed(3, { scored: 40, allowed: 44 }), /runs/],
    ["with runs shifted by a row", teams().map((line, at) => ({ ...line, ...shifted(at) })), /correlation/],
  ]
  function shifted(at: number) {
    const { scored, allowed } = teams()[(at * 11 + 7) % 30]!
    return { scored, allowed }
  }
  for (const [what, lines, reason] of wrong) {
    it(`${what} cannot`, () => assert.match(whyImplausibleStandings(lines) ?? "", reason))
  }
  it("of a doubleheader between two updates can be", () => {
    assert.isUndefined(whyImplausibleStandings(changed(3, { scored: teams()[3]!.scored + 20 })))
  })
})

describe("a pitcher's games", () => {
  it("are about those of his season's sum", () => {
    const games = [start, start, start]
    assert.isUndefined(whyImplausibleLog(games, "2026-07-09", { innings: 24, earnedRuns: 8 }))
    assert.isUndefined(whyImplausibleLog(games, "2026-07-09", { innings: 12, earnedRuns: 4 }))
    assert.match(
      whyImplausibleLog(games, "2026-07-09", { innings: 60, earnedRuns: 20 })!,
      /60\.0 innings in the season/,
    )
  })
  const start = { day: "2026-07-03", line: { innings: 6, earnedRuns: 2 } }
  it("can be up to today, and tomorrow by another clock", () => {
    assert.isUndefined(whyImplausibleLog([start, { ...start, day: "2026-07-10" }], "2026-07-09"))
  })
  it("cannot be of the future, or of a season in a game", () => {
    assert.match(whyImplausibleLog([{ ...start, day: "2026-07-11" }], "2026-07-09")!, /2026-07-11 is in the future/)
    assert.match(
      whyImplausibleLog([{ ...start, line: { innings: 180, earnedRuns: 60 } }], "2026-07-09")!,
      /in 180 innings/,
    )
    assert.match(
      whyImplausibleLog([{ ...start, line: { innings: 6, earnedRuns: 21 } }], "2026-07-09")!,
      /21 earned runs/,
    )
  })
})

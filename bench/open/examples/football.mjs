// A naive model of games: each team's points scored and allowed in its last sixteen games, and two points for the home team.
// market-signals-bench football --games GAMES --team-stats FOLDER --model bench/open/examples/football.mjs

export const name = "last sixteen games"

const memory = 16
const homeEdge = 2
const usual = 22

/** @returns {import("../lanes/football/models.ts").FootballForecaster} */
export const start = () => {
  /** @type {Map<string, Array<readonly [scored: number, allowed: number]>>} */
  const results = new Map()
  let learned = 0

  /** @type {(team: string, scored: number, allowed: number) => void} */
  const learn = (team, scored, allowed) => {
    const before = results.get(team) ?? []
    results.set(team, [...before, /** @type {const} */ ([scored, allowed])].slice(-memory))
  }

  /** @type {(team: string) => { scored: number, allowed: number }} */
  const form = (team) => {
    const known = results.get(team) ?? []
    /** @type {(side: 0 | 1) => number} */
    const mean = (side) => (known.reduce((sum, points) => sum + points[side], 0) + 4 * usual) / (known.length + 4)
    return { scored: mean(0), allowed: mean(1) }
  }

  return ({ home, away, neutral }, history) => {
    for (const { game } of history.since(learned)) {
      learn(game.home.team, game.score.home, game.score.away)
      learn(game.away.team, game.score.away, game.score.home)
    }
    learned = history.length
    const [own, other] = [form(home.team), form(away.team)]
    const homeMargin = (own.scored - own.allowed - other.scored + other.allowed) / 2 + (neutral ? 0 : homeEdge)
    const total = (own.scored + own.allowed + other.scored + other.allowed) / 2
    return { homeMargin, total, winHome: 1 / (1 + Math.exp(-homeMargin / 7.5)) }
  }
}

// A naive model of games: the share of its last hundred games that each team won, and the home team's usual edge.
// market-signals-bench baseball --odds GAMES --innings INNINGS --retrosheet FOLDER --model bench/open/examples/baseball.mjs

export const name = "last hundred games"

const memory = 100
const homeEdge = 0.14

/** @returns {import("../lanes/baseball/task.ts").BaseballForecaster} */
export const start = () => {
  /** @type {Map<string, Array<boolean>>} */
  const results = new Map()
  let learned = 0

  /** @type {(team: string, won: boolean) => void} */
  const learn = (team, won) => {
    results.set(team, [...(results.get(team) ?? []), won].slice(-memory))
  }

  /** @type {(team: string) => number} */
  const logOdds = (team) => {
    const known = results.get(team) ?? []
    const share = (known.filter(Boolean).length + memory / 2) / (known.length + memory)
    return Math.log(share / (1 - share))
  }

  return ({ home, away, neutral }, history) => {
    for (const game of history.since(learned)) {
      learn(game.home.team, game.home.runs > game.away.runs)
      learn(game.away.team, game.away.runs > game.home.runs)
    }
    learned = history.length
    const lead = logOdds(home.team) - logOdds(away.team) + (neutral ? 0 : homeEdge)
    return { winHome: 1 / (1 + Math.exp(-lead)) }
  }
}

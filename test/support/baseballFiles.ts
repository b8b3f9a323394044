import { PCGRandom } from "effect/Utils"

/** Archives of a made-up league, in the forms of those that backtests are made from. */

export const oddsHead =
  "season,date,rot_away,rot_home,neutral,away,home,away_raw,home_raw,away_starter,home_starter,away_score,home_score,away_ml_open,home_ml_open,away_ml_close,home_ml_close"
export const inningsHead = `${oddsHead},inn_a,inn_h`

const teams = ["AAA", "BBB", "CCC", "DDD", "LAD", "FFF"]

/** Season after season, 2010–2021, with prices that know a little: the cells of each game. */
export const oddsRows = (seed: number): ReadonlyArray<ReadonlyArray<string>> => {
  const generator = new PCGRandom(seed)
  const runs = (strength: number) => generator.integer(4 + Math.round(6 * strength))
  return Array.from({ length: 12 }, (_, year) => 2010 + year).flatMap((season) =>
    Array.from({ length: 30 }, (_, at) => at).flatMap((at) => {
      const day = `${season}-0${4 + Math.floor(at / 28)}-${String(1 + (at % 28)).padStart(2, "0")}`
      const turned = teams.map((_, k) => teams[(k * (at % 5 === 0 ? 1 : 5) + at) % 6]!)
      return [0, 2, 4].map((k) => {
        const [away, home] = [turned[k]!, turned[k + 1]!]
        const [a, h] = [teams.indexOf(away) / 5, teams.indexOf(home) / 5]
        const raw = (team: string) => (team === "LAD" ? "LOS" : team)
        const price = generator.number() < h - a + 0.5 ? ["130", "-150"] : ["-120", "+110"]
        return [
          ...[String(season), day, String(900 + k), String(901 + k), "0", away, home, raw(away), raw(home)],
          ...[`${away}ACE-R`, `${home}ACE-L`, String(runs(a)), String(runs(h)), ...price, ...price],
        ]
      })
    }),
  )
}

export const withInnings = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> =>
  rows.map((cells) => [...cells, "1|0|0|0|0|0|0|0|0", "0|0|2|0|0|0|0|1|x"])

export const csvOf = (head: string, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  `${[head, ...rows.map((cells) => cells.join(","))].join("\n")}\n`

/** A game of the visitors NYA at CHN, 12:4, by the number of its field from 1. */
const usual: Readonly<Record<number, string>> = {
  1: "20220401",
  2: "0",
  4: "NYA",
  7: "CHN",
  10: "12",
  11: "4",
  17: "CHI11",
  20: "0(10)2000000",
  21: "11000200x",
  41: "3",
  69: "11",
  103: "Gerrit Cole",
  105: "Jon Lester",
}

/** A line of a Retrosheet game log with some of its fields changed. */
export const logLine = (changes: Readonly<Record<number, string>> = {}, width = 161): string =>
  Array.from({ length: width }, (_, at) => JSON.stringify(changes[at + 1] ?? usual[at + 1] ?? "")).join(",")

export const logOf = (lines: ReadonlyArray<string>): string => lines.map((line) => `${line}\r\n`).join("")

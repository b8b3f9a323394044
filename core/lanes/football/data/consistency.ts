import {
  correlates,
  determines,
  differsByWeek,
  type FileCheck,
  type Inconsistency,
  leastRows,
  mostly,
  uncorrelated,
} from "../../../csv/consistency.ts"
import { type Row, textIn } from "../../../csv/row.ts"
import { correlation } from "../../../math/correlation.ts"
import { mean } from "../../../math/mean.ts"
import { day } from "../../../time.ts"
import { seasonOpens } from "./calendar.ts"
import { impliedHomeWin } from "./Game.ts"

/** Shares and correlations that are normal are those of 2009–2025, less a margin; a column shifted by a row is far below. */
export type Checks = ReadonlyArray<() => FileCheck>

const rowSeason = (row: Row): number => Number(row["season"])
const rowWeek = (row: Row): number => 100 * rowSeason(row) + Number(row["week"])

/** A number, where there is one. */
const valueIn = (row: Row, field: string): number | undefined => {
  const text = textIn(row, field)
  return text === undefined ? undefined : Number(text)
}

const definedPair = (x: number | undefined, y: number | undefined): readonly [number, number] | undefined =>
  x === undefined || y === undefined ? undefined : [x, y]

/** Two columns as a pair of texts, where both are there. */
const named =
  (...columns: ReadonlyArray<readonly [key: string, value: string]>) =>
  (row: Row): ReadonlyArray<readonly [string, string]> =>
    columns.flatMap(([key, value]) => {
      const [id, name] = [textIn(row, key), textIn(row, value)]
      return id === undefined || name === undefined ? [] : [[id, name] as const]
    })

/** A stadium has a roof for good, none, or one that opens. */
const roofs = (row: Row): ReadonlyArray<readonly [string, string]> =>
  named(["stadium", "roof"])(row).map(([stadium, roof]) => [stadium, /^(open|closed)$/.test(roof) ? "opens" : roof])

/** The first season whose kickoffs are all in 24 hours of US Eastern time, and the first with games on Monday nights in them. */
const [firstTimes, firstEvenings] = [2003, 2006]

const kickoffHour = (row: Row): number | undefined => {
  const time = textIn(row, "gametime")
  return time === undefined || rowSeason(row) < firstTimes ? undefined : Number(time.split(":")[0])
}

const gameWeekday = (row: Row): number => new Date(`${row["gameday"]}T00:00:00Z`).getUTCDay()
const [monday, thursday] = [1, 4]

const isEvening = (row: Row): boolean | undefined => {
  const hour = kickoffHour(row)
  const weekday = gameWeekday(row)
  const isLate = weekday === monday || weekday === thursday
  return hour === undefined || !isLate || rowSeason(row) < firstEvenings ? undefined : hour >= 17
}

const isEarlyAfternoon = (row: Row): boolean | undefined => {
  const hour = kickoffHour(row)
  return hour === undefined ? undefined : hour === 12 || hour === 13
}

const favouredBy = (row: Row): number | undefined => {
  const [home, away] = [valueIn(row, "home_moneyline"), valueIn(row, "away_moneyline")]
  return home === undefined || away === undefined
    ? undefined
    : impliedHomeWin({ homeMoneyline: home, awayMoneyline: away })
}

/** A week of the regular season goes from Wednesday to the Wednesday after. */
const isInItsWeek = (row: Row): boolean | undefined => {
  if (row["game_type"] !== "REG" || rowSeason(row) < firstTimes) return undefined
  const passed = Math.round((Date.parse(row["gameday"]!) - Date.parse(seasonOpens(rowSeason(row)))) / day)
  const inWeek = passed - 7 * (Number(row["week"]) - 1)
  return inWeek >= -1 && inWeek <= 6
}

/** Days of rest are those since the team's last game of the season. */
const restIsCounted = (): FileCheck => {
  const games: Array<{ readonly day: number; readonly sides: ReadonlyArray<readonly [team: string, rest: number]> }> =
    []
  return {
    take: (row) => {
      const sides = ["home", "away"].map(
        (side) => [`${row["season"]} ${row[`${side}_team`]}`, Number(row[`${side}_rest`])] as const,
      )
      games.push({ day: Date.parse(row["gameday"]!), sides })
    },
    end: () => {
      const last = new Map<string, number>()
      let [known, wrong] = [0, 0]
      for (const { day: on, sides } of games.sort((a, b) => a.day - b.day)) {
        for (const [team, rest] of sides) {
          const previous = last.get(team)
          last.set(team, on)
          if (previous === undefined) continue
          known++
          if (Math.round((on - previous) / day) !== rest) wrong++
        }
      }
      return known < leastRows || wrong <= 0.05 * known
        ? undefined
        : { field: "home_rest, away_rest", reason: `${wrong} of ${known} values are not the days since the last game.` }
    },
  }
}

/** Lines of the total resemble those of both teams' other games of the season. */
const totalsResemble = (): FileCheck => {
  const games: Array<{ readonly season: string; readonly teams: readonly [string, string]; readonly total: number }> =
    []
  return {
    take: (row) => {
      const total = valueIn(row, "total_line")
      if (total === undefined) return
      const season = String(row["season"])
      games.push({ season, total, teams: [`${season} ${row["home_team"]}`, `${season} ${row["away_team"]}`] })
    },
    end: (): Inconsistency | undefined => {
      const [byTeam, bySeason] = [new Map<string, Array<number>>(), new Map<string, Array<number>>()]
      const add = (to: Map<string, Array<number>>, key: string, total: number) =>
        void to.set(key, [...(to.get(key) ?? []), total])
      for (const { season, teams, total } of games) {
        add(bySeason, season, total)
        for (const team of teams) add(byTeam, team, total)
      }
      const means = new Map([...bySeason].map(([season, totals]) => [season, mean(totals)]))
      const others = (team: string, total: number): number => {
        const totals = byTeam.get(team)!
        return (totals.reduce((sum, one) => sum + one, 0) - total) / (totals.length - 1)
      }
      const pairs = games
        .filter(({ teams }) => teams.every((team) => byTeam.get(team)!.length >= 4))
        .map(({ season, teams: [home, away], total }) => {
          const usual = means.get(season)!
          return [total - usual, (others(home, total) + others(away, total)) / 2 - usual] as const
        })
      return uncorrelated("total_line", "both teams' other lines of the season", 0.4, pairs)
    },
  }
}

export const scheduleChecks: Checks = [
  mostly("gameday", "Gamedays are in the week of their game", 0.98, isInItsWeek),
  mostly("gametime", "Kickoffs are at 12 or 13 o'clock, US Eastern,", 0.3, isEarlyAfternoon),
  mostly("gametime", "Games on Mondays and Thursdays begin after 17:00", 0.75, isEvening),
  correlates("spread_line", "the moneylines", 0.9, (row) => definedPair(valueIn(row, "spread_line"), favouredBy(row))),
  determines("home_qb_id", "the names", named(["home_qb_id", "home_qb_name"], ["away_qb_id", "away_qb_name"])),
  determines("roof", "the stadiums", roofs),
  restIsCounted,
  totalsResemble,
]

/** Passes that a team's offense lost are those that the other's defense caught; read where the file has the columns. */
const interceptionsAgree = (): FileCheck => {
  const teams = new Map<string, { readonly other: string; readonly lost: number; readonly caught: number }>()
  return {
    take: (row) => {
      const [lost, caught] = [valueIn(row, "passing_interceptions"), valueIn(row, "def_interceptions")]
      const other = textIn(row, "opponent_team")
      if (lost === undefined || caught === undefined || other === undefined) return
      teams.set(`${rowWeek(row)} ${row["team"]}`, { other: `${rowWeek(row)} ${other}`, lost, caught })
    },
    end: () => {
      const both = [...teams.values()].flatMap(({ other, lost }) => {
        const caught = teams.get(other)?.caught
        return caught === undefined ? [] : [caught === lost]
      })
      const wrong = both.filter((agrees) => !agrees).length
      return both.length < leastRows / 2 || wrong <= 0.1 * both.length
        ? undefined
        : {
            field: "passing_interceptions",
            reason: `${wrong} of ${both.length} values are not the other team's def_interceptions.`,
          }
    },
  }
}

export const teamWeekChecks: Checks = [
  interceptionsAgree,
  differsByWeek("passing_epa", 2, (row) => [rowWeek(row), row["team"]!, `${row["passing_epa"]} ${row["rushing_epa"]}`]),
]

const figures = (row: Row, ...names: ReadonlyArray<string>): string => names.map((name) => row[name]).join()

/** Enough passes that a mean says something. */
const enoughPasses = 10

const perPass = (row: Row): number | undefined => {
  const attempts = valueIn(row, "attempts") ?? 0
  return attempts < enoughPasses ? undefined : valueIn(row, "passing_yards")! / attempts
}

const ran = (row: Row): boolean | undefined =>
  valueIn(row, "carries") === undefined
    ? undefined
    : valueIn(row, "carries") !== 0 || valueIn(row, "rushing_yards") === 0

export const quarterbackChecks: Checks = [
  determines("player_display_name", "the ids", named(["player_id", "player_display_name"])),
  correlates("passing_yards", "completions", 0.75, (row) =>
    definedPair(valueIn(row, "passing_yards"), valueIn(row, "completions")),
  ),
  correlates("passing_epa", "yards per pass", 0.45, (row) => definedPair(valueIn(row, "passing_epa"), perPass(row))),
  correlates("passing_tds", "passing_epa", 0.35, (row) =>
    perPass(row) === undefined ? undefined : definedPair(valueIn(row, "passing_tds"), valueIn(row, "passing_epa")),
  ),
  mostly("rushing_yards", "Without carries there are no yards", 0.99, ran),
  differsByWeek("attempts", 2, (row) => [
    rowWeek(row),
    row["player_id"]!,
    figures(row, "completions", "attempts", "passing_yards"),
  ]),
]

/** Most players in practice in full who are out or doubtful, and fewest who are so just where they do not practise. */
const [mostInFull, leastAgreeing] = [0.09, 0.815]

/** Who does not practise is out or doubtful, and hardly anybody who practises in full is. */
const practiceAgrees = (): FileCheck => {
  let [rows, agreeing, absent, absentInFull] = [0, 0, 0, 0]
  return {
    take: (row) => {
      const practice = textIn(row, "practice_status")?.slice(0, 3)
      if (practice !== "Did" && practice !== "Ful") return
      const isAbsent = /^(Out|Doubtful)$/.test(textIn(row, "report_status") ?? "")
      rows++
      if ((practice === "Did") === isAbsent) agreeing++
      if (isAbsent) absent++
      if (isAbsent && practice === "Ful") absentInFull++
    },
    end: () =>
      absent < leastRows || absentInFull <= mostInFull * absent || agreeing >= leastAgreeing * rows
        ? undefined
        : {
            field: "practice_status",
            reason: `${absentInFull} of ${absent} players who are out or doubtful practised in full.`,
          },
  }
}

const sameInjury = (row: Row): boolean | undefined => {
  const [game, practice] = [textIn(row, "report_primary_injury"), textIn(row, "practice_primary_injury")]
  return game === undefined || practice === undefined ? undefined : game === practice
}

export const injuryChecks: Checks = [
  determines("full_name", "the ids", named(["gsis_id", "full_name"])),
  mostly("report_status", "A status comes with an injury, and none without", 0.97, (row) =>
    textIn(row, "report_status") === undefined
      ? textIn(row, "report_primary_injury") === undefined
      : textIn(row, "report_primary_injury") !== undefined,
  ),
  practiceAgrees,
  mostly("report_primary_injury", "The injury is that of the practice report", 0.8, sameInjury),
  differsByWeek("report_status", 16, (row) => [
    rowWeek(row),
    `${row["team"]} ${row["full_name"]}`,
    figures(row, "report_status", "practice_status", "report_primary_injury"),
  ]),
]

/** Codes of active players begin with A, those of reserve lists with R. */
const codeAgrees = (row: Row): boolean | undefined => {
  const [status, code] = [textIn(row, "status"), textIn(row, "status_description_abbr")]
  return code === undefined || (status !== "ACT" && status !== "RES") ? undefined : code[0] === status[0]
}

export const rosterChecks: Checks = [
  determines("full_name", "the ids", named(["gsis_id", "full_name"])),
  mostly("status", "The status agrees with its code", 0.95, codeAgrees),
]

const leastAgreement = 0.85
const leastGames = 64

/**
 * Why expected points contradict the results of their games; undefined: they do not. Of 2016–2025 the correlation is .90 to
 * .95 in each season, and below .79 with one of the columns shifted by a row.
 *
 * @param games the home team's expected points minus the away team's, and the margin
 */
export const contradictsResults = (games: ReadonlyArray<readonly [number, number]>): string | undefined => {
  if (games.length < leastGames) return undefined
  const agreement = correlation(games)
  return agreement >= leastAgreement
    ? undefined
    : `its expected points contradict the results of ${games.length} games (correlation ${agreement.toFixed(2)}, at least ${leastAgreement} is normal)`
}

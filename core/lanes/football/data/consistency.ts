import {
  checkCorrelates,
  checkDetermines,
  checkDiffersByWeek,
  checkMostly,
  type FileCheck,
  type Inconsistency,
  minRows,
  whyUncorrelated,
} from "../../../csv/consistency.ts"
import { type Row, readText } from "../../../csv/row.ts"
import { correlation } from "../../../math/correlation.ts"
import { mean } from "../../../math/mean.ts"
import { day } from "../../../time.ts"
import { findOpeningDay } from "./calendar.ts"
import { impliedHomeWin } from "./Game.ts"

/** The required shares and correlations are those of 2009–2025 minus a margin; a column that is shifted by a row is far below. */
export type Checks = ReadonlyArray<() => FileCheck>

const rowSeason = (row: Row): number => Number(row["season"])
const rowWeek = (row: Row): number => 100 * rowSeason(row) + Number(row["week"])

/** Reads a number; undefined if the cell is blank. */
const readNumber = (row: Row, field: string): number | undefined => {
  const text = readText(row, field)
  return text === undefined ? undefined : Number(text)
}

const pairIfDefined = (x: number | undefined, y: number | undefined): readonly [number, number] | undefined =>
  x === undefined || y === undefined ? undefined : [x, y]

/** Makes a function that picks pairs of columns from a row, if both cells have text. */
const pickPairs =
  (...columns: ReadonlyArray<readonly [key: string, value: string]>) =>
  (row: Row): ReadonlyArray<readonly [string, string]> =>
    columns.flatMap(([key, value]) => {
      const [id, name] = [readText(row, key), readText(row, value)]
      return id === undefined || name === undefined ? [] : [[id, name] as const]
    })

/** Pairs of stadium and roof. A roof that is open or closed counts as one that opens; the others never change. */
const pickRoofs = (row: Row): ReadonlyArray<readonly [string, string]> =>
  pickPairs(["stadium", "roof"])(row).map(([stadium, roof]) => [stadium, /^(open|closed)$/.test(roof) ? "opens" : roof])

/** The first season whose kickoffs are all 24-hour times, US Eastern, and the first with its Monday night games in them. */
const [first24HourSeason, firstEveningSeason] = [2003, 2006]

const kickoffHour = (row: Row): number | undefined => {
  const time = readText(row, "gametime")
  return time === undefined || rowSeason(row) < first24HourSeason ? undefined : Number(time.split(":")[0])
}

const gameWeekday = (row: Row): number => new Date(`${row["gameday"]}T00:00:00Z`).getUTCDay()
const [monday, thursday] = [1, 4]

const isEvening = (row: Row): boolean | undefined => {
  const hour = kickoffHour(row)
  const weekday = gameWeekday(row)
  const isLate = weekday === monday || weekday === thursday
  return hour === undefined || !isLate || rowSeason(row) < firstEveningSeason ? undefined : hour >= 17
}

const isEarlyAfternoon = (row: Row): boolean | undefined => {
  const hour = kickoffHour(row)
  return hour === undefined ? undefined : hour === 12 || hour === 13
}

const toHomeWin = (row: Row): number | undefined => {
  const [home, away] = [readNumber(row, "home_moneyline"), readNumber(row, "away_moneyline")]
  return home === undefined || away === undefined
    ? undefined
    : impliedHomeWin({ homeMoneyline: home, awayMoneyline: away })
}

/** Whether a gameday is in its week: a week of the regular season goes from Wednesday to the next Wednesday. */
const isInItsWeek = (row: Row): boolean | undefined => {
  if (row["game_type"] !== "REG" || rowSeason(row) < first24HourSeason) return undefined
  const passed = Math.round((Date.parse(row["gameday"]!) - Date.parse(findOpeningDay(rowSeason(row)))) / day)
  const inWeek = passed - 7 * (Number(row["week"]) - 1)
  return inWeek >= -1 && inWeek <= 6
}

/** Checks that days of rest are those since the team's last game of the season. */
const checkRest = (): FileCheck => {
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
      return known < minRows || wrong <= 0.05 * known
        ? undefined
        : { field: "home_rest, away_rest", reason: `${wrong} of ${known} values are not the days since the last game.` }
    },
  }
}

/** Checks that a game's total line resembles those of both teams' other games of the season. */
const checkTotals = (): FileCheck => {
  const games: Array<{ readonly season: string; readonly teams: readonly [string, string]; readonly total: number }> =
    []
  return {
    take: (row) => {
      const total = readNumber(row, "total_line")
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
      return whyUncorrelated("total_line", "both teams' other lines of the season", 0.4, pairs)
    },
  }
}

export const scheduleChecks: Checks = [
  checkMostly("gameday", "Gamedays are in the week of their game", 0.98, isInItsWeek),
  checkMostly("gametime", "Kickoffs are at 12 or 13 o'clock, US Eastern,", 0.3, isEarlyAfternoon),
  checkMostly("gametime", "Games on Mondays and Thursdays begin after 17:00", 0.75, isEvening),
  checkCorrelates("spread_line", "the moneylines", 0.9, (row) =>
    pairIfDefined(readNumber(row, "spread_line"), toHomeWin(row)),
  ),
  checkDetermines("home_qb_id", "the names", pickPairs(["home_qb_id", "home_qb_name"], ["away_qb_id", "away_qb_name"])),
  checkDetermines("roof", "the stadiums", pickRoofs),
  checkRest,
  checkTotals,
]

/** Checks that the interceptions a team threw are those that the other team caught, if the file has the columns. */
const checkInterceptions = (): FileCheck => {
  const teams = new Map<string, { readonly other: string; readonly lost: number; readonly caught: number }>()
  return {
    take: (row) => {
      const [lost, caught] = [readNumber(row, "passing_interceptions"), readNumber(row, "def_interceptions")]
      const other = readText(row, "opponent_team")
      if (lost === undefined || caught === undefined || other === undefined) return
      teams.set(`${rowWeek(row)} ${row["team"]}`, { other: `${rowWeek(row)} ${other}`, lost, caught })
    },
    end: () => {
      const both = [...teams.values()].flatMap(({ other, lost }) => {
        const caught = teams.get(other)?.caught
        return caught === undefined ? [] : [caught === lost]
      })
      const wrong = both.filter((agrees) => !agrees).length
      return both.length < minRows / 2 || wrong <= 0.1 * both.length
        ? undefined
        : {
            field: "passing_interceptions",
            reason: `${wrong} of ${both.length} values are not the other team's def_interceptions.`,
          }
    },
  }
}

export const teamWeekChecks: Checks = [
  checkInterceptions,
  checkDiffersByWeek("passing_epa", 2, (row) => [
    rowWeek(row),
    row["team"]!,
    `${row["passing_epa"]} ${row["rushing_epa"]}`,
  ]),
]

const joinCells = (row: Row, ...names: ReadonlyArray<string>): string => names.map((name) => row[name]).join()

/** A mean per pass is computed from this many attempts on. */
const minPasses = 10

const toYardsPerPass = (row: Row): number | undefined => {
  const attempts = readNumber(row, "attempts") ?? 0
  return attempts < minPasses ? undefined : readNumber(row, "passing_yards")! / attempts
}

const hasCarries = (row: Row): boolean | undefined =>
  readNumber(row, "carries") === undefined
    ? undefined
    : readNumber(row, "carries") !== 0 || readNumber(row, "rushing_yards") === 0

export const quarterbackChecks: Checks = [
  checkDetermines("player_display_name", "the ids", pickPairs(["player_id", "player_display_name"])),
  checkCorrelates("passing_yards", "completions", 0.75, (row) =>
    pairIfDefined(readNumber(row, "passing_yards"), readNumber(row, "completions")),
  ),
  checkCorrelates("passing_epa", "yards per pass", 0.45, (row) =>
    pairIfDefined(readNumber(row, "passing_epa"), toYardsPerPass(row)),
  ),
  checkCorrelates("passing_tds", "passing_epa", 0.35, (row) =>
    toYardsPerPass(row) === undefined
      ? undefined
      : pairIfDefined(readNumber(row, "passing_tds"), readNumber(row, "passing_epa")),
  ),
  checkMostly("rushing_yards", "Without carries there are no yards", 0.99, hasCarries),
  checkDiffersByWeek("attempts", 2, (row) => [
    rowWeek(row),
    row["player_id"]!,
    joinCells(row, "completions", "attempts", "passing_yards"),
  ]),
]

/**
 * A practice column is refused if more than the first share of absent players practised in full and, at the same time, less
 * than the second share of rows agree that only who does not practise is absent.
 */
const [maxInFullShare, minAgreeingShare] = [0.09, 0.815]

/** Checks that players who do not practise are out or doubtful, and that few who practise in full are. */
const checkPractice = (): FileCheck => {
  let [rows, agreeing, absent, absentInFull] = [0, 0, 0, 0]
  return {
    take: (row) => {
      const practice = readText(row, "practice_status")?.slice(0, 3)
      if (practice !== "Did" && practice !== "Ful") return
      const isAbsent = /^(Out|Doubtful)$/.test(readText(row, "report_status") ?? "")
      rows++
      if ((practice === "Did") === isAbsent) agreeing++
      if (isAbsent) absent++
      if (isAbsent && practice === "Ful") absentInFull++
    },
    end: () =>
      absent < minRows || absentInFull <= maxInFullShare * absent || agreeing >= minAgreeingShare * rows
        ? undefined
        : {
            field: "practice_status",
            reason: `${absentInFull} of ${absent} players who are out or doubtful practised in full.`,
          },
  }
}

const isSameInjury = (row: Row): boolean | undefined => {
  const [game, practice] = [readText(row, "report_primary_injury"), readText(row, "practice_primary_injury")]
  return game === undefined || practice === undefined ? undefined : game === practice
}

export const injuryChecks: Checks = [
  checkDetermines("full_name", "the ids", pickPairs(["gsis_id", "full_name"])),
  checkMostly("report_status", "A status comes with an injury, and none without", 0.97, (row) =>
    readText(row, "report_status") === undefined
      ? readText(row, "report_primary_injury") === undefined
      : readText(row, "report_primary_injury") !== undefined,
  ),
  checkPractice,
  checkMostly("report_primary_injury", "The injury is that of the practice report", 0.8, isSameInjury),
  checkDiffersByWeek("report_status", 16, (row) => [
    rowWeek(row),
    `${row["team"]} ${row["full_name"]}`,
    joinCells(row, "report_status", "practice_status", "report_primary_injury"),
  ]),
]

/** Whether a roster status agrees with its code: codes of active players begin with A, those of reserve lists with R. */
const doesCodeAgree = (row: Row): boolean | undefined => {
  const [status, code] = [readText(row, "status"), readText(row, "status_description_abbr")]
  return code === undefined || (status !== "ACT" && status !== "RES") ? undefined : code[0] === status[0]
}

export const rosterChecks: Checks = [
  checkDetermines("full_name", "the ids", pickPairs(["gsis_id", "full_name"])),
  checkMostly("status", "The status agrees with its code", 0.95, doesCodeAgree),
]

const minAgreement = 0.85
const minGames = 64

/**
 * How expected points contradict the results of their games; undefined if they do not. In 2016–2025 the correlation was .90
 * to .95 in each season, and below .79 with one of the columns shifted by a row.
 *
 * @param games the home team's expected points minus the away team's, and the margin
 */
export const whyContradictsResults = (games: ReadonlyArray<readonly [number, number]>): string | undefined => {
  if (games.length < minGames) return undefined
  const agreement = correlation(games)
  return agreement >= minAgreement
    ? undefined
    : `its expected points contradict the results of ${games.length} games (correlation ${agreement.toFixed(2)}, at least ${minAgreement} is normal)`
}

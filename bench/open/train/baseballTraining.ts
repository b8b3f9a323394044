import { createHash } from "node:crypto"
import { parameters } from "../../../core/lanes/baseball/parameters.ts"
import { rateNames } from "../../../core/lanes/baseball/skill/rates.ts"
import type { SkillStates } from "../../../core/lanes/baseball/skill/states.ts"
import { teamIds } from "../../../core/lanes/baseball/teams.ts"
import type { Panel } from "../backtest/diagram.ts"
import { nameOf, type Seasons } from "../compare/seasons.ts"
import type { BaseballData, SkillData } from "../lanes/baseball/data.ts"
import {
  type Contender,
  closeName,
  development,
  fittedSeasons,
  market,
  modelName,
  runsName,
  simple,
  skillsName,
  test,
} from "../lanes/baseball/task.ts"
import { fitModel } from "./baseballForecasts.ts"
import {
  type Bets,
  betsOf,
  type Calibration,
  calibrationOf,
  comparable,
  type Decided,
  type Row,
  rowOf,
} from "./baseballScores.ts"

/** All forecasters in some seasons, on identical games. */
export interface Period {
  readonly seasons: Seasons
  /** Reference of the paired differences. */
  readonly against: string
  readonly rows: ReadonlyArray<Row>
  readonly calibration: { readonly model: Calibration; readonly against: Calibration }
  /** On the games with an opening price. */
  readonly opening?: Row
  readonly bets?: Bets
}

const rowNamed = (rows: ReadonlyArray<Row>, title: string): Row => rows.find((row) => row.name === title)!

export type Trained = ReturnType<typeof train>

/**
 * Fits the model and measures it. Each probability uses data from before the game's day and coefficients fitted on
 * earlier seasons.
 */
export const train = (data: BaseballData) => {
  const fitted = fittedSeasons(data)
  const {
    coefficients,
    skill,
    lineUp,
    runs,
    skills: skillForecasts,
    forecasts,
  } = fitModel(data.games, fitted, parameters)
  const close = market(data.close)
  const open = market(data.open)
  const baselines = simple(data.games, fitted)
  const own: ReadonlyArray<Contender> = [
    [modelName, forecasts],
    ...(data.skill === undefined
      ? []
      : ([
          [skillsName, skillForecasts],
          [runsName, runs],
        ] as const)),
  ]

  const periodOf = (
    seasons: Seasons,
    contenders: ReadonlyArray<Contender>,
  ): { readonly games: ReadonlyArray<Decided>; readonly figures: Period } => {
    const [against] = contenders
    const games = comparable(data.games, seasons, contenders)
    if (games.length === 0) throw new Error(`No games in the seasons ${nameOf(seasons)}.`)
    return {
      games,
      figures: {
        seasons,
        against: against![0],
        rows: contenders.map(([title, some]) => rowOf(title, games, some, against![1])),
        calibration: { model: calibrationOf(games, forecasts), against: calibrationOf(games, against![1]) },
      },
    }
  }
  const pricedPeriod = (seasons: Seasons): Required<Period> => {
    const { games, figures } = periodOf(seasons, [[closeName, close], ...own, ...baselines])
    const opened = comparable(data.games, seasons, [
      [closeName, close],
      ["", open],
    ])
    return {
      ...figures,
      opening: rowOf("market open", opened, open, close),
      bets: betsOf(games, forecasts, data.close),
    }
  }
  const main = pricedPeriod(test)
  const newest = Math.max(...data.games.map(({ season }) => season))
  const after = { from: data.priced.to + 1, to: newest }
  const later: ReadonlyArray<Period> =
    newest < after.from ? [] : [periodOf(after, [baselines[0]!, ...own, ...baselines.slice(1)]).figures]
  const skills = data.skill && { coefficients: skill, ...kept(data.skill) }
  const lastFitted = skills === undefined ? data.priced.to : newest
  const hash = createHash("sha256")
    .update(JSON.stringify([parameters, coefficients, skills, lineUp]))
    .digest("hex")
    .slice(0, 8)
  return {
    model_version: `${modelName}-${hash}`,
    trained_at: data.games
      .filter(({ season }) => season <= lastFitted)
      .map(({ day }) => day)
      .sort()
      .at(-1)!,
    inputs: data.inputs.map(({ name, sha256 }) => ({ name, sha256 })),
    parameters,
    coefficients,
    ...(skills && { skill: skills, line_up: { coefficients: lineUp } }),
    earned_share_counted: data.earnedShare,
    backtest: {
      overall: overallOf(main),
      periods: [main, pricedPeriod(development), ...later] as readonly [Period, ...ReadonlyArray<Period>],
    },
  }
}

/** To nine decimals: published and used values are equal. */
const short = (value: number): number => Math.round(value * 1e9) / 1e9

/** Retrosheet's codes that no venue has. */
const retrosheetIds: Readonly<Record<string, number>> = {
  ...{ ANA: 108, CHN: 112, KCA: 118, LAN: 119, NYN: 121, SDN: 135, SFN: 137, SLN: 138, TBA: 139, CHA: 145, NYA: 147 },
}

/** The league's id of a team by Retrosheet's code; undefined for one that is no more. */
const teamIdOf = (code: string): number | undefined => retrosheetIds[code] ?? teamIds[code]

type Bats = SkillStates["rates"]["kbb"]["bats"]

/** Skills by the league's team ids; teams that are no more are left out. */
const byTeamId = (skills: Bats): Bats =>
  Object.fromEntries(
    Object.entries(skills).flatMap(([code, { mean, variance }]) => {
      const id = teamIdOf(code)
      return id === undefined ? [] : [[String(id), { mean: short(mean), variance: short(variance) }]]
    }),
  )

/** What a service needs to go on after the last game of the training. */
const kept = ({ states: { season, rates }, league }: SkillData) => ({
  states: {
    season,
    rates: Object.fromEntries(
      rateNames.map((name) => {
        const { league: usual, bullpens, bats } = rates[name]
        return [name, { league: short(usual), bullpens: byTeamId(bullpens), bats: byTeamId(bats) }]
      }),
    ),
  },
  league: Object.fromEntries(
    [...league]
      .filter(([year]) => year > season - parameters.skill.seasons.length)
      .map(([year, { kbb, lw }]) => [year, { kbb: short(kbb), lw: short(lw) }]),
  ),
})

/** The published track record. */
const overallOf = ({ rows, bets: { roi, ...bets } }: Required<Period>) => {
  const [model, close] = [rowNamed(rows, modelName), rowNamed(rows, closeName)]
  return {
    games: model.games,
    accuracy: model.accuracy.value,
    brier_model: model.brier.value,
    brier_market: close.brier.value,
    accuracy_market: close.accuracy.value,
    ...bets,
    roi: roi.value,
    standard_errors: {
      accuracy: model.accuracy.se,
      brier_model: model.brier.se,
      brier_market: close.brier.se,
      brier_difference: model.brier_against!.se,
      roi: roi.se,
    },
  }
}

const isEmptyBin = (bin: unknown): boolean =>
  typeof bin === "object" && bin !== null && "count" in bin && bin.count === 0

/** The committed artefact; a bin without forecasts has no mean. */
export const print = (trained: Trained): string =>
  `${JSON.stringify(
    trained,
    (_, value) => (Array.isArray(value) ? value.filter((each) => !isEmptyBin(each)) : value),
    1,
  )}\n`

/** The panels of a reliability diagram: model and market. */
export const panelsOf = ({ backtest: { periods } }: Trained): ReadonlyArray<Panel> =>
  periods
    .filter(({ against }) => against === closeName)
    .map(({ seasons, rows, calibration }) => {
      const scores = ({ ece, bins }: Calibration) => ({ ece, reliability: bins })
      return {
        title: nameOf(seasons),
        cases: `${rows[0]!.games} games`,
        baseline: scores(calibration.against),
        model: scores(calibration.model),
      }
    })

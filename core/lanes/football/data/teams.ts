/** The 32 franchises, by their current league-data codes. */
export const teams = [
  ...["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE"],
  ...["DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC"],
  ...["LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG"],
  ...["NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS"],
] as const

export type Team = (typeof teams)[number]

/** Other spellings, and the codes of franchises before they moved. */
export const aliases = {
  LAR: "LA",
  JAC: "JAX",
  WSH: "WAS",
  OAK: "LV",
  SD: "LAC",
  STL: "LA",
} as const satisfies Readonly<Record<string, Team>>

const byCode: ReadonlyMap<string, Team> = new Map([
  ...teams.map((team) => [team, team] as const),
  ...Object.entries(aliases),
])

/** The franchise behind a code. Rows and game ids keep the code of their season: OAK and LV are one franchise. */
export const franchise = (code: string): Team | undefined => byCode.get(code)

/** The last season of a franchise under an old code. */
const moves: Readonly<Partial<Record<Team, { readonly code: string; readonly last: number }>>> = {
  LA: { code: "STL", last: 2015 },
  LAC: { code: "SD", last: 2016 },
  LV: { code: "OAK", last: 2019 },
}

/** The code of a franchise in a season. */
export const codeIn = (team: Team, season: number): string => {
  const move = moves[team]
  return move !== undefined && season <= move.last ? move.code : team
}

/** The 32 franchises, by their current league-data codes. */
export const teams = [
  ...["ARI", "ATL", "BAL", "BUF", "CAR", "CHI", "CIN", "CLE"],
  ...["DAL", "DEN", "DET", "GB", "HOU", "IND", "JAX", "KC"],
  ...["LA", "LAC", "LV", "MIA", "MIN", "NE", "NO", "NYG"],
  ...["NYJ", "PHI", "PIT", "SEA", "SF", "TB", "TEN", "WAS"],
] as const

export type Team = (typeof teams)[number]

export const teamNames = {
  ...{ ARI: "Arizona Cardinals", ATL: "Atlanta Falcons", BAL: "Baltimore Ravens", BUF: "Buffalo Bills" },
  ...{ CAR: "Carolina Panthers", CHI: "Chicago Bears", CIN: "Cincinnati Bengals", CLE: "Cleveland Browns" },
  ...{ DAL: "Dallas Cowboys", DEN: "Denver Broncos", DET: "Detroit Lions", GB: "Green Bay Packers" },
  ...{ HOU: "Houston Texans", IND: "Indianapolis Colts", JAX: "Jacksonville Jaguars", KC: "Kansas City Chiefs" },
  ...{ LA: "Los Angeles Rams", LAC: "Los Angeles Chargers", LV: "Las Vegas Raiders", MIA: "Miami Dolphins" },
  ...{ MIN: "Minnesota Vikings", NE: "New England Patriots", NO: "New Orleans Saints", NYG: "New York Giants" },
  ...{ NYJ: "New York Jets", PHI: "Philadelphia Eagles", PIT: "Pittsburgh Steelers", SEA: "Seattle Seahawks" },
  ...{ SF: "San Francisco 49ers", TB: "Tampa Bay Buccaneers", TEN: "Tennessee Titans", WAS: "Washington Commanders" },
} as const satisfies Readonly<Record<Team, string>>

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

/** The franchise behind a code. Rows and game ids keep the code of their season: OAK and LV are the same franchise. */
export const findFranchise = (code: string): Team | undefined => byCode.get(code)

/** The old codes of franchises that moved, with the last season under them. */
const oldCodes: Readonly<Partial<Record<Team, { readonly code: string; readonly last: number }>>> = {
  LA: { code: "STL", last: 2015 },
  LAC: { code: "SD", last: 2016 },
  LV: { code: "OAK", last: 2019 },
}

export const toSeasonCode = (team: Team, season: number): string => {
  const move = oldCodes[team]
  return move !== undefined && season <= move.last ? move.code : team
}

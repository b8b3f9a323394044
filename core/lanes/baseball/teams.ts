/** The league's team ids by venue code; some clubs have two codes. */
export const teamIds: Readonly<Record<string, number>> = {
  ...{ LAA: 108, ARI: 109, AZ: 109, BAL: 110, BOS: 111, CHC: 112, CIN: 113, CLE: 114, COL: 115, DET: 116 },
  ...{ HOU: 117, KC: 118, LAD: 119, WSH: 120, WAS: 120, NYM: 121, ATH: 133, OAK: 133, PIT: 134, SD: 135 },
  ...{ SEA: 136, SF: 137, STL: 138, TB: 139, TEX: 140, TOR: 141, MIN: 142, PHI: 143, ATL: 144, CWS: 145 },
  ...{ CHW: 145, MIA: 146, NYY: 147, MIL: 158 },
}

/** Retrosheet's codes that no venue has. */
const retrosheetIds: Readonly<Record<string, number>> = {
  ...{ ANA: 108, CHN: 112, KCA: 118, LAN: 119, NYN: 121, SDN: 135, SFN: 137, SLN: 138, TBA: 139, CHA: 145, NYA: 147 },
}

/** The league's id of a team by Retrosheet's code; undefined for one that is no more. */
export const teamIdOf = (code: string): number | undefined => retrosheetIds[code] ?? teamIds[code]

/** The league's team ids by venue code; some clubs have two codes. */
export const teamIds: Readonly<Record<string, number>> = {
  ...{ LAA: 108, ARI: 109, AZ: 109, BAL: 110, BOS: 111, CHC: 112, CIN: 113, CLE: 114, COL: 115, DET: 116 },
  ...{ HOU: 117, KC: 118, LAD: 119, WSH: 120, WAS: 120, NYM: 121, ATH: 133, OAK: 133, PIT: 134, SD: 135 },
  ...{ SEA: 136, SF: 137, STL: 138, TB: 139, TEX: 140, TOR: 141, MIN: 142, PHI: 143, ATL: 144, CWS: 145 },
  ...{ CHW: 145, MIA: 146, NYY: 147, MIL: 158 },
}

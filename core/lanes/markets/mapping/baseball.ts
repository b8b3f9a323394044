import type { Mapping } from "./Mapping.ts"
import { type FinalScore, onWinner, type WinOutput } from "./score.ts"

/** The league's own team ids by the codes that venues write; some clubs have two. */
const ids: Readonly<Record<string, number>> = {
  ...{ LAA: 108, ARI: 109, AZ: 109, BAL: 110, BOS: 111, CHC: 112, CIN: 113, CLE: 114, COL: 115, DET: 116 },
  ...{ HOU: 117, KC: 118, LAD: 119, WSH: 120, WAS: 120, NYM: 121, ATH: 133, OAK: 133, PIT: 134, SD: 135 },
  ...{ SEA: 136, SF: 137, STL: 138, TB: 139, TEX: 140, TOR: 141, MIN: 142, PHI: 143, ATL: 144, CWS: 145 },
  ...{ CHW: 145, MIA: 146, NYY: 147, MIL: 158 },
}

const has = (code: string): boolean => Object.hasOwn(ids, code)

/** One contract per team on who wins. */
export const series: ReadonlyArray<string> = ["KXMLBGAME"]

const { listed, answers } = onWinner(series, has)

/** Who wins a game, priced by the fair odds. */
export const baseball: Mapping<
  { readonly home: number; readonly away: number; readonly day: string; readonly game?: number },
  WinOutput,
  FinalScore
> = {
  domain: "mlb",
  lane: "baseball",
  endpoint: "mlb_fair_odds",
  ask: (contract) => {
    const sides = listed(contract)
    if (sides === undefined) return undefined
    const { day, home, away, game } = sides
    return {
      subject: [day, away, home, ...(game === undefined ? [] : [game])].join("/"),
      instrument: `${away} @ ${home}`,
      params: { home: ids[home]!, away: ids[away]!, day, ...(game === undefined ? {} : { game }) },
    }
  },
  ...answers,
}

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { dayOf } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { callBudget } from "../../../runtime/upstream/upstream.ts"
import { batters } from "./batters.ts"
import { boxScoreQuestion, lineUpsQuestion } from "./boxScore.ts"
import { publicUrl } from "./cite.ts"
import { pitcherStats } from "./pitcher.ts"
import { listed, schedule } from "./schedule.ts"
import { table } from "./standings.ts"

/** MLB's StatsAPI: schedule, standings, box scores, line-ups, pitchers, batters. Off until the operator accepts `terms`. */
export const mlb = Upstream.define({
  name: "mlb",
  title: "MLB's statistics service",
  url: publicUrl,
  atOnce: 4,
  atMost: 256,
  redirects: false,
  ...callBudget,
  terms: "MLB's notice allows individual, non-commercial, non-bulk use.",
  questions: {
    schedule: listed,
    standings: table,
    pitcherStats,
    batters,
    boxScore: boxScoreQuestion,
    lineUps: lineUpsQuestion,
  },
  probe: (source) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => schedule(source, { startDate: dayOf(now), endDate: dayOf(now) })),
})

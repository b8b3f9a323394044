import { jobs } from "../../../support/chaos/jobs.ts"
import { killed } from "../../../support/chaos/suite.ts"

killed(jobs, "runs each slot once, none early and none left out", {
  sqlite: { variable: "JOB_KILLS", kills: 3, lines: 1 },
  postgres: { variable: "PG_JOB_KILLS", kills: 4, nodes: 3, lines: 1 },
})

import { record } from "../../../support/chaos/record.ts"
import { killed } from "../../../support/chaos/suite.ts"

killed(record, "leaves one tree that is that of its leaves, with all that it has acknowledged", {
  sqlite: { variable: "CRASH_KILLS", kills: 10, lines: 100 },
  postgres: { variable: "PG_KILLS", kills: 4, nodes: 4, lines: 20 },
})

import { charges } from "../../../support/chaos/charges.ts"
import { killed } from "../../../support/chaos/suite.ts"

killed(charges(), "loses no charge that it has acknowledged and makes none twice", {
  sqlite: { variable: "CRASH_KILLS", kills: 20, lines: 20 },
  postgres: { variable: "PG_KILLS", kills: 4, nodes: 3, lines: 20, startMs: 5_000 },
})

import { alerts } from "../../../support/chaos/alerts.ts"
import { killed } from "../../../support/chaos/suite.ts"

killed(alerts, "fires each crossing once and charges it once", {
  sqlite: { variable: "ALERT_KILLS", kills: 10, lines: 3 },
  postgres: { variable: "PG_ALERT_KILLS", kills: 5, nodes: 3, lines: 3 },
})

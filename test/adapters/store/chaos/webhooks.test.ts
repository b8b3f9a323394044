import { killed } from "../../../support/chaos/suite.ts"
import { webhooks } from "../../../support/chaos/webhooks.ts"

killed(webhooks, "delivers each event at least once, with the same id and bytes, whatever the receiver does", {
  sqlite: { variable: "WEBHOOK_KILLS", kills: 10, lines: 6 },
  postgres: { variable: "PG_WEBHOOK_KILLS", kills: 5, nodes: 3, lines: 3 },
})

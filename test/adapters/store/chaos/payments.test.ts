import { payments } from "../../../support/chaos/payments.ts"
import { killed } from "../../../support/chaos/suite.ts"

killed(payments, "credits every order exactly once or not at all", {
  sqlite: { variable: "PAYMENT_KILLS", kills: 20, lines: 20 },
  postgres: { variable: "PAYMENT_KILLS", kills: 10, nodes: 2, lines: 20 },
})

import * as Effect from "effect/Effect"
import crypto from "../../lanes/crypto/store/schema.ts"
import football from "../../lanes/football/store/schema.ts"
import markets from "../../lanes/markets/store/schema.ts"
import weather from "../../lanes/weather/store/schema.ts"
import accounts from "./released/accounts.ts"
import audit from "./released/audit.ts"
import events from "./released/events.ts"
import operation from "./released/operation.ts"
import people from "./released/people.ts"
import record from "./released/record.ts"
import postgres from "./released/schema.ts"
import usage from "./released/usage.ts"

/** The tables of the first release by subject; each lane defines its own. */
export default Effect.all(
  [accounts, audit, events, operation, people, record, usage, crypto, football, markets, weather, postgres],
  {
    discard: true,
  },
)

import * as Effect from "effect/Effect"
import accounts from "./released/accounts.ts"
import audit from "./released/audit.ts"
import crypto from "./released/crypto.ts"
import events from "./released/events.ts"
import football from "./released/football.ts"
import markets from "./released/markets.ts"
import operation from "./released/operation.ts"
import people from "./released/people.ts"
import record from "./released/record.ts"
import postgres from "./released/schema.ts"
import usage from "./released/usage.ts"
import weather from "./released/weather.ts"

/** The tables of the first release by subject; each lane defines its own. */
export default Effect.all(
  [accounts, audit, events, operation, people, record, usage, crypto, football, markets, weather, postgres],
  {
    discard: true,
  },
)

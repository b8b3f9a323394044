import * as Effect from "effect/Effect"
import crypto from "../../lanes/crypto/store/schema.ts"
import football from "../../lanes/football/store/schema.ts"
import markets from "../../lanes/markets/store/schema.ts"
import weather from "../../lanes/weather/store/schema.ts"
import postgres from "../postgres/schema.ts"
import accounts from "../schema/accounts.ts"
import audit from "../schema/audit.ts"
import events from "../schema/events.ts"
import operation from "../schema/operation.ts"
import people from "../schema/people.ts"
import record from "../schema/record.ts"
import usage from "../schema/usage.ts"

/** The tables of the first release by subject; each lane defines its own. */
export default Effect.all(
  [accounts, audit, events, operation, people, record, usage, crypto, football, markets, weather, postgres],
  {
    discard: true,
  },
)

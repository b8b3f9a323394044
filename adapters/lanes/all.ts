import { baseball } from "./baseball/module.ts"
import { crypto } from "./crypto/module.ts"
import { module as filings } from "./filings/mod.ts"
import { football } from "./football/module.ts"
import { markets } from "./markets/module.ts"
import { weather } from "./weather/module.ts"

/** Named with `typeof`, which keeps the generated declarations short. */
type All = readonly [typeof weather, typeof football, typeof baseball, typeof crypto, typeof markets, typeof filings]

/** Every lane's module. A lane may use those before it: markets uses the lanes that price contracts. */
export const modules: All = [weather, football, baseball, crypto, markets, filings]

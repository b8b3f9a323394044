import { baseball } from "./baseball/module.ts"
import { crypto } from "./crypto/module.ts"
import { module as filings } from "./filings/mod.ts"
import { football } from "./football/module.ts"
import { markets } from "./markets/module.ts"
import { weather } from "./weather/module.ts"

/** Written out, so that the generated declarations refer to the modules in place of repeating their types. */
type All = readonly [typeof weather, typeof football, typeof baseball, typeof crypto, typeof markets, typeof filings]

/** Every lane's module. A lane may use those before it: markets uses the lanes that price contracts. */
export const modules: All = [weather, football, baseball, crypto, markets, filings]

import { baseball } from "./baseball/module.ts"
import { crypto } from "./crypto/module.ts"
import { filings } from "./filings/module.ts"
import { football } from "./football/module.ts"
import { markets } from "./markets/module.ts"
import { weather } from "./weather/module.ts"

/** Every lane's module. A lane may use those before it: markets uses the lanes that price contracts. */
export const modules = [weather, football, baseball, crypto, markets, filings] as const

import * as Catalogue from "../endpoint/Catalogue.ts"
import { Baseball } from "./baseball/Baseball.ts"
import { Crypto } from "./crypto/Crypto.ts"
import { Filings } from "./filings/Filings.ts"
import { Football } from "./football/Football.ts"
import { Markets } from "./markets/Markets.ts"
import { Weather } from "./weather/Weather.ts"

/** Everything the service sells, and the endpoint in development. */
export const catalogue: Catalogue.Catalogue<
  | typeof Weather.lane
  | typeof Football.lane
  | typeof Baseball.lane
  | typeof Crypto.lane
  | typeof Markets.lane
  | typeof Filings.lane
> = Catalogue.make(Weather.lane, Football.lane, Baseball.lane, Crypto.lane, Markets.lane, Filings.lane)

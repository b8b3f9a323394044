import { family } from "../family.ts"
import { crypto } from "./crypto.ts"
import { markets } from "./markets.ts"
import { weather } from "./weather.ts"

export const bench = family(
  "bench",
  "Compare your own model with the served one and the market, on identical rows of a file.",
  [weather, crypto, markets],
)

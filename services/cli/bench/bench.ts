import { family } from "../family.ts"
import { baseball } from "./baseball.ts"
import { crypto } from "./crypto.ts"
import { football } from "./football.ts"
import { markets } from "./markets.ts"
import { weather } from "./weather.ts"

export const bench = family(
  "bench",
  "Compare your own model with the served one and the market, on identical rows of a file.",
  [weather, football, baseball, crypto, markets],
)

import * as Effect from "effect/Effect"
import { Calls } from "../../core/account/Calls.ts"
import type { Running } from "./running.ts"

/** Makes a call with the live key that is charged, and gives back its request id. */
export const newestCall = async ({ get, run, account }: Running): Promise<string> => {
  await get("/v1/weather/signal?station=KNYC")
  const { rows } = await run(Effect.flatMap(Calls, ({ page }) => page(account.id, {}, 1)))
  return rows[0]!.requestId
}

import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { planEstimate, key as self } from "../../core/lanes/account/endpoints.ts"
import { endpoints as baseball } from "../../core/lanes/baseball/endpoints.ts"
import { endpoints as crypto } from "../../core/lanes/crypto/endpoints.ts"
import { endpoints as filings } from "../../core/lanes/filings/endpoints.ts"
import { endpoints as football } from "../../core/lanes/football/endpoints.ts"
import { endpoints as markets } from "../../core/lanes/markets/endpoints.ts"
import { endpoints as weather } from "../../core/lanes/weather/endpoints.ts"
import { endpoints as record } from "../../core/record/log/endpoints.ts"

type All =
  | (typeof baseball)[keyof typeof baseball]
  | (typeof crypto)[keyof typeof crypto]
  | (typeof filings)[keyof typeof filings]
  | (typeof football)[keyof typeof football]
  | (typeof markets)[keyof typeof markets]
  | (typeof weather)[keyof typeof weather]
  // The record's leaves are NDJSON, not one JSON value.
  | (typeof record)["checkpoint" | "consistency" | "inclusion"]

/** Endpoints that answer JSON, by id. Declarations only: no providers and no models are bundled. */
export type ById = { readonly [E in All as E["id"]]: E }

const { checkpoint, consistency, inclusion } = record

export const endpoints: ById = Object.fromEntries(
  [weather, football, baseball, crypto, markets, filings, { checkpoint, consistency, inclusion }]
    .flatMap((lane): ReadonlyArray<Endpoint.Any> => Object.values(lane))
    .map((endpoint) => [endpoint.id, endpoint]),
) as unknown as ById

export { planEstimate, self }

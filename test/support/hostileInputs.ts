import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Options from "../../core/endpoint/Options.ts"
import * as Select from "../../core/endpoint/Select.ts"
import { withAccount } from "../../core/lanes/account/Account.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { practiceTicker } from "../../core/lanes/markets/challenge/fields.ts"
import { endpoints as proofs } from "../../core/record/log/endpoints.ts"
import { type Draws, encoded, jsonText, text, value } from "./hostileDraws.ts"
import { type Rules, rulesOf, some } from "./hostileParams.ts"

/** Values that only the server knows: cursors, ids of games, entity tags. By the name of the parameter. */
export type Known = Readonly<Record<string, ReadonlyArray<unknown>>>

/** Tickers of an open contract, of one that is closed, and of none. */
const tickers = [practiceTicker, "KXHIGHNY-25JUL08-T89", "KXHIGHNY", "__proto__"]

/** Every endpoint behind a key, and those without one that are in the catalogue. */
export const sold = withAccount(catalogue, false).entries.map(({ endpoint }) => endpoint)
const rules = new Map<Endpoint.Any, Rules>()
const paths = new Map<Endpoint.Any, ReadonlyArray<string>>()
for (const endpoint of [...sold, ...Object.values(proofs)]) {
  rules.set(endpoint, rulesOf(Options.input(endpoint)))
  paths.set(endpoint, Select.compile(endpoint.results).paths)
}
/** Parameters of an endpoint: its example's, changed here and there. */
export const paramsOf = (draw: Draws, endpoint: Endpoint.Any, known: Known): Record<string, unknown> => {
  const wild = draw.weighted([
    [5, 0],
    [3, 0.25],
    [1, 0.9],
  ])
  const params: Record<string, unknown> = draw.chance(0.8) ? { ...(endpoint.example as object) } : {}
  for (const [name, rule] of rules.get(endpoint)!) {
    const isOption = name === "fields" || name === "verbose" || name === "include" || name === "dry_run"
    if (!draw.chance(name in params ? 0.5 : isOption ? 0.12 : 0.3)) continue
    const from = known[name]
    if (from !== undefined && from.length > 0 && draw.chance(0.7)) params[name] = draw.pick(from)
    else if (name === "fields" && draw.chance(0.7)) {
      params[name] = Array.from({ length: 1 + draw.integer(5) }, () => draw.pick(paths.get(endpoint)!))
    } else if (name === "calls" && draw.chance(0.8)) {
      params[name] = Array.from({ length: 1 + draw.integer(draw.chance(0.1) ? 110 : 5) }, () => {
        const planned = draw.pick(sold.filter(({ id }) => id !== "plan_estimate"))
        return { endpoint: draw.pick([planned.id, planned.path, text(draw)]), params: paramsOf(draw, planned, known) }
      })
    } else if (name === "opinions" && draw.chance(0.8)) {
      params[name] = Array.from({ length: 1 + draw.integer(draw.chance(0.1) ? 110 : 4) }, () => ({
        ticker: draw.chance(0.6) ? draw.pick(tickers) : text(draw),
        p: draw.chance(0.6) ? draw.integer(1_000_001) / 1_000_000 : value(draw),
        ...(draw.chance(0.2) ? { venue: draw.pick(["mock", "kalshi", text(draw)]) } : {}),
      }))
    } else params[name] = some(draw, rule, wild)
  }
  while (draw.chance(0.06))
    params[draw.chance(0.5) ? draw.pick(["statoin", "__proto__x", "page"]) : text(draw)] = value(draw)
  return params
}

/** A value as text: what is no scalar has its JSON, for it may have no text of its own. */
export const plain = (given: unknown): string =>
  typeof given === "object" && given !== null ? jsonText(given) : String(given)

/** A query string, here and there not the way a library would write it. */
export const queryOf = (draw: Draws, params: Readonly<Record<string, unknown>>): string => {
  const pieces = Object.entries(params).flatMap(([name, given]) => {
    const written = Array.isArray(given) && draw.chance(0.7) ? given.join(",") : given
    return [written].flat().map((each) => {
      return `${encoded(name)}=${encoded(plain(each))}`
    })
  })
  if (pieces.length > 0 && draw.chance(0.03)) pieces.push(draw.pick(pieces))
  if (draw.chance(0.03))
    pieces.push(draw.pick(["%", "%zz=1", "=", "&&", "a", "%ff%fe=1", "__proto__=1", "x[]=1", "%00=%00"]))
  return pieces.length === 0 ? "" : `?${pieces.join("&")}`
}

/** A body, mostly the JSON it should be. */
export const bodyOf = (draw: Draws, json: unknown): string | Buffer => {
  const whole = jsonText(json)
  return draw.weighted<() => string | Buffer>([
    [14, () => whole],
    [1, () => jsonText(value(draw))],
    [1, () => whole.slice(0, draw.integer(whole.length + 1))],
    [1, () => Buffer.concat([Buffer.from(whole), Buffer.from([0xff, 0xfe, 0xc0])])],
    [1, () => `\ufeff${whole}`],
    [1, () => ""],
    [0.5, () => `{"pad":"${"x".repeat(70_000)}"}`],
    [0.5, () => whole.replace("{", '{"__proto__":{"dry_run":true},')],
    [0.5, () => whole.replace("{", `{${'"a":1,'.repeat(5_000)}`)],
  ])()
}

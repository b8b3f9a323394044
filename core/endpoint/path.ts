/** Parameters of a GET call; a list is separated by commas. */
export type QueryParams = Readonly<Record<string, string | number | boolean | ReadonlyArray<string | number>>>

const textOf = (value: QueryParams[string]): string =>
  typeof value === "object" ? value.map(textOf).join(",") : encodeURIComponent(value)

/**
 * A path with its parameters as a query.
 *
 * @example
 * ```ts
 * import { pathOf } from "./path.ts"
 *
 * pathOf("/v1/crypto/signal", { asset: "BTC", strikes: [1, 2] }) // "/v1/crypto/signal?asset=BTC&strikes=1,2"
 * ```
 */
export const pathOf = (path: string, params: QueryParams): string => {
  const query = Object.entries(params).map(([name, value]) => `${name}=${textOf(value)}`)
  return query.length === 0 ? path : `${path}?${query.join("&")}`
}

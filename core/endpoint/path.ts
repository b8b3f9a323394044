/** The page with the meaning and remedy of every error code. */
export const errorsPath = "/errors"

export const errorPath = (code: string): string => `${errorsPath}/${code}`

/** Parameters of a GET call; a list is separated by commas. */
export type QueryParams = Readonly<Record<string, string | number | boolean | ReadonlyArray<string | number>>>

const paramText = (value: QueryParams[string]): string =>
  typeof value === "object" ? value.map(paramText).join(",") : encodeURIComponent(value)

/**
 * A path with its parameters as a query.
 *
 * @example
 * ```ts
 * import { fillPath } from "./path.ts"
 *
 * fillPath("/v1/crypto/signal", { asset: "BTC", strikes: [1, 2] }) // "/v1/crypto/signal?asset=BTC&strikes=1,2"
 * ```
 */
export const fillPath = (path: string, params: QueryParams): string => {
  const query = Object.entries(params).map(([name, value]) => `${name}=${paramText(value)}`)
  return query.length === 0 ? path : `${path}?${query.join("&")}`
}

/** A path whose `:names` are filled in with the parameters of these names, and the others as a query. */
export const fillTemplate = (path: string, params: QueryParams): string => {
  const names = new Set(path.match(/(?<=:)\w+/g))
  const filled = path.replace(/:(\w+)/g, (whole, name: string) =>
    Object.hasOwn(params, name) ? encodeURIComponent(String(params[name])) : whole,
  )
  return fillPath(filled, Object.fromEntries(Object.entries(params).filter(([name]) => !names.has(name))))
}

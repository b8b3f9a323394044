/** The address of a page with a query; parameters that are undefined or empty are left out, lists have commas. */
export const addressWith = (path: string, query: Readonly<Record<string, unknown>>): string => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") given.set(name, String(value))
  return given.size === 0 ? path : `${path}?${given}`
}

/** The page of an entry of the record, by its position, hash or id. */
export const entryPath = (leaf: string | number): string => addressWith("/record", { leaf })

/** The page of a contract. */
export const marketPath = (ticker: string): string => `/markets/${encodeURIComponent(ticker)}`

export const playground = "/dashboard/playground"

/** The dashboard's page that makes a call of an endpoint, with parameters filled in. */
export const playgroundOf = (id: string, params: Readonly<Record<string, unknown>> = {}): string =>
  addressWith(`${playground}/${id}`, params)

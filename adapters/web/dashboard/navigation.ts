import type { Page } from "./Page.ts"

/** Groups of the side bar, with the paths of their pages in order. */
const groups: ReadonlyArray<readonly [name: string, paths: ReadonlyArray<string>]> = [
  ["Build", ["", "/playground", "/connect", "/keys", "/agents", "/alerts"]],
  ["Money", ["/wallet", "/top-up", "/usage", "/calls"]],
  ["Settings", ["/webhooks", "/webhooks/dead-letters", "/people", "/sessions", "/changes"]],
  ["Operator", ["/operator", "/operator/service", "/operator/deliveries", "/operator/store", "/operator/changes"]],
]

export interface Group {
  readonly name: string
  readonly pages: ReadonlyArray<Page>
}

/** The groups of some pages; one without any is left out. */
export const grouped = (pages: ReadonlyArray<Page>): ReadonlyArray<Group> => {
  const byPath = new Map(pages.flatMap((page) => (page.label === undefined ? [] : [[page.path as string, page]])))
  return groups.flatMap(([name, paths]) => {
    const own = paths.flatMap((path) => byPath.get(`/dashboard${path}`) ?? [])
    return own.length === 0 ? [] : [{ name, pages: own }]
  })
}

/** The page of the side bar that a path is of: itself, or the nearest that it is under. The first page is above none. */
export const nearest = (pages: ReadonlyArray<Page>, path: string): Page | undefined =>
  pages
    .filter((page) => page.label !== undefined)
    .filter((page) => page.path === path || (page.path !== "/dashboard" && path.startsWith(`${page.path}/`)))
    .toSorted((one, other) => other.path.length - one.path.length)[0]

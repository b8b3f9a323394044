/** @jsxRuntime automatic @jsxImportSource preact */

import type { Failure } from "../../core/Failure.ts"
import { docs } from "../describe/describe.ts"
import type { FailurePages } from "../server/http/rest.ts"
import type { Site } from "../server/http/Site.ts"
import { Ask } from "./docs/reference/Search.tsx"
import { pageHeaders } from "./view/assets.ts"
import { page } from "./view/Page.tsx"

/** The last words of an address, to look for. */
const wordsOf = (path: string): string => {
  const last = path.split("/").findLast((part) => part !== "") ?? ""
  return /^[\w.-]{1,40}$/.test(last) ? last.replace(/\.\w+$/, "").replace(/[-_.]+/g, " ") : ""
}

/** What is offered where nothing is: a search, if there is a reference, and the first pages. */
export const Elsewhere = ({ site, path }: { readonly site: Site; readonly path: string }) => {
  const links = [
    ["/", "Home"],
    [docs, "API reference"],
    ["/status", "Status"],
    ["/dashboard", "Dashboard"],
  ] as const
  return (
    <>
      {site.served(docs) && (
        <search>
          <Ask index={docs} question={wordsOf(path)} />
        </search>
      )}
      <ul>
        {links
          .filter(([to]) => site.served(to))
          .map(([to, label]) => (
            <li key={to}>
              <a href={to}>{label}</a>
            </li>
          ))}
      </ul>
    </>
  )
}

/** The page of an address that cannot be answered now. */
const unavailablePage = (site: Site, path: string, { message }: Failure): string =>
  page(
    { title: "Not available now", description: message, path },
    site,
    <div class="narrow">
      <h1>Not available now</h1>
      <p>{message} Reload the page in some seconds.</p>
      <Elsewhere site={site} path={path} />
    </div>,
  )

/** The page of an unknown address. */
const notFoundPage = (site: Site, path: string): string =>
  page(
    { title: "Page not found", description: "There is no page at this address.", path },
    site,
    <div class="narrow">
      <h1>Page not found</h1>
      <p>
        There is no page at <code>{path.slice(0, 200)}</code>.
      </p>
      <Elsewhere site={site} path={path} />
    </div>,
  )

/** The pages of failures. */
export const failurePages: FailurePages = {
  render: (site, path, failure) =>
    failure.code === "not_found" ? notFoundPage(site, path) : unavailablePage(site, path, failure),
  headers: pageHeaders,
}

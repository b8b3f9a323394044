/** @jsxRuntime automatic @jsxImportSource preact */
import type { VNode } from "preact"
import { docsPath, statusPath } from "../describe/paths.ts"
import type { FailurePages } from "../server/http/rest.ts"
import type { Site } from "../server/http/Site.ts"
import { path as searchPath } from "./docs/Search.tsx"
import { pageHeaders } from "./view/assets.ts"
import { type Head, page } from "./view/Page.tsx"

/** The last words of an address, to look for. */
const wordsOf = (path: string): string => {
  const last = path.split("/").findLast((part) => part !== "") ?? ""
  return /^[\w.-]{1,40}$/.test(last) ? last.replace(/\.\w+$/, "").replace(/[-_.]+/g, " ") : ""
}

/** What is offered where nothing is: a search, if there is a reference, and the first pages. */
export const Elsewhere = ({ site, path }: { readonly site: Site; readonly path: string }) => {
  const links = [
    ["/", "Home"],
    [docsPath, "API reference"],
    [statusPath, "Status"],
    ["/dashboard", "Dashboard"],
  ] as const
  const words = wordsOf(path)
  return (
    <>
      {site.served(searchPath) && words !== "" && (
        <p>
          <a href={`${searchPath}?${new URLSearchParams({ q: words })}`}>Search for “{words}”</a>
        </p>
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

/** A page in place of one that is not there, or not now. */
export const insteadPage = (site: Site, head: Pick<Head, "title" | "description" | "path">, body: VNode): string =>
  page(
    head,
    site,
    <div class="narrow">
      <h1>{head.title}</h1>
      {body}
      <Elsewhere site={site} path={head.path} />
    </div>,
  )

export const failurePages: FailurePages = {
  render: (site, path, { code, message }) =>
    code === "not_found"
      ? insteadPage(
          site,
          { title: "Page not found", description: "There is no page at this address.", path },
          <p>
            There is no page at <code>{path.slice(0, 200)}</code>.
          </p>,
        )
      : insteadPage(
          site,
          { title: "Not available now", description: message, path },
          <p>{message} Reload the page in some seconds.</p>,
        ),
  headers: pageHeaders,
}

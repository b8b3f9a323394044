/** @jsxRuntime automatic @jsxImportSource preact */
import type { Failure } from "../../core/Failure.ts"
import { preferred } from "../server/http/query.ts"
import { Ask } from "./docs/reference/Ask.tsx"
import { page, type Site } from "./view/Page.tsx"

/** Paths of programs: whatever they accept, they get the error envelope. */
const programs = ["/v1", "/mcp", "/admin", "/schemas", "/.well-known"]

/** Whether an address was asked for by somebody who reads pages. */
export const isForReader = (path: string, accept: string | undefined): boolean =>
  accept !== undefined &&
  preferred(accept, ["application/json", "text/html"]) === "text/html" &&
  !programs.some((each) => path === each || path.startsWith(`${each}/`))

/** The last words of an address, to look for. */
const wordsOf = (path: string): string => {
  const last = path.split("/").findLast((part) => part !== "") ?? ""
  return /^[\w.-]{1,40}$/.test(last) ? last.replace(/\.\w+$/, "").replace(/[-_.]+/g, " ") : ""
}

/** What is offered where nothing is: a search, if there is a reference, and the first pages. */
export const Elsewhere = ({ site, path }: { readonly site: Site; readonly path: string }) => {
  const links = [
    ["/", "Home"],
    ["/docs", "API reference"],
    ["/status", "Status"],
    ["/dashboard", "Dashboard"],
  ] as const
  return (
    <>
      {site.served("/docs") && (
        <search>
          <Ask index="/docs" question={wordsOf(path)} />
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
export const unavailablePage = (site: Site, path: string, { message }: Failure): string =>
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
export const notFoundPage = (site: Site, path: string): string =>
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

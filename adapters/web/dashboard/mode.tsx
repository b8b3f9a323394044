/** @jsxRuntime automatic @jsxImportSource preact */
import type { Visit } from "./Page.ts"

/** Keys whose calls a page counts: those of one environment. Absent in an address: both. */
export const modes: ReadonlyMap<string, boolean> = new Map([
  ["live", true],
  ["test", false],
])

export const modeError = "Mode is live or test."

/** The mode that the address of a page has; undefined: none, or a wrong one. */
export const modeIn = (query: URLSearchParams): "live" | "test" | undefined => {
  const given = query.get("mode")?.trim()
  return given === "live" || given === "test" ? given : undefined
}

/** An address with the mode of a visit, which links carry from page to page. */
export const withMode = (path: string, query: URLSearchParams): string => {
  const mode = modeIn(query)
  return mode === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}mode=${mode}`
}

/** Which calls a page counts, in words. */
export const countedIn = (query: URLSearchParams): string =>
  `Calls of ${modeIn(query) ?? "live and test"} keys, failed ones too.`

/** Parts of an address that say where a list begins: with another mode it is another list. */
const places = new Set(["mode", "cursor", "after"])

const names = { both: "All keys", live: "Live", test: "Test" } as const

/**
 * Shows the page for keys of both environments, or of one. It is a part of the address: a link says it, and going back
 * undoes it.
 *
 * @param path of the page that is shown
 */
export const ModeSwitch = ({ path, visit: { query } }: { readonly path: string; readonly visit: Visit }) => {
  const shown = modeIn(query) ?? "both"
  const others = [...query].filter(([name, value]) => !places.has(name) && value !== "")
  const to = (mode: keyof typeof names) => {
    const all = new URLSearchParams([...others, ...(mode === "both" ? [] : [["mode", mode]])])
    return all.size === 0 ? path : `${path}?${all}`
  }
  return (
    <nav class="modes" aria-label="Keys counted">
      {(["both", "live", "test"] as const).map((mode) => (
        <a key={mode} href={to(mode)} {...(mode === shown ? { "aria-current": "true" as const } : {})}>
          {names[mode]}
        </a>
      ))}
    </nav>
  )
}

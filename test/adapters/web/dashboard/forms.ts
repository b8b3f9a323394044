/** A form of a page as a browser without script reads it. */
export interface PageForm {
  readonly method: "get" | "post"
  /** Where it leads; absent: to the page's own address. */
  readonly to: string | undefined
  /** The page's name of what it does, or where it leads. */
  readonly name: string
  /** What it sends untouched, without its buttons. */
  readonly values: ReadonlyArray<readonly [name: string, value: string]>
  /** Names of fields that have to be filled in first: a browser sends nothing before. */
  readonly missing: ReadonlyArray<string>
  /** Those that can be pressed. */
  readonly buttons: ReadonlyArray<{ readonly text: string; readonly value: readonly [string, string] | undefined }>
}

const entities: Readonly<Record<string, string>> = { amp: "&", quot: '"', lt: "<", gt: ">", "#39": "'" }

const decoded = (text: string): string => text.replace(/&(amp|quot|lt|gt|#39);/g, (_, name: string) => entities[name]!)

const attributesOf = (tag: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...tag.replace(/^<\w+/, "").matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value = ""]) => [
      name!.toLowerCase(),
      decoded(value),
    ]),
  )

export const textOf = (html: string): string =>
  decoded(html.replace(/<[^>]+>/g, " "))
    .replace(/\s+/g, " ")
    .trim()

type Control = { readonly name: string; readonly value: string | undefined; readonly isMissing: boolean }

/** The fields of a form in their order. One that is not sent, such as an empty check box, has no value. */
const controlsIn = (html: string): ReadonlyArray<Control> =>
  [...html.matchAll(/<input\b[^>]*>|<select\b[^>]*>[\s\S]*?<\/select>|<textarea\b[^>]*>[\s\S]*?<\/textarea>/g)].flatMap(
    ([text]): ReadonlyArray<Control> => {
      const { name, type, value = "", required, ...rest } = attributesOf(/^<[^>]*>/.exec(text)![0])
      if (name === undefined || "disabled" in rest) return []
      if (type === "checkbox" || type === "radio") {
        return [{ name, value: "checked" in rest ? value : undefined, isMissing: false }]
      }
      const chosen = text.startsWith("<select")
        ? ([...text.matchAll(/<option\b[^>]*>/g)]
            .map(([option]) => attributesOf(option))
            .sort((one, other) => Number("selected" in other) - Number("selected" in one))[0]?.["value"] ?? "")
        : text.startsWith("<textarea")
          ? decoded(text.replace(/^<[^>]*>\n?|<\/textarea>$/g, ""))
          : value
      return [{ name, value: chosen, isMissing: required !== undefined && chosen === "" }]
    },
  )

/** Every form of a page. */
export const formsIn = (html: string): ReadonlyArray<PageForm> =>
  [...html.matchAll(/(<form\b[^>]*>)([\s\S]*?)<\/form>/g)].map(([, tag, inside]) => {
    const { method = "get", action } = attributesOf(tag!)
    const controls = controlsIn(inside!)
    const values = controls.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
    const named = values.find(([name]) => name === "action" || name === "do" || name === "run")?.[1]
    return {
      method: method === "post" ? "post" : "get",
      to: action,
      name: named ?? action ?? "",
      values,
      missing: controls.flatMap(({ name, isMissing }) => (isMissing ? [name] : [])),
      buttons: [...inside!.matchAll(/(<button\b[^>]*>)([\s\S]*?)<\/button>/g)].flatMap(([, button, text]) => {
        const { name, value = "", type, ...rest } = attributesOf(button!)
        return "disabled" in rest || type === "button"
          ? []
          : [{ text: textOf(text!), value: name === undefined ? undefined : ([name, value] as const) }]
      }),
    }
  })

/** Addresses of the dashboard that a page links to. */
export const linksIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<a\b[^>]*\bhref="(\/dashboard[^"#]*)/g)].map(([, href]) => decoded(href!))

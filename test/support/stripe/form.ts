/** A value of a form whose names are paths, such as `line_items[0][quantity]`. */
export type Value = string | { readonly [name: string]: Value }

type Open = { [name: string]: Open | string }

/** Reads a form or query with paths as names. Lists are objects with numbers as names. */
export const formOf = (text: string): { readonly [name: string]: Value } => {
  const whole: Open = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[")
    const last = path.pop()!
    let into = whole
    for (const step of path) {
      const next = into[step]
      const inner = typeof next === "object" ? next : {}
      into[step] = inner
      into = inner
    }
    into[last] = value
  }
  return whole
}

/** The names of all values, with a star for numbers in lists. */
export const namesOf = (value: Value, path = ""): ReadonlyArray<string> =>
  typeof value === "string"
    ? [path]
    : Object.entries(value).flatMap(([name, inner]) =>
        namesOf(inner, `${path}${path === "" ? "" : "."}${/^\d+$/.test(name) ? "*" : name}`),
      )

/** The text at a path; undefined: none. */
export const textAt = (value: Value | undefined, ...path: ReadonlyArray<string>): string | undefined => {
  const [step, ...rest] = path
  if (value === undefined || step === undefined) return typeof value === "string" ? value : undefined
  return typeof value === "string" ? undefined : textAt(value[step], ...rest)
}

/** The texts directly in an object or list. */
export const textsIn = (value: Value | undefined): Readonly<Record<string, string>> =>
  typeof value === "object"
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
      )
    : {}

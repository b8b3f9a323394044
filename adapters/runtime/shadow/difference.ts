/** Most listed differences. */
const maxPaths = 20

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

function* paths(a: unknown, b: unknown, path: string): Generator<string> {
  if (Object.is(a, b)) return
  if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b)) {
    yield `${path === "" ? "(whole)" : path}: ${shown(a)} | ${shown(b)}`
    return
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    yield* paths(a[key], b[key], path === "" ? key : `${path}.${key}`)
  }
}

/** The JSON value: without undefined and NaN, dates as text. */
const asJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/**
 * The differences of two values as JSON: `path: mock | live` for each leaf, with dotted paths, the first twenty; undefined
 * if they are equal.
 *
 * @example
 * ```ts
 * import { difference } from "./difference.ts"
 *
 * difference([{ high: 85 }], [{ high: 84 }]) // "0.high: 85 | 84"
 * ```
 */
export const difference = (mock: unknown, live: unknown): string | undefined => {
  const differences: Array<string> = []
  for (const path of paths(asJson(mock), asJson(live), "")) {
    if (differences.length === maxPaths) {
      differences.push("…")
      break
    }
    differences.push(path)
  }
  return differences.length === 0 ? undefined : differences.join("; ")
}

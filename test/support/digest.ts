import { fnv1a } from "../../core/math/fnv1a.ts"

const plain = (_: string, value: unknown): unknown => {
  if (typeof value === "number") return Number.isFinite(value) ? Number(value.toPrecision(9)) : String(value)
  if (value instanceof Map || value instanceof Set || value instanceof Float64Array) return [...value]
  return value
}

/** A short digest of data that is to be the same in each release; numbers count by nine digits. */
export const digest = (data: unknown): string => fnv1a(JSON.stringify(data, plain)).toString(16).padStart(8, "0")

import { assert } from "@effect/vitest"

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  date: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
  instant: (value) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(value) && Date.parse(value) > 0,
  local: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(value),
  probability: (value) => typeof value === "number" && value >= 0 && value <= 1,
}

/** All values at a path such as `games[].home.name` or `pmf{}`; undefined where a field is absent. */
const valuesAt = (value: unknown, path: string): ReadonlyArray<unknown> =>
  path
    .replaceAll("[]", ".[]")
    .replaceAll("{}", ".{}")
    .split(".")
    .filter((step) => step !== "")
    .reduce<ReadonlyArray<unknown>>(
      (all, step) =>
        all.flatMap((each) => {
          if (each === undefined || each === null) return [undefined]
          if (step === "[]") return each as ReadonlyArray<unknown>
          return step === "{}" ? Object.values(each) : [(each as Record<string, unknown>)[step]]
        }),
      [value],
    )

/**
 * Each path has values of its type and no others. A type is a kind or several with `|`; with `?` the field may be absent,
 * though not everywhere.
 */
export const has = (value: unknown, types: Readonly<Record<string, string>>): void => {
  for (const [type, paths] of Object.entries(types)) {
    const [kind, isOptional] = [type.replace("?", ""), type.endsWith("?")]
    for (const path of paths.split(/\s+/).filter((word) => word !== "")) {
      const values = valuesAt(value, path)
      assert.isTrue(
        values.some((each) => each !== undefined),
        `${path} is nowhere`,
      )
      for (const each of values) {
        if (each === undefined && isOptional) continue
        assert.isTrue(
          kind.split("|").some((name) => kinds[name]!(each)),
          `${path} is no ${type}: ${JSON.stringify(each)}`,
        )
      }
    }
  }
}

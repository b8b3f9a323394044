/** Where the objects of an answer lie and which fields they have; lists, and maps by degree, are one each. */
export const shapeOf = (value: unknown, path = "", found = new Set<string>()): ReadonlySet<string> => {
  if (Array.isArray(value)) for (const item of value) shapeOf(item, `${path}[]`, found)
  else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      const key = `${path}.${/^-?\d+$/.test(name) ? "degree" : name}`
      found.add(key)
      shapeOf(each, key, found)
    }
  }
  return found
}

/** Where the objects of an answer lie and which fields they have; lists, and maps by degree, are one each. */
export const markShape = (value: unknown, path = "", found = new Set<string>()): ReadonlySet<string> => {
  if (Array.isArray(value)) for (const item of value) markShape(item, `${path}[]`, found)
  else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      const key = `${path}.${/^-?\d+$/.test(name) ? "degree" : name}`
      found.add(key)
      markShape(each, key, found)
    }
  }
  return found
}

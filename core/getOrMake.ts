/** The value of a key; made and kept where the map has none. */
export const getOrMake = <K, A>(map: Map<K, A>, key: K, make: () => A): A => {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

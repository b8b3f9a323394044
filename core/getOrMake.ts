interface Values<K, A> {
  get(key: K): A | undefined
  set(key: K, value: A): unknown
}

/** The value of a key; made and kept where the map has none. */
export const getOrMake = <K, A>(map: Values<K, A>, key: K, make: (key: K) => A): A => {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make(key)
  map.set(key, made)
  return made
}

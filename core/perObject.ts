/** A function of an object that is computed once for each, with the other arguments of the first call. */
export const perObject = <K extends object, Args extends ReadonlyArray<unknown>, A extends object>(
  compute: (key: K, ...args: Args) => A,
): ((key: K, ...args: Args) => A) => {
  const values = new WeakMap<K, A>()
  return (key, ...args) => {
    const cached = values.get(key)
    if (cached !== undefined) return cached
    const value = compute(key, ...args)
    values.set(key, value)
    return value
  }
}

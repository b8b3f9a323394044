/** The middle of the values; of an even number of them the upper one. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** The median of each figure over rounds. */
export const medians = <Round extends { readonly [K in keyof Round]: number }>(all: ReadonlyArray<Round>): Round =>
  Object.fromEntries(
    Object.keys(all[0]!).map((name) => [name, median(all.map((round) => round[name as keyof Round]))]),
  ) as Round

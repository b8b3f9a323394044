/** A fact, and when it was known: a close with its bar's end, a game with its day's end. */
export interface Known<Fact> {
  /** Epoch milliseconds. */
  readonly at: number
  readonly fact: Fact
}

/** A model asked for data from after its question. */
export class LookAhead extends Error {
  override readonly name = "LookAhead"
}

/** The facts known at the time of a question, oldest first. */
export interface History<Fact> {
  /** The question's time, epoch milliseconds. A fact of this very instant is known. */
  readonly asOf: number
  /** Number of facts known. */
  readonly length: number
  /**
   * The fact at an index; −1 is the newest.
   *
   * @throws LookAhead beyond the newest one
   */
  readonly at: (index: number) => Fact | undefined
  /** The newest `count` facts, oldest first. */
  readonly last: (count: number) => ReadonlyArray<Fact>
  /** All facts from an index on: a model with a state of its own learns these, and keeps `length` for the next question. */
  readonly since: (index: number) => ReadonlyArray<Fact>
  /**
   * All known at a time, epoch milliseconds.
   *
   * @throws LookAhead for a time after the question's
   */
  readonly until: (time: number) => ReadonlyArray<Fact>
}

const safeIso = (time: number): string => (Number.isFinite(time) ? new Date(time).toISOString() : String(time))

/** Number of facts known at a time, by bisection. */
const countUntil = (facts: ReadonlyArray<Known<unknown>>, time: number): number => {
  let [low, high] = [0, facts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (facts[middle]!.at <= time) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The facts known at a time. Later facts cannot be reached through the result.
 *
 * @param facts in order of time
 *
 * @example
 * ```ts
 * import { historyAt } from "./History.ts"
 *
 * const known = historyAt([{ at: 1, fact: "a" }, { at: 2, fact: "b" }, { at: 3, fact: "c" }], 2)
 * known.at(-1) // "b"
 * known.until(1) // ["a"]
 * ```
 */
export const historyAt = <Fact>(facts: ReadonlyArray<Known<Fact>>, asOf: number): History<Fact> => {
  const length = countUntil(facts, asOf)
  const between = (from: number, to: number) => facts.slice(Math.max(0, from), to).map(({ fact }) => fact)
  return {
    asOf,
    length,
    at: (index) => {
      if (index >= length) {
        throw new LookAhead(`Fact ${index} is not known at ${safeIso(asOf)}: ${length} are.`)
      }
      return facts[index < 0 ? length + index : index]?.fact
    },
    last: (count) => between(length - count, length),
    since: (index) => between(index, length),
    until: (time) => {
      if (!(time <= asOf)) throw new LookAhead(`Facts until ${safeIso(time)} are not known at ${safeIso(asOf)}.`)
      return between(0, countUntil(facts, time))
    },
  }
}

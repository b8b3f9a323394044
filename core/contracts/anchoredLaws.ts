import type { AnchoredLaw } from "../endpoint/Answer.ts"
import { decimals } from "../endpoint/Field.ts"
import { round } from "../endpoint/Rounding.ts"
import { getOrMake } from "../getOrMake.ts"
import type { Discrete } from "../math/discretise.ts"
import { toMarketProbability } from "../record/scoreboard/Settled.ts"
import { compare } from "../text.ts"
import { iso } from "../time.ts"
import { anchored, type QuotedSpan, type Span } from "./anchored.ts"
import type { Contract } from "./Contract.ts"

/** A law of a signal, and which numbers of it a contract pays on. */
export interface Anchorable {
  /** The name of the number: `high`, `margin`. */
  readonly of: string
  readonly law: Pick<Discrete, "first" | "pmf">
  /** Undefined for a contract on something else, and for terms that are not understood. */
  readonly span: (contract: Contract) => Span | undefined
}

interface Listed extends QuotedSpan {
  readonly quotedAt: number
  readonly settlesOn: string
}

/** The venue with the most contracts, and of two the first by name: prices of two venues are two markets. */
const pickVenue = (
  contracts: ReadonlyArray<Contract>,
  span: Anchorable["span"],
): readonly [venue: string, ReadonlyArray<Listed>] | undefined => {
  const byVenue = new Map<string, Array<Listed>>()
  for (const contract of contracts) {
    const strikes = span(contract)
    if (strikes === undefined) continue
    const { venue, bidAsk, quotedAt, settlesOn } = contract
    const listed = { ...strikes, probability: toMarketProbability(bidAsk) / 1_000_000, quotedAt, settlesOn }
    getOrMake(byVenue, venue, () => []).push(listed)
  }
  return [...byVenue].sort(([a, one], [b, other]) => other.length - one.length || compare(a, b))[0]
}

/** As served: only `ge` is rounded, and the probabilities are its differences. Ends that are served as 0 are left out. */
const toServed = ({ first, ge }: Discrete): Pick<AnchoredLaw, "from" | "pmf" | "ge"> => {
  const atLeast = Array.from(ge, (p) => round(p, decimals.probability))
  const pmf = atLeast.map((p, at) => round(p - (atLeast[at + 1] ?? 0), decimals.probability))
  const from = pmf.findIndex((p) => p > 0)
  const to = pmf.findLastIndex((p) => p > 0) + 1
  return { from: first + from, pmf: pmf.slice(from, to), ge: atLeast.slice(from, to) }
}

/**
 * The laws of a signal with a market's prices, for those that have any.
 *
 * @param contracts with two live sides
 * @param weight the model's, 0 to 1
 */
export const anchoredLaws =
  (laws: ReadonlyArray<Anchorable>) =>
  (contracts: ReadonlyArray<Contract>, weight: number): ReadonlyArray<AnchoredLaw> =>
    laws.flatMap(({ of, law, span }) => {
      const [venue, listed] = pickVenue(contracts, span) ?? []
      const cells = listed && anchored(law, listed, weight)
      return venue === undefined || cells === undefined
        ? []
        : [
            {
              variable: of,
              venue,
              venue_source: cells.used[0]!.settlesOn,
              contracts: cells.used.length,
              as_of: iso(
                cells.used.reduce((least, { quotedAt }) => Math.min(least, quotedAt), Number.MAX_SAFE_INTEGER),
              ),
              ...toServed(cells.law),
            },
          ]
    })

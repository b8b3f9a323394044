import * as Effect from "effect/Effect"
import * as Subject from "../call/Subject.ts"
import type { Quotes } from "../contracts/MarketQuotes.ts"
import { type Answer, anchoredLabel, type MarketAnchored } from "../endpoint/Answer.ts"
import type { Failure } from "../Failure.ts"

/** Adjusts the distributions of an answer to the market's prices. */
export type Anchor = (answer: Answer<unknown>) => Effect.Effect<MarketAnchored, Failure>

const withoutLaws = (reason: string): MarketAnchored => ({ label: anchoredLabel, laws: [], reason })

/** Adds the price of a contract on a live signal's subject to its answer, from stored quotes alone. */
export const beside =
  (quotes: Quotes | undefined) =>
  (answer: Answer<unknown>): Effect.Effect<Answer<unknown>, Failure> => {
    const { beside, freshness, record, results } = answer
    if (quotes === undefined || beside === undefined || freshness !== "live" || record === undefined) {
      return Effect.succeed(answer)
    }
    return Effect.gen(function* () {
      const contracts = yield* quotes.about(record.lane, Subject.show(record.subject), record.at)
      const [first] = contracts
      const law = first && beside(contracts, yield* quotes.weight(first.domain))
      return law === undefined
        ? answer
        : {
            ...answer,
            results: { ...(results as object), ...law.results },
            reasoning: [...answer.reasoning, law.sentence],
          }
    })
  }

/**
 * Computed after the answer was offered to the record, and from stored quotes alone: it is never captured and makes no request.
 *
 * @param quotes undefined: no market is tracked
 */
export const make =
  (quotes: Quotes | undefined): Anchor =>
  ({ extras, freshness, record }) => {
    const anchored = extras?.anchored
    if (anchored === undefined) return Effect.succeed(withoutLaws("This endpoint has no law over whole numbers."))
    if (freshness !== "live")
      return Effect.succeed(withoutLaws(`The data is ${freshness}: only live signals are anchored.`))
    if (quotes === undefined) return Effect.succeed(withoutLaws("No market is tracked."))
    if (record === undefined) return Effect.succeed(withoutLaws("The outcome is decided or under way."))
    const subject = Subject.show(record.subject)
    return Effect.gen(function* () {
      const contracts = yield* quotes.about(record.lane, subject, record.at)
      const [first] = contracts
      const { weight } = first === undefined ? { weight: 0 } : yield* quotes.weight(first.domain)
      const laws = anchored(contracts, weight)
      return laws.length === 0
        ? withoutLaws(`No venue has a fresh two-sided quote on a number of ${subject}.`)
        : { label: anchoredLabel, weight, laws }
    })
  }

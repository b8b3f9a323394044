import * as Effect from "effect/Effect"
import { bookCoverage, bookFeed, resultFeed } from "../../../core/lanes/markets/coverage.ts"
import type { Poll } from "../../../core/lanes/markets/ports.ts"
import * as Step from "../../../core/Step.ts"
import { Transactions } from "../../store/engine/Transactions.ts"
import type { LaneFeed } from "../feeds.ts"
import type { Mode } from "../LaneModule.ts"
import { quotesSchedule, settleSchedule } from "./jobs.ts"
import { openSteps } from "./store/openSteps.ts"

/** What the venues of some books owe: a poll of each a minute and, in live mode, the results. */
export const feedsOf = (
  followed: ReadonlyArray<Pick<Poll, "venue" | "domain">>,
  mode: Mode,
): Effect.Effect<ReadonlyArray<LaneFeed>, never, Transactions> =>
  Effect.map(Transactions, (transactions) => {
    const { polls } = openSteps(transactions)
    return [...new Set(followed.map(({ venue }) => venue))].flatMap((name): ReadonlyArray<LaneFeed> => {
      const books = followed.filter(({ venue }) => venue === name)
      const coverage = (now: number) =>
        Step.map(transactions.read(polls), (polled) =>
          bookCoverage(
            books.map((book) => polled.find(({ venue, domain }) => venue === name && domain === book.domain) ?? book),
            now,
          ),
        )
      return [
        { feed: bookFeed(name), upstreams: [name], schedule: quotesSchedule, coverage },
        ...(mode === "live" ? [{ feed: resultFeed(name), upstreams: [name], schedule: settleSchedule }] : []),
      ]
    })
  })

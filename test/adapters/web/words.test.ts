import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"

const folder = join(import.meta.dirname, "..", "..", "..", "adapters", "web")

/** The pages' sources, each on one line: a sentence may be broken anywhere. */
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(tsx?|js)$/.test(name))
  .map(
    (name) =>
      [
        name,
        readFileSync(join(folder, name), "utf8")
          .replace(/\{" "\}/g, " ")
          .replace(/\s+/g, " "),
      ] as const,
  )

/** Words that readers did not understand, and what the pages say instead. */
const replaced: ReadonlyArray<readonly [old: RegExp, now: string]> = [
  [/Official records and model signals of/, "Forecasts and official data for prediction markets"],
  [/A call costs cents or less/, "Most calls cost 0.1 to 1 cent. Failed calls are free."],
  [/recorded from generated data; all its fields/, "Sample data. See every field."],
  [/The model is ahead of the market by/, "No clear winner yet: over … markets"],
  [/which is the models' own probabilities with noise/, "Sample data, not a track record."],
  [/Small figures are markets/, "Grey: number of markets."],
  [/Taking part costs nothing/, "Free to enter. No prizes."],
  [/>The words</, "Glossary"],
  [/the log has so many leaves/, "states the log's size and its root hash"],
  [/Verify it at home/, "Verify it yourself"],
  [/Leaf: its number/, "Entry number, hash or id"],
  [/What stands after #/, "The part after #, or paste the whole link."],
  [/was used before, is too old, or was never made/, "This link has expired or was already used."],
  [/There is no such page/, "Page not found"],
  [/Make a test key/, "Create a test key (free)"],
  [/Make one with a cap/, "Create an agent with a spending cap."],
  [/Make a key and show/, "Create key and fill in"],
  [/for people; keys may share one/, "Optional. For you to recognise it."],
  [/Ends: never/, "Expires: never"],
  [/spend at list price, live; newest first/, "Live spend"],
  [/"In all"|>In all</, "All time"],
  [/answer 401 within a second, for good/, "This cannot be undone. History is kept."],
  [/The charge that takes the balance below/, "when the balance falls below this"],
  [/A call counts when it began, as in/, "Days are UTC, by start of the call."],
  [/"Grouped by"|>Grouped by</, "Group by"],
  [/To, whole day/, "To"],
  [/Amount, in whole cents/, "1 to 10,000 USD"],
  [/USD are in the wallet\. The receipt/, "25.00 USD added. View receipt."],
  [/not credited, the operator decides/, "We are checking it; nothing was credited yet."],
  [/There is no payment provider here/, "Card payments are not set up."],
  [/calls work when they are repeated/, "retry your calls"],
  [/[Dd]ead letters?|Dead-lettered/, "Failed deliveries"],
  [/"Look at"|>Look at</, "Open"],
  [/Sets the calls per minute/, "Rate limit"],
  [/Try again: after a change/, "Fix and retry"],
  [/And the common parameters/, "Also takes the common parameters."],
]

describe("the words of the pages", () => {
  it("are sources that exist", () => {
    assert.isAbove(sources.length, 80)
  })

  it.each(replaced)("say no more %s, but: %s", (old) => {
    const found = sources.flatMap(([name, text]) => {
      // Comments are for those who read the code.
      const shown = text.replace(/\/\*.*?\*\//g, "")
      return old.test(shown) ? [name] : []
    })
    assert.deepStrictEqual(found, [])
  })
})

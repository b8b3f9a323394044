import { assert, describe, it } from "@effect/vitest"
import { examples } from "../../adapters/describe/examples.ts"
import { record } from "../support/recordExamples.ts"

describe("the recorded answers", () => {
  it("are those of a server with generated data (npm run docs writes them)", { timeout: 120_000 }, async () => {
    const now = await record()
    assert.sameMembers(Object.keys(now), Object.keys(examples))
    for (const [id, answers] of Object.entries(now)) assert.deepStrictEqual(examples[id], answers, id)
  })
})

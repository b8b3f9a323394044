import { afterAll, beforeAll, describe, it } from "@effect/vitest"
import { type Running, start } from "../../support/running.ts"
import {
  cappedAgent,
  keyAndAnswer,
  paidAnswer,
  sellRecorded,
  suspension,
  verification,
  whyCallsFail,
} from "./journeys/clicks.ts"
import { expired, mistakes } from "./journeys/expired.ts"
import { type Entered, entering } from "./support/entering.ts"
import { byKeyboard, byMouse, withoutScript } from "./support/hands.ts"

let running: Running
beforeAll(async () => {
  running = await start({}, { balance: 10_000_000 })
  await sellRecorded(running)
}, 120_000)
afterAll(() => running.stop())

const owner = { account: "tester" }

describe.each([
  ["the mouse", byMouse],
  ["the keyboard", byKeyboard],
  ["no script", withoutScript],
] as const)("with %s", (name, way) => {
  const { as } = entering(() => running, way)
  const word = name.split(" ").at(-1)!
  it.each<readonly [string, Parameters<typeof as>[1], (visit: Entered) => Promise<void>]>([
    ["a sold answer is verified in 2 clicks", owner, verification],
    ["a live key and a paid answer are 4 clicks", owner, keyAndAnswer],
    ["a paid answer in the playground is 4 clicks", owner, paidAnswer],
    ["an agent with a cap and its key are 5 clicks", owner, cappedAgent(`agent-${word}`)],
    ["why calls fail is 2 clicks away", owner, whyCallsFail],
    ["an operator suspends an account in 3 clicks", { operator: true, name: "op" }, suspension(`client-${word}`)],
  ])("%s", (title, guest, journey) => as(`${title} with ${name}`, guest, journey))

  it("a form whose session ended is there after signing in", () =>
    as(`expired with ${name}`, owner, (visit) => expired(visit, `kept-${word}`), mistakes))
})

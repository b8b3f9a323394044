import { Agent } from "node:http"
import { ask } from "./client.ts"

/** One call: its due time and its time from then, milliseconds. Any status but 200 counts as infinitely slow. */
export interface Sample {
  readonly at: number
  readonly ms: number
  readonly status: number
}

const paths = {
  signal: (_: number) => "/v1/crypto/signal?asset=BTC&horizon_minutes=60",
  // Each hundredth of a degree is a new point, so the upstream is queried.
  forecast: (turn: number) =>
    `/v1/weather/forecast?lat=${(33 + (turn % 1_000) / 100).toFixed(2)}&lon=-100.${10 + Math.floor(turn / 1_000)}`,
}

/** Calls per second. */
const rates = { signal: 40, forecast: 2 } as const

let turn = 0

/** A paying customer with a fixed rate, independent of the answers: waiting would hide delays. */
export const pay = async (
  url: string,
  key: string,
  kind: keyof typeof paths,
  seconds: number,
): Promise<ReadonlyArray<Sample>> => {
  const agent = new Agent({ keepAlive: true })
  const begun = performance.now()
  const calls: Array<Promise<Sample>> = []
  for (let n = 0; n < seconds * rates[kind]; n++) {
    const due = begun + (n * 1_000) / rates[kind]
    const ahead = due - performance.now()
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead))
    calls.push(
      ask(url, agent, { path: paths[kind](turn++), key }).then(({ status }) => ({
        at: due,
        ms: performance.now() - due,
        status,
      })),
    )
  }
  const samples = await Promise.all(calls)
  agent.destroy()
  return samples
}

/** The longest time during which at least one call slower than `most` was in flight, milliseconds. */
export const longestAbove = (samples: ReadonlyArray<Sample>, most: number): number => {
  let [from, to, longest] = [0, 0, 0]
  for (const { at, ms, status } of samples) {
    if (ms <= most && status === 200) continue
    // A failed call counts until its answer, and at least `most`.
    const end = at + Math.max(ms, most)
    if (at > to) from = at
    to = Math.max(to, end)
    longest = Math.max(longest, to - from)
  }
  return longest
}

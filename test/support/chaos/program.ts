/**
 * A second program on a store, for tests that need one: `<workload>`. Says `ready`, waits for a line with the place of the
 * store, what the workload is given and the number of the program, then does its work and says what it has done.
 */
import * as Effect from "effect/Effect"
import { say } from "../say.ts"

type Work = (place: string, given: never, number: number) => Effect.Effect<unknown, unknown>

/** Only the modules of the one that is asked for are run. */
const works: Readonly<Record<string, () => Promise<Work>>> = {
  alerts: async () => (await import("./alerts.ts")).work,
  calls: async () => (await import("./charges.ts")).callsWork,
  charges: async () => (await import("./charges.ts")).work,
  hang: async () => (await import("./jobs.ts")).hang,
  hold: async () => (await import("./locks.ts")).hold,
  keys: async () => (await import("./locks.ts")).keys,
  payments: async () => (await import("./payments.ts")).work,
  record: async () => (await import("./record.ts")).work,
  rounds: async () => (await import("./charges.ts")).rounds,
  schedule: async () => (await import("./jobs.ts")).schedule,
  take: async () => (await import("./jobs.ts")).take,
  webhooks: async () => (await import("./webhooks.ts")).work,
}

const line = async (): Promise<string> => {
  let read = ""
  for await (const chunk of process.stdin.iterator({ destroyOnReturn: false })) {
    read += chunk
    if (read.endsWith("\n")) break
  }
  return read
}

const work = await works[process.argv[2]!]!()
say("ready")
const [place, given, number] = JSON.parse(await line())
await Effect.runPromise(work(place, given as never, number))
process.exit(0)

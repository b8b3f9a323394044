import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { modules } from "../../adapters/lanes/all.ts"
import type { Report } from "../../adapters/lanes/LaneCommand.ts"
import type { Any } from "../../adapters/lanes/LaneModule.ts"
import { makeAsk } from "./ask.ts"
import { laneOptions } from "./laneOptions.ts"
import { family, make } from "./parser.ts"
import { json, print, readable } from "./shared.ts"

/** A command for each lane that reads data into its stores. */
export const ingestCommands = (modules: ReadonlyArray<Any>) =>
  modules.flatMap(({ ingest, definition }) => {
    if (ingest === undefined) return []
    const { name } = definition.lane
    const pathOptions = Object.entries(ingest.arguments).filter(
      ([, { type }]) => type === "path" || type === "positionals",
    )
    return make(name, ingest.description, { lane: laneOptions(ingest.arguments), json }, ({ lane, json: asJson }) =>
      Effect.gen(function* () {
        const paths = Object.fromEntries(
          pathOptions.map(([option]) => [option, lane[option] as ReadonlyArray<string>] as const),
        )
        const ask = yield* makeAsk(`ingest ${name}`, async () =>
          (await import("../storeTasks.ts")).makeStoreTasks(modules),
        )
        const say = asJson ? () => Effect.void : Console.log
        const answer = ask.work(`ingest_${name}` as never, lane as never, { paths, say })
        const report = (yield* readable(answer)) as Report
        yield* print(asJson, report.value, report.text)
        if (report.failure !== undefined) return yield* Effect.fail(new Error(report.failure))
      }).pipe(Effect.scoped),
    )
  })

export const ingest = family("ingest", "Import upstream data into the store.", ingestCommands(modules))

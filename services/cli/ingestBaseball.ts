import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as baseballArchive from "../../adapters/lanes/baseball/store/Archive.ts"
import type { Feed } from "../../core/csv/Feed.ts"
import { BaseballArchive, type FeedName, feeds, type ValueOf } from "../../core/lanes/baseball/archive.ts"
import { files, ingestAll, ingestFile, named } from "./feedFiles.ts"
import { json, store } from "./shared.ts"

const ingest = <Name extends FeedName>(name: Name, path: string) =>
  ingestFile(feeds[name] as unknown as Feed<Name, ValueOf<Name>>, path, (file) =>
    Effect.flatMap(BaseballArchive, (archive) => archive.store({ ...file, feed: name })),
  )

const csv = "a .csv or .csv.gz, or a folder of them."

const options = {
  odds: files("odds", `Games with starters and moneylines: ${csv}`),
  innings: files("innings", `The same games' runs by inning: ${csv}`),
  gamelogs: files("gamelogs", "Retrosheet game logs: GL2021.TXT, plain or gzip, or a folder of them."),
}

/** In the order in which they are read. */
const feedOf = {
  odds: ["odds", /\.csv(\.gz)?$/i],
  innings: ["innings", /\.csv(\.gz)?$/i],
  gamelogs: ["game_logs", /^GL\d{4}\.TXT(\.gz)?$/i],
} as const satisfies Record<keyof typeof options, readonly [FeedName, RegExp]>

export const baseball = Command.make("baseball", { ...options, json }, ({ json: asJson, ...given }) =>
  Effect.gen(function* () {
    const wanted = yield* Effect.forEach(Object.entries(feedOf), ([option, [feed, form]]) =>
      Effect.map(named(given[option as keyof typeof options], form), (all) => all.map((file) => ingest(feed, file))),
    )
    const all = wanted.flat()
    if (all.length === 0) {
      return yield* Effect.fail(
        new Error("Name at least one file: --odds FILE, --innings FILE or --gamelogs FILE, see --help."),
      )
    }
    yield* ingestAll(all, asJson)
  }).pipe(Effect.provide(baseballArchive.layer), Effect.provide(store)),
).pipe(
  Command.withDescription(
    "Store baseball games of the past for backtests. A file that cannot be read is refused whole.",
  ),
)

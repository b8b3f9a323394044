import * as FileSystem from "@effect/platform/FileSystem"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as history from "../../adapters/lanes/markets/store/History.ts"
import * as settled from "../../adapters/store/record/Settled.ts"
import * as verifier from "../../adapters/web/record/verifier.mjs"
import { exportTo } from "../../adapters/web/scoreboard/exported.ts"
import { recomputations } from "../../core/lanes/all.ts"
import { recomputeLeaf as computeAgain } from "../../core/record/captures/recompute.ts"
import { pageOfLeaves } from "../../core/record/log/endpoints.ts"
import { afterEveryClose, lines } from "../../core/record/log/exported.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import * as App from "../app.ts"
import { config as environment } from "../Config.ts"
import { UsageError } from "../exit.ts"
import { argument, optional, repeated, text } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json, print, readable } from "./shared.ts"

/** The store as exports read it, beside its owner. */
const store = Layer.unwrapEffect(Effect.map(environment, App.readOnlyStore))

const exportRows = make(
  "export",
  "Write settled rows and all captures of their contracts to a folder: NDJSON, Parquet, and a manifest with SHA-256 and terms.",
  { out: text("out", "Output folder."), json },
  ({ out, json: asJson }) =>
    Effect.gen(function* () {
      const files = yield* readable(exportTo(out))
      yield* print(
        asJson,
        { files },
        files.map(({ name, rows, sha256 }) => `${sha256}  ${name}  ${rows} rows`).join("\n"),
      )
    }).pipe(Effect.provide(Layer.merge(settled.layerSettledRows, history.layer).pipe(Layer.provide(store)))),
)

export const scoreboard = family("scoreboard", "The public scoreboard of model against market.", [exportRows])

/** The export of the configured store, page by page, up to the size at the start. */
const pages = Stream.unwrap(
  Effect.map(
    Effect.flatMap(RecordLog, (log) => log.size),
    (size) =>
      Stream.range(0, Math.max(0, Math.ceil(size / pageOfLeaves) - 1)).pipe(
        Stream.mapEffect((page) =>
          lines(page * pageOfLeaves, Math.min(size, (page + 1) * pageOfLeaves), afterEveryClose),
        ),
        Stream.filter((page) => page.length > 0),
      ),
  ),
)

const bytes = Stream.encodeText(Stream.map(pages, (page) => `${page.join("\n")}\n`))

const exportLeaves = make(
  "export",
  "Export the record as NDJSON: leaves in order, each checkpoint after the last leaf it covers.",
  { out: optional(text("out", "Output file (default: standard output).")), json },
  ({ out, json: asJson }) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      if (out !== undefined) {
        yield* readable(Stream.run(bytes, fs.sink(out)))
        if (asJson) yield* print(true, { file: out }, "")
      } else if (asJson) {
        yield* Console.log('{"lines":[')
        yield* readable(
          Stream.runForEach(Stream.zipWithIndex(pages), ([page, at]) =>
            Console.log(`${at === 0 ? "" : ","}${page.join(",\n")}`),
          ),
        )
        yield* Console.log("]}")
      } else yield* readable(Stream.runForEach(pages, (page) => Console.log(page.join("\n"))))
    }).pipe(Effect.provide(store)),
)

export const record = family("record", "The record: an append-only, signed log of predictions and results.", [
  exportLeaves,
])

export const verify = make(
  "verify",
  "Verify every leaf, root and signature; list captures without a checkpoint before their close.",
  {
    file: optional(argument("file", "An export (default, without --url: the configured store).")),
    url: optional(text("url", "URL of a service to verify over HTTP.")),
    key: repeated(text("key", "Accept only this verifier key's signatures.")),
    checkpoint: repeated(text("checkpoint", "A saved checkpoint. Fails if the record does not extend it.")),
    json,
  },
  ({ file, url, key: keys, checkpoint, json: asJson }) =>
    Effect.gen(function* () {
      if (file !== undefined && url !== undefined) {
        return yield* Effect.fail(new UsageError("Give a file or --url, not both."))
      }
      const fs = yield* FileSystem.FileSystem
      const checkpoints = yield* Effect.forEach(checkpoint, (name) => fs.readFileString(name))
      const checked = (chunks: AsyncIterable<Uint8Array>) =>
        Effect.tryPromise({
          try: () => verifier.verify(verifier.split(chunks), { keys, checkpoints }),
          catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause))),
        })
      const report = yield* url !== undefined
        ? checked(verifier.fetched(url))
        : file !== undefined
          ? checked(Stream.toAsyncIterable(fs.stream(file)))
          : Effect.provide(Effect.flatMap(Stream.toAsyncIterableEffect(bytes), checked), store)
      yield* print(asJson, { ...report }, verifier.reportText(report))
      if (!report.intact) return yield* Effect.fail(new Error("The record is not intact."))
    }),
)

export const replay = make(
  "replay",
  "Recompute a recorded signal from its stored inputs, offline.",
  { id: argument("id", "A capture's id, hash or position."), json },
  ({ id, json: asJson }) =>
    Effect.gen(function* () {
      const {
        position,
        endpoint,
        equal,
        recorded,
        recomputed,
        id: leafId,
      } = yield* readable(computeAgain(id, recomputations))
      yield* print(
        asJson,
        { id: leafId, position, endpoint, equal, recorded: JSON.parse(recorded), recomputed: JSON.parse(recomputed) },
        equal
          ? `${endpoint} of leaf ${position} (${leafId}): the same ${recorded.length} bytes.`
          : `${endpoint} of leaf ${position} (${leafId}):\nrecorded   ${recorded}\nrecomputed ${recomputed}`,
      )
      if (!equal) return yield* Effect.fail(new Error("The recomputed output differs from the recorded output."))
    }).pipe(Effect.provide(store)),
)

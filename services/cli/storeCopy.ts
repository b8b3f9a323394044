import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Place } from "../../adapters/store/engine/stores.ts"
import { type Copied, copy } from "../../adapters/store/upkeep/copy/copy.ts"
import { iso } from "../../core/time.ts"
import { expectedPlace, parsePlace } from "../config/store.ts"
import { watched } from "../progress.ts"
import { flag, type Parameter, parsed, text } from "./parameters.ts"
import { make } from "./parser.ts"
import { json, print, readable, table } from "./shared.ts"
import { storeCheckText } from "./storeCheckText.ts"

/** A store as an option. The error never quotes the value, which may contain a password. */
const placeOption = (name: string, description: string): Parameter<Place> =>
  parsed(
    text(name, description),
    (given) => {
      const place = parsePlace(given)
      return place?._tag === "Sqlite" && place.file === ":memory:" ? undefined : place
    },
    `--${name}: ${expectedPlace}`,
  )

const shortDigest = 12

/** The keys are files of their own; those of a SQLite store are next to it unless they were named. */
const describeKeys = (from: Place): string =>
  from._tag === "Postgres"
    ? "The keys are not in the store: RECORD_KEY_FILE and SECRETS_KEY_FILE stay as they are."
    : `The keys are not in the store: set RECORD_KEY_FILE and SECRETS_KEY_FILE to the files used until now (${from.file}.record-key and ${from.file}.secrets-key unless they were set).`

const makeReport = ({ from, to, tables, checked, movedAt, wasThere }: Copied) => ({
  from,
  to,
  ...(wasThere ? { was_there: true } : {}),
  tables,
  checked: Struct.omit({ ...checked, settled_rows: checked.settled }, "settled"),
  ...(movedAt === undefined ? {} : { moved_at: iso(movedAt) }),
})

const reportText = ({ from, to, tables, checked, movedAt, wasThere }: Copied, keys: string): string => {
  return [
    table([
      ["table", "rows", "sha256"],
      ...tables.map(({ name, rows, sha256 }) => [name, String(rows), sha256.slice(0, shortDigest)]),
    ]),
    "",
    ...(wasThere
      ? ["The target was a whole copy already: an earlier run was stopped before it marked the source."]
      : []),
    "Rows and digests of all tables are equal in both stores.",
    ...storeCheckText(checked),
    "",
    movedAt === undefined
      ? `Copied ${from} to ${to}. The source was kept and stays in use.`
      : `Moved ${from} to ${to}. The source takes nothing more. Set DATABASE_URL to the copy.`,
    keys,
  ].join("\n")
}

/** `store copy`. */
export const copying = make(
  "copy",
  "Move a store to another file or database, and compare both. All of it is copied, or nothing.",
  {
    from: placeOption("from", "The store to copy: sqlite:<path> or postgres://… Nothing may be running on it."),
    to: placeOption("to", "A new file, or an empty database, in the same form. Its tables are created."),
    keepSource: flag("keep-source", "A trial: do not mark the source as moved."),
    json,
  },
  (options) =>
    Effect.flatMap(readable(watched(copy(options))), (copied) =>
      print(options.json, makeReport(copied), reportText(copied, describeKeys(options.from))),
    ),
)

import { sourceVerbs } from "../../adapters/admin/sourceVerbs.ts"
import { plural } from "../../core/text.ts"
import { command } from "./command.ts"
import { family } from "./parser.ts"

export const sources = family("sources", "Stored values of sources.", [
  command(
    "void",
    sourceVerbs.sourcesVoid,
    ({ contracts }, { source, station, day, version }) =>
      `voided ${source} ${version} of ${station}, ${day}: ${plural(contracts, "settled contract")} to settle again`,
  ),
])

import type * as Either from "effect/Either"
import { hasEnd } from "../../../core/lanes/weather/reports/ClimateReport.ts"
import { makeIdentityCheck } from "../../../core/sources/identity.ts"

/**
 * Judges a text product by its AWIPS id, e.g. `CLINYC`, and its end: half of a report may parse and lack its low, but the
 * reports of the nine stations end with `$$`, below the last table.
 */
export const isProduct = (text: string, awipsId: string, now: number): Either.Either<string, string> =>
  makeIdentityCheck<string, string>({
    name: (id) => `The text of ${id}`,
    says: {
      "AWIPS id": () => [new RegExp(`^${awipsId}\\s*$`, "m").test(text) ? awipsId : undefined, awipsId],
      end: () => [hasEnd(text) ? "$$" : undefined, "$$"],
    },
  })(text, awipsId, now)

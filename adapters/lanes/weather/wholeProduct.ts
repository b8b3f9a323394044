import * as Effect from "effect/Effect"
import { isWhole } from "../../../core/lanes/weather/reports/ClimateReport.ts"
import { misshapen, type Upstream, type UpstreamError } from "../../runtime/upstream/upstream.ts"

/**
 * Checks that a text product is complete. Half of a report may parse and lack its low, but the reports of the nine
 * stations end with `$$`, below the last table.
 *
 * @param awipsId the required AWIPS id, e.g. `CLINYC`
 */
export const wholeProduct = (
  upstream: Upstream,
  text: string,
  awipsId: string,
): Effect.Effect<string, UpstreamError> => {
  const broken = !new RegExp(`^${awipsId}\\s*$`, "m").test(text)
    ? `The text is not ${/^[AEIO]/.test(awipsId) ? "an" : "a"} ${awipsId} product.`
    : isWhole(text)
      ? undefined
      : "The product is cut off: `$$` is missing."
  return broken === undefined ? Effect.succeed(text) : Effect.fail(misshapen(upstream, broken))
}

import * as Effect from "effect/Effect"
import { UpstreamError } from "../../upstream/upstream.ts"

/**
 * A text product to its end. Half of a report can be read without complaint and lack its low; but the reports of our
 * stations close with `$$`, below the last table.
 *
 * @param awipsId what the product must be, e.g. `CLINYC`
 */
export const wholeProduct = (upstream: string, text: string, awipsId: string): Effect.Effect<string, UpstreamError> => {
  const broken = !new RegExp(`^${awipsId}\\s*$`, "m").test(text)
    ? `The text is no ${awipsId} product.`
    : text.lastIndexOf("$$") < text.lastIndexOf("WEATHER ITEM") || !text.includes("$$")
      ? "The product has no end."
      : undefined
  return broken === undefined
    ? Effect.succeed(text)
    : Effect.fail(new UpstreamError({ upstream, reason: "shape", message: broken }))
}

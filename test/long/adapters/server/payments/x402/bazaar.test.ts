import { assert, describe, it } from "@effect/vitest"
import {
  type DiscoveryExtension,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from "@x402/extensions/bazaar"
import { entries } from "../../../../../../adapters/describe/tools/tools.ts"
import { endpointExtension, toolExtension } from "../../../../../../adapters/server/payments/x402/bazaar.ts"
import * as Catalogue from "../../../../../../core/endpoint/Catalogue.ts"
import { catalogue } from "../../../../../../core/lanes/all.ts"

describe("extensions for registries of paid calls", () => {
  it("of every endpoint and tool keep the rules of the official package", () => {
    const extensions = [
      ...Catalogue.live(catalogue).map(({ endpoint }) => endpointExtension(endpoint)),
      ...entries(catalogue).map(({ tool, served }) => toolExtension(tool, served?.endpoint.example ?? {})),
    ].map(({ bazaar }) => bazaar as DiscoveryExtension)
    for (const extension of extensions) {
      assert.deepStrictEqual(validateDiscoveryExtension(extension), { valid: true })
      assert.isTrue(validateDiscoveryExtensionSpec({ ...extension }).valid)
    }
    // With an example that breaks a rule the same check fails.
    const [first] = Catalogue.live(catalogue).filter(({ endpoint }) => endpoint.id === "weather_settlement")
    const wrong = endpointExtension({ ...first!.endpoint, example: { station: 7 } })["bazaar"] as DiscoveryExtension
    assert.isFalse(validateDiscoveryExtension(wrong).valid)
  })
})

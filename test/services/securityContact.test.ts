import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { config } from "../../services/Config.ts"

const read = (SECURITY_CONTACT: string | undefined) =>
  Effect.withConfigProvider(
    Effect.map(config, ({ securityContact }) => Option.getOrUndefined(securityContact)),
    ConfigProvider.fromMap(new Map(SECURITY_CONTACT === undefined ? [] : [["SECURITY_CONTACT", SECURITY_CONTACT]])),
  )

const good: ReadonlyArray<readonly [given: string | undefined, contact: string | undefined]> = [
  [undefined, undefined],
  ["security@example.com", "mailto:security@example.com"],
  ["mailto:security@example.com", "mailto:security@example.com"],
  ["https://example.com/report?a=b", "https://example.com/report?a=b"],
  ["tel:+1-201-555-0123", "tel:+1-201-555-0123"],
]

const bad = [
  "somebody",
  "http://example.com/report",
  "a@b@c",
  "mailto:",
  "https://example.com/\nExpires: never",
  "a b@example.com",
]

describe("SECURITY_CONTACT", () => {
  for (const [given, contact] of good) {
    it.effect(`${given} is ${contact}`, () => Effect.map(read(given), (found) => assert.strictEqual(found, contact)))
  }
  for (const given of bad) {
    it.effect(`${JSON.stringify(given)} is refused`, () =>
      Effect.map(Effect.flip(read(given)), (error) => assert.include(String(error), "SECURITY_CONTACT")),
    )
  }
})

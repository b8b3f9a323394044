import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import { EntityTags, inFormat, isNamed, maxTags } from "../../../core/gateway/EntityTags.ts"

const secret = new Uint8Array(32).fill(7)
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
const [question, other] = [sha256("one question"), sha256("another")]

const tag = (asked: string, results: string, layer = EntityTags.layer(secret)) =>
  Effect.flatMap(EntityTags, ({ of }) => of(asked, results)).pipe(Effect.provide(layer), Effect.provide(secrets.layer))

describe("the tag of what is sold", () => {
  it.effect("is HMAC-SHA-256 of question and results under the secret, cut to 128 bits", () =>
    Effect.gen(function* () {
      // From OpenSSL: printf '%s%s' "$(printf 'one question' | sha256sum | cut -c1-64)" '{"high_f":81}' |
      //   openssl dgst -sha256 -mac HMAC -macopt hexkey:$(printf '07%.0s' $(seq 32)) | cut -c1-32
      assert.strictEqual(yield* tag(question, '{"high_f":81}'), 'W/"ae4d4e939c7b05a1cac0ce50278b7587"')
    }),
  )

  it.effect("is another one for another question, other results, another secret", () =>
    Effect.gen(function* () {
      const tags = [
        yield* tag(question, '{"high_f":81}'),
        yield* tag(other, '{"high_f":81}'),
        yield* tag(question, '{"high_f":82}'),
        yield* tag(question, '{"high_f":81}', EntityTags.layer(new Uint8Array(32).fill(8))),
        yield* tag(question, '{"high_f":81}', EntityTags.layerMemory),
        yield* tag(question, '{"high_f":81}', EntityTags.layerMemory),
      ]
      assert.strictEqual(new Set(tags).size, tags.length)
    }),
  )
})

describe("If-None-Match", () => {
  const etag = `W/"${"a".repeat(32)}"`
  const others = (n: number) => Array.from({ length: n }, (_, at) => `W/"${String(at).padStart(32, "0")}"`)
  const cases: ReadonlyArray<readonly [name: string, header: string, named: boolean]> = [
    ["the tag", etag, true],
    ["the tag without its weakness", etag.slice(2), true],
    ["anything", " * ", true],
    ["another one", inFormat(etag, "csv"), false],
    ["nothing", "", false],
    ["as many as are read, the last of them", [...others(maxTags - 1), etag].join(", "), true],
    ["more than are read, though the first is it", [etag, ...others(maxTags)].join(", "), false],
    ["more than are read", others(maxTags + 1).join(","), false],
  ]
  it.each(cases)("%s", (_, header, named) => assert.strictEqual(isNamed(header, etag), named))
})

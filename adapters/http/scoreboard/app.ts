import * as HttpRouter from "@effect/platform/HttpRouter"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Stream from "effect/Stream"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import { Secrets } from "../../../core/account/Secrets.ts"
import type { RequestIds } from "../../../core/gateway/RequestIds.ts"
import type { Site } from "../../../core/gateway/Site.ts"
import { Markets } from "../../../core/lanes/markets/Markets.ts"
import { SettledRows } from "../../../core/lanes/markets/providers.ts"
import * as Keyless from "../keyless.ts"
import { all, type Form, forms } from "./downloads.ts"
import { downloads, page } from "./page.ts"
import { style } from "./style.ts"

const pagePath = "/scoreboard"
const fileOf = (form: Form): `/${string}` => `${pagePath}/settled.${form}`

/** Where the scoreboard's page and files are served. */
export const paths: ReadonlySet<string> = new Set([pagePath, ...downloads.map(fileOf)])

/** No script, nothing from elsewhere, and no style but the page's own. */
const policyOf = (styleHash: string): string =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const base64Of = (hex: string): string => Encoding.encodeBase64(Either.getOrThrow(Encoding.decodeHex(hex)))

/**
 * The scoreboard for people: a page, and every settled row as a file. No key and no price; the limit per address is that
 * of the other calls without a key.
 */
export const make: Effect.Effect<
  HttpRouter.HttpRouter,
  never,
  Markets | RateLimits | RequestIds | Secrets | SettledRows | Site
> = Effect.gen(function* () {
  const secrets = yield* Secrets
  const markets = yield* Markets
  const rows = yield* SettledRows
  const route = yield* Keyless.make
  const policy = policyOf(base64Of(yield* secrets.sha256(style)))

  const html = Effect.map(
    markets.performance({}),
    ({ results, freshness }): Keyless.Page => ({
      type: "text/html; charset=utf-8",
      body: page(results, freshness),
      headers: { "content-security-policy": policy },
    }),
  )

  const file = (form: Form) =>
    // A store that does not answer is found out before the answer begins.
    Effect.map(rows.after("weather", undefined, 1), (): Keyless.Page => {
      const { type, text } = forms[form]
      return {
        type,
        body: text(all(rows)).pipe(
          Stream.mapChunks((lines) => Chunk.of(Chunk.join(lines, ""))),
          Stream.encodeText,
        ),
        headers: { "content-disposition": `attachment; filename="settled.${form}"` },
      }
    })

  return downloads.reduce(
    (router, form) => router.pipe(route(fileOf(form), () => file(form))),
    HttpRouter.empty.pipe(route(pagePath, () => html)),
  )
})

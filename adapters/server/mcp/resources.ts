import * as Effect from "effect/Effect"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as EnvelopeSchema from "../../../core/endpoint/EnvelopeSchema.ts"
import * as JsonSchema from "../../../core/endpoint/jsonSchema.ts"
import type { Figures } from "../../describe/figures.ts"
import * as Llms from "../../describe/llms.ts"
import * as Surface from "../../describe/schemas.ts"
import * as Pricing from "../../describe/tools/pricing.ts"
import { resourceUris } from "../../describe/tools/protocol.ts"
import * as Schemas from "../../describe/tools/schemas.ts"

/** The installation's facts for the full reference. */
export interface Site {
  /** The server's public URL. */
  readonly baseUrl: string
  /** Each lane's data source for live keys, by lane name. */
  readonly freshness?: Readonly<Record<string, Freshness>>
  /** Counted on demand, at most once a minute. */
  readonly figures?: Effect.Effect<Figures>
}

export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly mimeType: string
}

/** The text of a resource, in `resources/read`. */
export interface Contents extends Pick<Resource, "uri" | "mimeType"> {
  readonly text: string
}

export interface Resources {
  readonly list: ReadonlyArray<Resource>
  /** Undefined for an unknown URI. */
  readonly read: (uri: string) => Effect.Effect<Contents> | undefined
}

const [markdown, schema] = ["text/markdown", "application/schema+json"]

/** The full reference, the error table and the schema of every tool's answer, made once. */
export const make = (catalogue: Catalogue.Any, site: Site): Effect.Effect<Resources> =>
  Effect.gen(function* () {
    const { baseUrl, freshness = {}, figures = Effect.succeed<Figures>({}) } = site
    const surface = Surface.fold(catalogue)
    let last: { readonly counted: string; readonly text: string } | undefined
    /** Written again only when a count has changed. */
    const full = (figures: Figures): string => {
      const counted = JSON.stringify(figures)
      if (last?.counted !== counted) {
        last = { counted, text: Llms.full({ baseUrl, catalogue, surface, freshness }, figures) }
      }
      return last.text
    }
    // Uninterruptible: a disconnecting caller must not leave an interruption in the cache.
    const reference = yield* Effect.cachedWithTTL(Effect.uninterruptible(Effect.map(figures, full)), "1 minute")
    const written = (value: unknown): Effect.Effect<string> => Effect.succeed(JSON.stringify(value))
    const outputs = [
      ...Catalogue.live(catalogue).map(({ endpoint }) => [endpoint.id, Schemas.output(endpoint)] as const),
      [Pricing.name, Pricing.output] as const,
    ]
    const schemas = outputs.map(([tool, output]) => ({
      ...{ uri: resourceUris.schema(tool), name: tool, title: `Schema of ${tool}'s answer`, mimeType: schema },
      text: written(output),
    }))
    const all: ReadonlyArray<Resource & { readonly text: Effect.Effect<string> }> = [
      {
        ...{ uri: resourceUris.reference, name: "llms-full.txt", title: "Full reference", mimeType: markdown },
        text: reference,
      },
      {
        ...{ uri: resourceUris.errors, name: "errors", title: "Every error code and its remedy", mimeType: markdown },
        text: Effect.succeed(Llms.errors),
      },
      {
        ...{ uri: resourceUris.error, name: "error", title: "Schema of a failed call's text", mimeType: schema },
        text: written(JsonSchema.of(EnvelopeSchema.Failed)),
      },
      ...schemas,
    ]
    const byUri = new Map(all.map((each) => [each.uri, each]))
    return {
      list: all.map(({ text: _, ...listed }) => listed),
      read: (uri) => {
        const found = byUri.get(uri)
        return found && Effect.map(found.text, (text) => ({ uri, mimeType: found.mimeType, text }))
      },
    }
  })

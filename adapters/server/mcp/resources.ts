import * as Effect from "effect/Effect"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as EnvelopeSchema from "../../../core/endpoint/EnvelopeSchema.ts"
import * as JsonSchema from "../../../core/endpoint/jsonSchema.ts"
import type { Figures } from "../../describe/figures.ts"
import { guides } from "../../describe/guides.ts"
import * as Llms from "../../describe/llms.ts"
import * as Surface from "../../describe/schemas.ts"
import * as Pricing from "../../describe/tools/pricing.ts"
import { resourceUris } from "../../describe/tools/protocol.ts"
import * as Schemas from "../../describe/tools/schemas.ts"
import type { Entry } from "../../describe/tools/tools.ts"
import { defaultLimits } from "../http/listener.ts"

/** The installation's facts for the full reference. */
export interface Site {
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

/** The schemas of all tools' answers by one address. */
export const schemaTemplate = {
  uriTemplate: resourceUris.schema("{tool}"),
  name: "schema",
  title: "Schema of a tool's answer",
  mimeType: schema,
}

/** The full reference, the error table and the schema of every tool's answer, made once. */
export const make = (catalogue: Catalogue.Any, tools: ReadonlyArray<Entry>, site: Site): Effect.Effect<Resources> =>
  Effect.gen(function* () {
    const { baseUrl, freshness = {}, figures = Effect.succeed<Figures>({}) } = site
    const surface = Surface.publicSurface(catalogue)
    const handedOut = guides({ baseUrl, catalogue, limits: defaultLimits })
    let rendered: { readonly counted: string; readonly text: string } | undefined
    /** Made again only when a count has changed. */
    const renderReference = (figures: Figures): string => {
      const counted = JSON.stringify(figures)
      if (rendered?.counted !== counted) {
        rendered = { counted, text: Llms.llmsFullTxt({ baseUrl, catalogue, surface, freshness }, handedOut, figures) }
      }
      return rendered.text
    }
    // Uninterruptible: a disconnecting caller must not leave an interruption in the cache.
    const reference = yield* Effect.cachedWithTTL(
      Effect.uninterruptible(Effect.map(figures, renderReference)),
      "1 minute",
    )
    const serialise = (value: unknown): Effect.Effect<string> => Effect.succeed(JSON.stringify(value))
    const failedSchema = JsonSchema.of(EnvelopeSchema.Failed)
    const outputs = tools.map(
      ({ tool, served }) =>
        [tool.name, served === undefined ? Pricing.output : Schemas.output(served.endpoint)] as const,
    )
    const resource = (uri: string, name: string, title: string, mimeType: string, text: Effect.Effect<string>) => ({
      uri,
      name,
      title,
      mimeType,
      text,
    })
    const all = [
      resource(resourceUris.reference, "llms-full.txt", "Full reference", markdown, reference),
      resource(resourceUris.errors, "errors", "Every error code and its remedy", markdown, Effect.succeed(Llms.errors)),
      resource(resourceUris.error, "error", "Schema of a failed call's text", schema, serialise(failedSchema)),
      ...outputs.map(([tool, output]) =>
        resource(resourceUris.schema(tool), tool, `Schema of ${tool}'s answer`, schema, serialise(output)),
      ),
    ]
    const byUri = new Map(all.map((each) => [each.uri, each]))
    return {
      list: all.map(({ text: _, ...listed }) => listed),
      read: (uri) => {
        const resource = byUri.get(uri)
        return resource && Effect.map(resource.text, (text) => ({ uri, mimeType: resource.mimeType, text }))
      },
    }
  })

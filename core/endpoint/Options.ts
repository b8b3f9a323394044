import * as Schema from "effect/Schema"
import type * as Endpoint from "./Endpoint.ts"
import * as Param from "./Param.ts"

/** Values of `include=`, which are also the names of the envelope fields. */
export const extras = ["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"] as const
export type Extra = (typeof extras)[number]

const [maxPaths, maxPathLength, maxTotalPathLength] = [64, 200, 4_096]

const shape = {
  fields: Param.optional(
    Param.maxTotalLength(
      Param.list(
        Param.text(maxPathLength, "A dotted path relative to `results`, applied per element inside arrays."),
        maxPaths,
        "Only these fields: dotted paths in `results`; `*` is all.",
      ),
      // The 64 longest paths of any endpoint have fewer characters.
      maxTotalPathLength,
    ),
  ),
  verbose: Param.withDefault(Param.boolean("All fields, with provenance and flags."), false),
}

const include = Param.optional(
  Param.list(Param.oneOf(extras, "An envelope field."), extras.length, "Envelope fields to add."),
)

/** The query parameters common to all endpoints; the documents use them too. */
export const plain: Schema.Struct<typeof shape> = Schema.Struct(shape)

const dry_run = Param.withDefault(Param.boolean("`results` is a quote; nothing is computed or charged."), false)

export const keyed: Schema.Struct<
  typeof shape & { readonly include: typeof include; readonly dry_run: typeof dry_run }
> = Schema.Struct({ ...shape, include, dry_run })

export interface Options {
  readonly fields?: ReadonlyArray<string>
  readonly verbose?: boolean
  readonly include?: ReadonlyArray<Extra>
  readonly dry_run?: boolean
}

const none = Schema.Struct({})

/** The common options of an endpoint, by its kind of access. */
export const of = ({ auth }: Endpoint.AnyOperation): typeof none | typeof plain | typeof keyed =>
  ({ operator: none, none: plain, key: keyed })[auth]

/** All parameters of an endpoint, its own and the common options, for documents, tools and command line. */
export const input = (endpoint: Endpoint.AnyOperation): Endpoint.AnyStruct =>
  Schema.Struct({ ...endpoint.params.fields, ...of(endpoint).fields }) as unknown as Endpoint.AnyStruct

import * as Schema from "effect/Schema"

/** Annotation: the field is only in the full shape (`verbose=true`, `fields=*`), or if `fields` names it. */
export const VerboseId: unique symbol = Symbol.for("market-signals/Field/verbose")

/** A field of the full shape, omitted in the slim one and when it has no value. */
export const verbose = <A, I>(schema: Schema.Schema<A, I>): Schema.optionalWith<Schema.Schema<A, I>, { exact: true }> =>
  Schema.optionalWith(schema.annotations({ [VerboseId]: true } as never), { exact: true })

/** A field that is omitted when it has no value; never null. */
export const optional = <A, I>(
  schema: Schema.Schema<A, I>,
): Schema.optionalWith<Schema.Schema<A, I>, { exact: true }> => Schema.optionalWith(schema, { exact: true })

/** An object with one optional field; empty where the value is undefined. */
export const ifDefined = <K extends string, A>(key: K, value: A | undefined): { readonly [X in K]?: A } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [X in K]?: A }

const described = <A>(schema: Schema.Schema<A>, description: string | undefined): Schema.Schema<A> =>
  description === undefined ? schema : schema.annotations({ description })

/** A finite number. NaN is not allowed: JSON would make it null. */
export const number = (description?: string): Schema.Schema<number> =>
  described(Schema.Number.pipe(Schema.finite()), description)

export const integer = (description?: string): Schema.Schema<number> =>
  described(Schema.Number.pipe(Schema.int()), description)

export const probability = (description?: string): Schema.Schema<number> =>
  described(Schema.Number.pipe(Schema.between(0, 1)), description)

export const text = (description?: string): Schema.Schema<string> => described(Schema.String, description)

export const boolean = (description?: string): Schema.Schema<boolean> => described(Schema.Boolean, description)

/** A calendar day YYYY-MM-DD. */
export const day = (description?: string): Schema.Schema<string> =>
  described(Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/, { jsonSchema: { format: "date" } })), description)

/** An instant: ISO 8601 with an offset or `Z`. */
export const instant = (description?: string): Schema.Schema<string> =>
  described(
    Schema.String.pipe(
      Schema.pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/, {
        jsonSchema: { format: "date-time" },
      }),
    ),
    description,
  )

import * as Schema from "effect/Schema"

/** Annotation: the field is only in the full shape (`verbose=true`, `fields=*`), or if `fields` names it. */
export const VerboseId: unique symbol = Symbol.for("market-signals/Field/verbose")

/** A field of the full shape, omitted in the slim one and when it has no value. */
export const verbose = <A, I>(schema: Schema.Schema<A, I>): Schema.optionalWith<Schema.Schema<A, I>, { exact: true }> =>
  Schema.optionalWith(schema.annotations({ [VerboseId]: true } as never), { exact: true })

/** Annotation: a predicate of the values of a verbose field that the slim shape shows after all. */
export const ShownIfId: unique symbol = Symbol.for("market-signals/Field/shownIf")

/** A verbose field that the slim shape shows where its value is one that callers must not miss. */
export const verboseUnless = <A, I>(
  schema: Schema.Schema<A, I>,
  isShown: (value: I) => boolean,
): Schema.optionalWith<Schema.Schema<A, I>, { exact: true }> =>
  verbose(schema.annotations({ [ShownIfId]: isShown } as never))

/** A field that is omitted when it has no value; never null. */
export const optional = <A, I>(
  schema: Schema.Schema<A, I>,
): Schema.optionalWith<Schema.Schema<A, I>, { exact: true }> => Schema.optionalWith(schema, { exact: true })

const described = <A>(schema: Schema.Schema<A>, description: string | undefined): Schema.Schema<A> =>
  description === undefined ? schema : schema.annotations({ description })

/** Annotation: decimals to which the number is rounded where results are written (`Rounding.ts`). */
export const DecimalsId: unique symbol = Symbol.for("market-signals/Field/decimals")

/** Meaningful decimals of each unit. */
export const decimals = {
  probability: 6,
  /** An element of a long distribution: callers add many of them up. */
  mass: 9,
  /** Shares, scores, log-odds and differences of probabilities. */
  ratio: 6,
  /** Standard deviations of log returns: price · sigma is right to the cent. */
  volatility: 8,
  /** Points and runs, also means and errors of them. */
  points: 2,
  degrees: 2,
  /** US dollars: the tick of the spot markets and of the ledger. */
  usd: 2,
  /** A venue's contracts: fractions of one are traded. */
  contracts: 2,
  days: 2,
  seconds: 1,
  innings: 2,
  /** Runs per nine innings as an input of a model: its probability is recomputed from it to a hundred-thousandth. */
  era: 4,
} as const
export type Unit = keyof typeof decimals

const inUnit = (schema: Schema.Schema<number>, unit: Unit, description: string | undefined): Schema.Schema<number> =>
  described(schema.annotations({ [DecimalsId]: decimals[unit] } as never), description)

/** A finite number as the source or the caller has it: never rounded. NaN is not allowed: JSON would make it null. */
export const number = (description?: string): Schema.Schema<number> =>
  described(Schema.Number.pipe(Schema.finite()), description)

/** A finite number that was computed: the answer has the decimals of its unit. */
export const quantity = (unit: Unit, description?: string): Schema.Schema<number> =>
  inUnit(Schema.Number.pipe(Schema.finite()), unit, description)

export const integer = (description?: string): Schema.Schema<number> =>
  described(Schema.Number.pipe(Schema.int()), description)

export const probability = (
  description?: string,
  unit: Extract<Unit, "probability" | "mass"> = "probability",
): Schema.Schema<number> => inUnit(Schema.Number.pipe(Schema.between(0, 1)), unit, description)

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

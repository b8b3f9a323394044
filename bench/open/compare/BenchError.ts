import * as Data from "effect/Data"

/** A model or a file of forecasts cannot be compared. The message names row and column, and there is no partial result. */
export class BenchError extends Data.TaggedError("BenchError")<{ readonly message: string }> {}

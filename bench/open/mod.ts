/**
 * The open bench: anyone's model against the served one, its baselines and the market, on identical rows, each with the
 * information of the question's time.
 *
 * @module
 */

export * from "../../core/History.ts"
export * from "../../core/Model.ts"
export * from "./compare/BenchError.ts"
export * from "./compare/compare.ts"
export * from "./compare/decode.ts"
export * from "./compare/rows.ts"
export * from "./compare/Task.ts"
export * from "./compare/table.ts"
export * from "./compare/walk.ts"

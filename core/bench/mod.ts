/**
 * The open bench: anyone's model against the served one, its baselines and the market, on identical rows, each with the
 * information of the question's time.
 *
 * @module
 */
export * from "./BenchError.ts"
export * from "./compare.ts"
export * from "./decode.ts"
export * from "./History.ts"
export * from "./rows.ts"
export * from "./Task.ts"
export * from "./table.ts"
export * from "./walk.ts"

/**
 * The open bench: anyone's model against the served one, its baselines and the market, on identical rows, each with the
 * information of the question's time.
 *
 * @module
 */
export * from "./compare.ts"
export * from "./History.ts"
export * from "./Task.ts"
export * from "./walk.ts"

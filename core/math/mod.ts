/**
 * The numeric functions behind the signals: distributions, scores, intervals and generators.
 *
 * @module
 */
export * as bootstrap from "./bootstrap.ts"
export * as clusters from "./clusters.ts"
export * as devig from "./devig.ts"
export * as discrete from "./discrete.ts"
export * as discretise from "./discretise.ts"
export * as estimate from "./estimate.ts"
export * as exactSum from "./exactSum.ts"
export * as fnv1a from "./fnv1a.ts"
export * as gammaRatio from "./gammaRatio.ts"
export * as leastSquares from "./leastSquares.ts"
export * as logistic from "./logistic.ts"
export * as murphy from "./murphy.ts"
export * as normal from "./normal.ts"
export * as pit from "./pit.ts"
export * as reliability from "./reliability.ts"
export * as score from "./score.ts"
export * as studentT from "./studentT.ts"
export * as studentT8 from "./studentT8.ts"
export * as wilson from "./wilson.ts"
export * as xoshiro128 from "./xoshiro128.ts"

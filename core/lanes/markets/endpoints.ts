import { benchContracts, benchModels, benchOpinions, benchWithdraw } from "./challenge/endpoints.ts"
import { edge } from "./edge.ts"
import { performance } from "./performance.ts"
import { history, settled } from "./settled.ts"

export { benchModels, benchOpinions, edge, history, performance, settled }

/** A named type, which keeps the generated .d.ts short. */
export type MarketsEndpoints = {
  readonly edge: typeof edge
  readonly settled: typeof settled
  readonly history: typeof history
  readonly performance: typeof performance
  readonly benchContracts: typeof benchContracts
  readonly benchModels: typeof benchModels
  readonly benchOpinions: typeof benchOpinions
  readonly benchWithdraw: typeof benchWithdraw
}
export const endpoints: MarketsEndpoints = {
  edge,
  settled,
  history,
  performance,
  benchContracts,
  benchModels,
  benchOpinions,
  benchWithdraw,
}

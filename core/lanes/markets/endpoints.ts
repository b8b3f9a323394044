import { benchContracts, benchModels, benchOpinions, benchWithdraw } from "./challenge/endpoints.ts"
import { edge } from "./edge.ts"
import { performance } from "./performance.ts"
import { history, settled } from "./settled.ts"

export { benchModels, benchOpinions, edge, history, performance, settled }

export const endpoints = {
  edge,
  settled,
  history,
  performance,
  benchContracts,
  benchModels,
  benchOpinions,
  benchWithdraw,
}

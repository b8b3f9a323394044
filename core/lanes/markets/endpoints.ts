import { benchModels } from "./challenge/models.ts"
import { benchContracts, benchOpinions, benchWithdraw } from "./challenge/opinions.ts"
import { edge } from "./edge.ts"
import { history } from "./history.ts"
import { performance } from "./performance.ts"
import { settled } from "./settled.ts"

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

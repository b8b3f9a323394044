import * as Param from "../../core/endpoint/Param.ts"

export { optional } from "../../core/endpoint/Field.ts"

/** The fields that say which one is meant. */
export const account = { account: Param.text(64, "Id or name of the account.") }
export const agent = { agent: Param.text(64, "Id of the agent, or its name where only one agent has it.") }
export const key = { key: Param.text(64, "Id of the key.") }

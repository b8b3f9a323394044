import * as Param from "../../core/endpoint/Param.ts"

export { optional } from "../../core/endpoint/Field.ts"

/** Parameters that identify a resource. */
export const account = { account: Param.text(64, "Account id or name.") }
export const agent = { agent: Param.text(64, "Agent id, or a name that only one agent has.") }
export const rpm = Param.integer(1, 10_000_000, "Calls per minute of an enterprise key.")
export const key = { key: Param.text(64, "Key id.") }

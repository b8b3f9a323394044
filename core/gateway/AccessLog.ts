import * as Context from "effect/Context"

/** Whether every request is logged at level `info`. Default: only at `debug`. */
export class AccessLog extends Context.Reference<AccessLog>()("market-signals/core/gateway/AccessLog", {
  defaultValue: () => false,
}) {}

import * as Context from "effect/Context"

/** Whether every request has a line of the log at level `info`; by default only at `debug`, where no operator set it. */
export class AccessLog extends Context.Reference<AccessLog>()("market-signals/core/gateway/AccessLog", {
  defaultValue: () => false,
}) {}

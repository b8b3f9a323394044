import * as Context from "effect/Context"

/** Whether lanes begin long work, such as a rating over all games, when they are built, or with the first call. */
export class Eager extends Context.Reference<Eager>()("core/lanes/Eager", { defaultValue: () => false }) {}

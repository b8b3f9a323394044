import * as Context from "effect/Context"

/** Whether lanes start long work, such as the rating of all games, when they are built; otherwise with the first call. */
export class Eager extends Context.Reference<Eager>()("core/lanes/Eager", { defaultValue: () => false }) {}

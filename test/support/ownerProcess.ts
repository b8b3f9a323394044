/**
 * A program that wants the store of `DATABASE_URL`:
 *
 * - `credit <account> <count>`: credits a wallet so many times, as `wallet credit` does, and says how each ended;
 * - `take <role> <version> <milliseconds>`: owns the store for so long and says so.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { accountVerbs } from "../../adapters/admin/accountVerbs.ts"
import { OwnerLost, serverRole, take } from "../../adapters/store/engine/sqlite/owner.ts"
import { makeAsk } from "../../services/cli/ask.ts"
import { say } from "./say.ts"

const credit = (account: string, count: number) =>
  Effect.gen(function* () {
    for (let done = 0; done < count; done++) {
      const asked = Effect.flatMap(makeAsk("wallet credit"), (ask) =>
        ask.verb(accountVerbs.walletCredit, { account, micros: 1_000 }),
      )
      const ended = yield* Effect.either(Effect.scoped(asked))
      say(
        ended._tag === "Right" ? "done" : ended.left instanceof OwnerLost ? "unsure" : `failed: ${ended.left.message}`,
      )
    }
  })

const own = (role: string, version: string, ms: number) =>
  Effect.gen(function* () {
    const taken = yield* take(process.env["DATABASE_URL"]!.slice("sqlite:".length), { role, version })
    if (taken._tag === "Owned" && role === serverRole) yield* taken.serve((_, response) => void response.end())
    say(taken._tag)
    yield* Effect.sleep(ms)
    say("ended")
  }).pipe(Effect.scoped)

const [command, ...args] = process.argv.slice(2) as [string, string, string, string]
NodeRuntime.runMain(command === "credit" ? credit(args[0], Number(args[1])) : own(args[0], args[1], Number(args[2])))

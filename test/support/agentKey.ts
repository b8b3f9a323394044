import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import type { Running } from "./running.ts"

/** A live key of a new agent of the account `tester`, with a cap a month. */
export const agentKey = ({ run }: Pick<Running, "run">, name: string, monthlyCapMicros: number): Promise<string> =>
  run(
    Effect.gen(function* () {
      yield* (yield* Agents).create("tester", name, { monthlyCap: MicroUsd(monthlyCapMicros) })
      const { plaintext } = yield* (yield* Accounts).issueKey({
        account: "tester",
        environment: "live",
        tier: "pro",
        agent: name,
      })
      return Redacted.value(plaintext)
    }),
  )

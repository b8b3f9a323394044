import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as App from "../../services/app.ts"
import type { Settings } from "../../services/Config.ts"
import { type Running, settings } from "./running.ts"

/** Delivers the webhooks of a server, as `npm start` does. Returns what ends it. */
export const delivering = ({ run }: Running, changes: Partial<Settings>): (() => Promise<void>) => {
  let stop = () => {}
  const stopped = run(
    Effect.scoped(
      Effect.zipRight(
        Layer.build(App.delivery(settings(changes))),
        Effect.async<void>((resume) => {
          stop = () => resume(Effect.void)
        }),
      ),
    ),
  )
  return () => {
    stop()
    return stopped
  }
}

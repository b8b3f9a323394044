import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"

/** One call of a server; undefined if no answer came. */
export const call = async (url: string, token: string, more: Readonly<Record<string, string>> = {}) => {
  const begun = performance.now()
  const response = await fetch(`${url}/v1/weather/settlement?station=KNYC`, {
    headers: { authorization: `Bearer ${token}`, ...more },
  })
  // biome-ignore lint/suspicious/noExplicitAny: what the wire brought
  const body = (await response.json()) as any
  const code = response.ok ? "ok" : (body.error.code as string)
  return { begun, ended: performance.now(), status: response.status, code, micros: body._meta?.price?.charged_micros }
}

export type Called = Awaited<ReturnType<typeof call>>

/** Calls from a few callers until told to stop. */
const calling = (url: string, token: string, more?: () => Readonly<Record<string, string>>) => {
  const all: Array<Called> = []
  let isOver = false
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      all.push(await call(url, token, more?.()))
      await setTimeout(20)
    }
  })
  const end = async () => {
    isOver = true
    await Promise.all(callers)
  }
  return { all, end }
}

/** Calls from a few callers until the end of the scope, at the latest; `more` are headers of each. */
export const calls = (url: string, token: string, more?: () => Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => calling(url, token, more)),
    ({ end }) => Effect.promise(end),
  )

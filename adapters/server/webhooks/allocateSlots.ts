export interface Limits {
  /** Most attempts in flight. */
  readonly inFlight: number
  /** Most attempts in flight to one healthy webhook. */
  readonly perWebhook: number
  /** Most attempts started at once; API calls are served in between. */
  readonly perTurn: number
}

/** The attempts in flight. */
export interface Load {
  /** Attempts in flight by webhook; absent: none. */
  readonly busy: ReadonlyMap<string, number>
  /** Webhooks whose last attempt failed. */
  readonly failing: ReadonlySet<string>
}

/**
 * Allocates the free slots to webhooks with due deliveries: round robin, fewest attempts in flight first, so that a
 * backlog does not affect the others. A failing webhook gets one slot, and all failing ones together at most half of the
 * slots, so that healthy ones always have room.
 */
export const share = (
  due: ReadonlyArray<string>,
  { busy, failing }: Load,
  { inFlight, perWebhook, perTurn }: Limits,
): ReadonlyMap<string, number> => {
  let free = inFlight
  let suspect = Math.floor(inFlight / 2)
  for (const [webhook, count] of busy) {
    free -= count
    if (failing.has(webhook)) suspect -= count
  }
  free = Math.min(free, perTurn)
  const given = new Map<string, number>()
  const held = (webhook: string) => (busy.get(webhook) ?? 0) + (given.get(webhook) ?? 0)
  let turn = [...due].sort((a, b) => held(a) - held(b))
  while (free > 0 && turn.length > 0) {
    turn = turn.filter((webhook) => {
      const fails = failing.has(webhook)
      if (free <= 0 || held(webhook) >= (fails ? 1 : perWebhook) || (fails && suspect <= 0)) return false
      given.set(webhook, (given.get(webhook) ?? 0) + 1)
      free--
      if (fails) suspect--
      return true
    })
  }
  return given
}

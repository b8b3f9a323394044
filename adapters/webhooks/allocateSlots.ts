export interface Limits {
  /** Attempts under way at a time. */
  readonly inFlight: number
  /** Of these, to one webhook that answers well. */
  readonly perWebhook: number
  /** Attempts begun at a time: calls of the API are answered between two such bursts. */
  readonly perTurn: number
}

/** What is under way. */
export interface Load {
  /** Attempts under way, by webhook; none is absent. */
  readonly busy: ReadonlyMap<string, number>
  /** Webhooks whose last attempt failed. */
  readonly failing: ReadonlySet<string>
}

/**
 * How many deliveries each webhook gets of the slots that are free. One at a time in turn, those with the fewest under
 * way first, so that a backlog takes nothing from its neighbours. A webhook that fails gets one slot, and all that fail
 * together no more than half of them: however many hang, there is room for those that answer.
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

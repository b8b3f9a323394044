/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type { Spender } from "../../../../core/account/AgentStore.ts"
import { State } from "../../view/parts.tsx"
import { agentSpend, type Value } from "./values.ts"

/** A value that script keeps up to date. */
export const Live = ({
  is: { name, shown },
  as: Tag = "span",
}: {
  readonly is: Value
  readonly as?: "span" | "time"
}) => <Tag data-live={name}>{shown.text}</Tag>

/** A state that script keeps up to date. */
export const LiveState = ({ is: { name, shown } }: { readonly is: Value }) => (
  <State is={{ tone: shown.badge?.tone ?? "waiting", label: shown.text }} live={name} />
)

/** An amount, with a meter under a cap. Colour repeats what the words say. */
const Meter = ({ label, is: { name, shown } }: { readonly label: string; readonly is: Value }) =>
  shown.meter === undefined ? (
    <span data-live={name}>{shown.text}</span>
  ) : (
    <span data-live={name}>
      <meter aria-label={label} min={0} {...shown.meter} /> <span>{shown.text}</span>
    </span>
  )

const periods = { month: "this month", total: "all time" } as const

/** Spend of an agent's live or test keys against a cap. */
export const spendMeter = (
  { agent, spend }: Spender,
  over: keyof typeof periods,
  name = agent.name,
  kind: "live" | "test" = "live",
) => <Meter label={`${name} ${periods[over]}`} is={agentSpend(agent, spend, kind, over)} />

/** A notice while a value is another one than `is`. Script shows and hides it. */
export const Unless = ({
  is: { name, shown },
  isShown,
  children,
}: {
  readonly is: Value
  readonly isShown: boolean
  readonly children: ComponentChildren
}) => (
  <p class="notice" role="status" data-live-unless={`${name}=${shown.text}`} hidden={!isShown}>
    {children}
  </p>
)

/** Says that a list has newer rows than the page. Script shows it. */
export const Newer = ({
  is: { name, shown },
  what,
  href,
}: {
  readonly is: Value
  readonly what: string
  readonly href: string
}) => (
  <p data-live-unless={`${name}=${shown.text}`} hidden>
    There are newer {what}. <a href={href}>Show them</a>
  </p>
)

/**
 * Says that a state is another one than when the page was made. Script shows it, and leaves buttons as they are: one that
 * turned under somebody's finger would do the opposite of what was meant.
 */
export const Changed = ({ href }: { readonly href: string }) => (
  <p class="notice" data-live-changed hidden>
    A state has changed since this page was opened. <a href={href}>Reopen</a> to act on it.
  </p>
)

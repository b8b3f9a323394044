import { usd } from "../account/Money.ts"
import type { DataOf, EventType, schema } from "./Event.ts"

type Wire = ReturnType<typeof schema>["Encoded"]

interface Words {
  readonly subject: string
  readonly text: string
  /** The page where something can be done. */
  readonly path: string
}

const budget = ({ agent_name, spent_micros, cap_micros, percent }: DataOf<"agent.budget_warning">): Words => ({
  subject: `Agent ${agent_name} has spent ${percent} % of its monthly cap`,
  text: `It has spent ${usd(spent_micros)} of ${usd(cap_micros)} this month.`,
  path: "/dashboard/agents",
})

/** A row of the answer that a firing carries, of the contract that changed. */
interface Row {
  readonly market: string
  readonly title: string
  readonly model_prob: number
  readonly market_prob: number
}

const hundredths = (p: number): number => Number((100 * p).toFixed(1))

/** A change in words: a contract as the answer describes it, anything else as the event names it. */
const changeWords = (
  { subject, measure, value, before }: DataOf<"alert.fired">["changes"][number],
  { edges = [] }: { readonly edges?: ReadonlyArray<Row> },
): string => {
  const row = edges.find(({ market }) => market === subject)
  if (row === undefined) {
    return [`${subject}: ${measure} ${value}`, ...(before === undefined ? [] : [`before ${before}`])].join(", ")
  }
  const { title, model_prob: model, market_prob: market } = row
  const size = measure === "edge" ? `edge ${hundredths(Number(value))} points` : `expected gain ${value} USD a contract`
  return `${title.replace(": ", ", ")}: we say ${hundredths(model)} %, market ${hundredths(market)} %, ${size}`
}

const words: { readonly [Type in EventType]: (data: DataOf<Type>) => Words } = {
  "agent.budget_warning": budget,
  "agent.budget_exceeded": budget,
  "wallet.low": ({ balance_micros, threshold_micros }) => ({
    subject: `Your balance is low: ${usd(balance_micros)}`,
    text: `The wallet has ${usd(balance_micros)}, less than ${usd(threshold_micros)}. Live calls are refused once it is empty.`,
    path: "/dashboard/top-up",
  }),
  "alert.fired": ({ name, call, changes, results }) => ({
    subject: `Alert fired: ${name ?? call}`,
    text: changes.map((change) => changeWords(change, results)).join("\n"),
    path: "/dashboard/alerts",
  }),
  "webhook.failing": ({ webhook_id, host, reason }) => ({
    subject: `Webhook ${host} is failing`,
    text:
      reason === "gone"
        ? "It answered 410 Gone and is disabled: events wait until it is resumed."
        : "An event could not be delivered in 24 hours.",
    path: `/dashboard/webhooks/${webhook_id}`,
  }),
}

/** Makes a text fit a header line. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").slice(0, 150)

/** The message of a delivery's body, for people. */
export const buildMessage = (
  body: string,
  baseUrl: string,
): { readonly id: string; readonly subject: string; readonly text: string } => {
  const { id, type, livemode, data } = JSON.parse(body) as Wire
  const { subject, text, path } = (words[type] as (data: Wire["data"]) => Words)(data)
  return {
    id,
    subject: oneLine(livemode ? subject : `[Test] ${subject}`),
    text: `${text}\n\n${baseUrl}${path}\n\nYou get this message because e-mail of events is on: ${baseUrl}/dashboard/webhooks\n`,
  }
}

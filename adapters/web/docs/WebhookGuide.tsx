/** @jsxRuntime automatic @jsxImportSource preact */
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Event from "../../../core/events/Event.ts"
import { standard } from "../../../core/events/retry.ts"
import { defaultOverlap, replayableEvents } from "../../../core/events/Webhooks.ts"
import { manageScope } from "../../../core/rights/Rights.ts"
import { hour, minute, second } from "../../../core/time.ts"
import type { Site } from "../../server/http/Site.ts"
import { timeoutMs } from "../../server/webhooks/client.ts"
import { page } from "../view/Page.tsx"
import { Code, Inline, Paragraphs } from "../view/parts.tsx"
import { path, snippets } from "./webhookDocs.ts"

const span = (ms: number): string => {
  const [size, unit] = ms >= hour ? [hour, "h"] : ms >= minute ? [minute, "min"] : [second, "s"]
  return `${Number((ms / size).toFixed(1))} ${unit}`
}

const retries = standard.offsetsMs.slice(1).map(span).join(", ")

/** The page for webhook receivers. */
export const webhookGuide = (site: Site): string =>
  page(
    { title: "Webhooks", description: "Events, how to verify them, and when they are delivered again.", path },
    site,
    <>
      <h1>Webhooks</h1>
      <p>
        We POST each event as JSON to every webhook subscribed to its type. Answer 2xx within {span(timeoutMs)}, then
        process.
      </p>
      <h2 id="events">Events</h2>
      <dl class="facts">
        {Event.types.map((type) => (
          <>
            <dt key={type} id={Endpoint.nameOf(type)}>
              <code>{type}</code>
            </dt>
            <dd>
              <Inline text={Event.meaningOf(type)} />
            </dd>
          </>
        ))}
      </dl>
      {(["agent.budget_warning", "wallet.low", "alert.fired"] as const).map((type) => (
        <Code key={type} text={JSON.stringify(Event.example(type), null, 2)} />
      ))}
      <Paragraphs
        text={`Amounts are micro-dollars. \`livemode\` is false for test keys and test events.

Alerts and webhooks are made on the dashboard, or with a live key whose scopes include \`${manageScope}\`: \`POST\`, \`GET\` and \`DELETE\` of \`/v1/alerts\` and \`/v1/webhooks\`, free, also as tools. Without a URL of your own, \`GET /v1/alerts/events\` is a stream of the same bodies for any live key.

Reserved and never sent: ${Event.reserved.map((name) => `\`${name}\``).join(", ")}.`}
      />
      <h2 id="verify">Verify a delivery</h2>
      <Paragraphs text="`X-Service-Signature` is the HMAC-SHA256 of the raw body in lowercase hex. The key is the secret as it was shown, `whsec_` included, as UTF-8. Compare in constant time, before parsing the body." />
      {Object.entries(snippets).map(([language, text]) => (
        <section key={language}>
          <h3>{language}</h3>
          <Code text={text} />
        </section>
      ))}
      <Paragraphs
        text={`Standard Webhooks headers are sent too: \`webhook-id\`, \`webhook-timestamp\` (seconds), \`webhook-signature\`. Standard Webhooks libraries accept the secret as shown. To stop replays, reject timestamps more than 5 minutes from your clock.

For ${span(defaultOverlap)} after a rotation (or the overlap you chose) \`webhook-signature\` has two signatures, new and old, separated by a space. \`X-Service-Signature\` switches to the new secret at once.`}
      />
      <h2 id="delivery">Delivery</h2>
      <Paragraphs
        text={`Every event is delivered at least once. The \`id\` is the same on every delivery: skip ids you have processed. Order is not guaranteed.

Failed deliveries are retried ${retries} after the first attempt (±${standard.jitter * 100} % jitter), with the same body. Then they are kept as failed; an operator can replay the account's last ${replayableEvents} events.

An attempt times out after ${span(timeoutMs)}. Redirects are failures. \`Retry-After\` is honoured within ${span(standard.windowMs)} of the first attempt. 410 Gone disables the webhook.

URLs must be https on port 443 or 8443 and resolve to public addresses.`}
      />
    </>,
  )

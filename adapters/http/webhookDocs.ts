import * as Event from "../../core/events/Event.ts"
import { standard } from "../../core/events/retry.ts"
import { defaultOverlap, replayable } from "../../core/events/Webhooks.ts"
import { hour, minute, second } from "../../core/time.ts"
import { timeoutMs } from "../webhooks/client.ts"
import * as Wire from "./wire.ts"

export const path = "/docs/webhooks"

const node = `import { createHmac, timingSafeEqual } from "node:crypto"

// rawBody: the bytes as they arrived, before any JSON parser. header: X-Service-Signature.
export const isGenuine = (rawBody, header, secret) => {
  const expected = createHmac("sha256", secret).update(rawBody).digest()
  const given = Buffer.from(header, "hex")
  return given.length === expected.length && timingSafeEqual(given, expected)
}
`

const python = `import hashlib
import hmac


# raw_body: the bytes as they arrived. header: X-Service-Signature.
def is_genuine(raw_body: bytes, header: str, secret: str) -> bool:
    expected = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), header.encode())
`

const go = `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// IsGenuine takes the body as it arrived and the header X-Service-Signature.
func IsGenuine(rawBody []byte, header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	given, err := hex.DecodeString(header)
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}
`

// Hashes are compared, so that the time reveals nothing about the signature.
const shell = `#!/bin/sh
# verify.sh BODY_FILE SIGNATURE, with the secret in WEBHOOK_SECRET. Exit code 0: genuine.
expected=$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r "$1" | cut -d ' ' -f 1)
digest() { printf '%s' "$1" | openssl dgst -sha256 -r; }
[ "$(digest "$expected")" = "$(digest "$2")" ]
`

/** Verification of a delivery, by language. */
export const snippets = { Node: node, Python: python, Go: go, Shell: shell } as const

const span = (ms: number): string => {
  const [size, unit] = ms >= hour ? [hour, "h"] : ms >= minute ? [minute, "min"] : [second, "s"]
  return `${Number((ms / size).toFixed(1))} ${unit}`
}

const paragraphs = (...texts: ReadonlyArray<string>): string =>
  texts.map((text) => `<p>${Wire.html(text)}</p>`).join("\n")
const code = (text: string): string => `<pre><code>${Wire.escape(text)}</code></pre>`
const items = (rows: ReadonlyArray<readonly [string, string]>): string =>
  `<dl>${rows.map(([name, text]) => `<dt><code>${name}</code></dt><dd>${Wire.html(text)}</dd>`).join("\n")}</dl>`

/** The page for webhook receivers. */
export const page = Wire.page(
  "Webhooks",
  [
    "<h1>Webhooks</h1>",
    paragraphs(
      `We POST each event as JSON to every webhook subscribed to its type. Answer 2xx within ${span(timeoutMs)}, then process.`,
    ),
    "<h2>Events</h2>",
    items(Event.types.map((type) => [type, Event.meanings[type]])),
    code(JSON.stringify(Event.example("agent.budget_warning"), null, 2)),
    paragraphs(
      "Amounts are micro-dollars. `livemode` is false for test keys and test events.",
      `Reserved and never sent: ${Event.reserved.map((name) => `\`${name}\``).join(", ")}.`,
    ),
    "<h2>Verify a delivery</h2>",
    paragraphs(
      "`X-Service-Signature` is the HMAC-SHA256 of the raw body in lowercase hex. The key is the secret as it was shown, `whsec_` included, as UTF-8. Compare in constant time, before parsing the body.",
    ),
    ...Object.entries(snippets).map(([language, text]) => `<h3>${language}</h3>\n${code(text)}`),
    paragraphs(
      "Standard Webhooks headers are sent too: `webhook-id`, `webhook-timestamp` (seconds), `webhook-signature`. Standard Webhooks libraries accept the secret as shown. To stop replays, reject timestamps more than 5 minutes from your clock.",
      `For ${span(defaultOverlap)} after a rotation (or the overlap you chose) \`webhook-signature\` has two signatures, new and old, separated by a space. \`X-Service-Signature\` switches to the new secret at once.`,
    ),
    "<h2>Delivery</h2>",
    paragraphs(
      "Every event is delivered at least once. The `id` is the same on every delivery: skip ids you have processed. Order is not guaranteed.",
      `Failed deliveries are retried ${standard.offsetsMs
        .slice(1)
        .map(span)
        .join(
          ", ",
        )} after the first attempt (±${standard.jitter * 100} % jitter), with the same body. Then they are dead-lettered; an operator can replay the account's last ${replayable} events.`,
      `An attempt times out after ${span(timeoutMs)}. Redirects are failures. \`Retry-After\` is honoured within ${span(standard.windowMs)} of the first attempt. 410 Gone disables the webhook.`,
      "URLs must be https on port 443 or 8443 and resolve to public addresses.",
    ),
  ].join("\n"),
)

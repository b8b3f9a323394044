/**
 * The double of Stripe as a program: PORT (or any), STRIPE_SECRET_KEY, and WEBHOOK_URL with STRIPE_WEBHOOK_SECRET for the
 * endpoint, which `POST /double/endpoint` sets too. Says its address in one line.
 */
import { stripeHost, testKey } from "./host.ts"

const { PORT = "0", STRIPE_SECRET_KEY: key = testKey, WEBHOOK_URL: url, STRIPE_WEBHOOK_SECRET: secret } = process.env

const host = await stripeHost({
  key,
  port: Number(PORT),
  ...(url === undefined || secret === undefined ? {} : { endpoint: { url, secret } }),
})
process.stdout.write(`${host.url}\n`)

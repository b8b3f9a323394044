import type { Session } from "./objects.ts"

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The page on which a payer pays: buttons in place of cards. */
export const page = (session: Session, note = ""): string => {
  const { amount_total: cents, currency, cancel_url: back } = session
  const form =
    session.status === "open"
      ? `<form method="post">
<button name="act" value="pay">Pay</button>
<button name="act" value="later">Pay later</button>
<button name="act" value="decline">Fail</button>
</form>${back === null ? "" : `<p><a href="${escaped(back)}">Back</a></p>`}`
      : `<p>This page is ${session.status === "expired" ? "expired" : "paid"}.</p>`
  return `<!doctype html>
<html lang="en">
<title>Checkout</title>
<main>
<h1>Pay ${(cents / 100).toFixed(2)} ${escaped(currency.toUpperCase())}</h1>
<p role="status">${escaped(note)}</p>
${form}
</main>
</html>
`
}

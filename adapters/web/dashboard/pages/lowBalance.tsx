/** @jsxRuntime automatic @jsxImportSource preact */
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { accountVerbs } from "../../../admin/accountVerbs.ts"
import { runs } from "../actions.ts"
import { Fields, Form } from "../Form.tsx"
import type { Action, Visit } from "../Page.ts"
import { usd } from "../parts.tsx"

const { walletThreshold } = accountVerbs

/** The name of the form, by which a refused one is shown again. */
const action = "threshold"

/**
 * The threshold of the event `wallet.low`, and the form that changes it.
 *
 * @param micros undefined: none
 */
export const LowBalance = ({ visit, micros }: { readonly visit: Visit; readonly micros: number | undefined }) => {
  const mayChange = isAllowed(walletThreshold, visit.actor)
  return (
    <section>
      <h2>Low balance</h2>
      <p>
        {micros === undefined ? (
          "No threshold is set."
        ) : (
          <>
            When the balance falls below <strong>{usd(micros)}</strong>, subscribed{" "}
            <a href="/dashboard/webhooks">webhooks</a> get the event <code>wallet.low</code>.
            {mayChange && " An empty field removes the threshold."}
          </>
        )}
      </p>
      {mayChange && (
        <Form visit={visit} action={action} button="Set threshold">
          <Fields
            visit={visit}
            action={action}
            verb={walletThreshold}
            values={{ threshold_micros: micros === undefined ? undefined : String(micros / 1e6) }}
          />
        </Form>
      )}
    </section>
  )
}

/** @param to the page that shows it */
export const lowBalanceActions = (to: string): Readonly<Record<string, Action>> => ({
  [action]: runs(walletThreshold, () => ({ to })),
})

/** @jsxRuntime automatic @jsxImportSource preact */
import { demoKey } from "../../../core/account/ApiKey.ts"
import type { Site } from "../../server/http/Site.ts"
import { pageScript } from "../view/assets.ts"
import { page } from "../view/Page.tsx"
import { Code } from "../view/parts.tsx"

export const path = "/get-a-key"

/** Who runs a service, and on what terms: URIs; what is absent is not linked. */
export type Operator = Partial<Readonly<Record<"support" | "terms" | "privacy", string>>>

export interface GetKeyOptions {
  readonly baseUrl: string
  readonly operator?: Operator
  /** The provider at which people sign in; `isOpen`: whoever it knows gets an account. */
  readonly signIn?: { readonly host: string; readonly isOpen: boolean }
}

const Support = ({ operator: { support } = {} }: GetKeyOptions) =>
  support === undefined ? (
    <>the operator of this server</>
  ) : (
    <a href={support}>{support.replace(/^(mailto|tel):/, "")}</a>
  )

const Account = (options: GetKeyOptions) => {
  const { signIn } = options
  return (
    <section class="card">
      <h2>Your own key</h2>
      {signIn === undefined ? (
        <p>
          Real data needs an account with a prepaid balance. Accounts are made by <Support {...options} />: write to
          them and you get a sign-in link.
        </p>
      ) : (
        <>
          <p>
            Real data needs an account with a prepaid balance.
            {!signIn.isOpen && (
              <>
                {" "}
                Accounts are by invitation: ask <Support {...options} />.
              </>
            )}
          </p>
          <p>
            <a class="button" href="/dashboard/oidc/begin?return_to=%2Fdashboard%2Fkeys%2Fnew">
              Continue with {signIn.host}
            </a>
          </p>
        </>
      )}
      <p class="soft">
        You have an account? <a href="/dashboard/keys/new">Sign in and create a key</a>.
      </p>
    </section>
  )
}

/** How one gets a key: now, for sample data; and one's own. */
export const getKeyPage = (options: GetKeyOptions, site: Site): string =>
  page(
    {
      title: "Get a key",
      description: "A demo key to try the API now, and how to get your own.",
      path,
      script: pageScript,
    },
    site,
    <>
      <h1>Get a key</h1>
      <p class="lead">Try it with the demo key now. For real data you need a key of your own.</p>
      <div class="columns">
        <section class="card">
          <h2>Demo key</h2>
          <p>Free, no account. It answers sample data.</p>
          <Code text={demoKey} />
          <Code
            text={`curl -H "Authorization: Bearer ${demoKey}" "${options.baseUrl}/v1/weather/signal?station=KNYC"`}
            lang="sh"
          />
        </section>
        {site.served("/dashboard") && <Account {...options} />}
      </div>
      <details>
        <summary>I run this server</summary>
        <p>
          The first start printed a key and a sign-in link. For other people, create an account, give it a balance, and
          send them a link, which works once, for 10 minutes:
        </p>
        <Code
          text={[
            "market-signals account create --name acme",
            "market-signals wallet credit --account acme --usd 5",
            "market-signals dashboard link --account acme",
          ].join("\n")}
          lang="sh"
        />
        <p>
          <code>SUPPORT_CONTACT</code>, <code>TERMS_URL</code> and <code>PRIVACY_URL</code> are shown here and at the
          foot of every page.
        </p>
      </details>
    </>,
  )

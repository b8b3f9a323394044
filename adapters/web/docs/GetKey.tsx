/** @jsxRuntime automatic @jsxImportSource preact */
import { demoKey } from "../../../core/account/ApiKey.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import { charge } from "../../../core/endpoint/Endpoint.ts"
import { getKeyPath } from "../../describe/paths.ts"
import type { Site } from "../../server/http/Site.ts"
import { pageScript } from "../view/assets.ts"
import { page } from "../view/Page.tsx"
import { Code, Samples } from "../view/parts.tsx"
import { addressOfRun } from "./reference/running.ts"
import { chooseShown, makeSamples } from "./reference/samples.ts"

/** Who runs a service, and on what terms: URIs; what is absent is not linked. */
export type Operator = Partial<Readonly<Record<"support" | "terms" | "privacy", string>>>

export interface GetKeyOptions {
  readonly baseUrl: string
  readonly operator?: Operator
  /** The provider at which people sign in; `isOpen`: everybody with an identity there gets an account. */
  readonly signIn?: { readonly host: string; readonly isOpen: boolean }
}

const Support = ({ operator: { support } = {} }: GetKeyOptions) =>
  support === undefined ? (
    <>the operator of this server</>
  ) : (
    <a href={support}>{support.replace(/^(mailto|tel):/, "")}</a>
  )

/** The prices of calls that are not free, such as `0.1 to 1 cent`. */
export const paidRange = (catalogue: Catalogue.Any): string => {
  const cents = Catalogue.live(catalogue).flatMap(({ endpoint }) => {
    const price = charge(endpoint)
    return price > 0 ? [price / 1e4] : []
  })
  const [low, high] = [Math.min(...cents), Math.max(...cents)]
  return cents.length === 0 ? "0 cent" : low === high ? `${low} cent` : `${low} to ${high} cent`
}

const Account = ({ catalogue, ...options }: GetKeyOptions & { readonly catalogue: Catalogue.Any }) => {
  const { signIn, operator } = options
  return (
    <section class="card">
      <h2>Live key</h2>
      <p>This server's data, {paidRange(catalogue)} a call from a prepaid balance.</p>
      <ol>
        <li>
          {signIn?.isOpen === true ? (
            <>Sign in with {signIn.host}: it makes your account.</>
          ) : (
            <>
              Ask <Support {...options} /> for an account: you get{" "}
              {signIn === undefined ? "a sign-in link" : "an invitation"}.
            </>
          )}
        </li>
        <li>Top up its balance.</li>
        <li>Create a key, with a spending cap for each program.</li>
      </ol>
      <p class="actions">
        {operator?.support !== undefined && signIn?.isOpen !== true && (
          <a class="button" href={operator.support}>
            Ask for an account
          </a>
        )}
        {signIn === undefined ? (
          <a class="button plain" href="/dashboard/keys/new">
            Sign in
          </a>
        ) : (
          <a class="button" href="/dashboard/oidc/begin?return_to=%2Fdashboard%2Fkeys%2Fnew">
            Continue with {signIn.host}
          </a>
        )}
      </p>
      <details>
        <summary>I run this server</summary>
        <p>Create an account, give it a balance, and send its owner a link, which works once, for 10 minutes:</p>
        <Code
          text={[
            "market-signals account create --name acme",
            "market-signals wallet credit --account acme --usd 5",
            "market-signals dashboard link --account acme",
          ].join("\n")}
          lang="sh"
        />
      </details>
    </section>
  )
}

/** How one gets a key: now, for sample data; and one's own. */
export const getKeyPage = (options: GetKeyOptions, site: Site, catalogue: Catalogue.Any): string => {
  const call = chooseShown(catalogue)
  return page(
    {
      title: "Get a key",
      description: "A demo key to try the API now, and how to get your own.",
      path: getKeyPath,
      script: pageScript,
    },
    site,
    <>
      <h1>Get a key</h1>
      <p class="lead">Try it now with the demo key, then create a live key.</p>
      <div class="columns">
        <section class="card">
          <h2>Demo key</h2>
          <p>Free, no account. It answers sample data.</p>
          <Code text={demoKey} />
          {call !== undefined && (
            <>
              <Samples id={call.id} samples={makeSamples(call, options.baseUrl, demoKey)} />
              <p>
                <a class="button" href={addressOfRun(catalogue, call, call.example as typeof call.params)}>
                  Run it here
                </a>
              </p>
            </>
          )}
        </section>
        {site.served("/dashboard") && <Account {...options} catalogue={catalogue} />}
      </div>
    </>,
  )
}

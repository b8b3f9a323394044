/** @jsxRuntime automatic @jsxImportSource preact */
import type { Failure } from "../../../core/Failure.ts"
import { getKeyPath } from "../../describe/paths.ts"
import type { View } from "./Page.ts"
import { paths, withReturn } from "./signIn.ts"

export const path = "/dashboard/enter"

/** The way in through an identity provider. */
const ThroughProvider = ({ provider, to }: { readonly provider: string; readonly to: string }) => (
  <>
    <p>
      <a class="button" href={withReturn(paths.begin, to)}>
        Sign in with {provider}
      </a>
    </p>
    <details>
      <summary>I have an invitation</summary>
      <form method="post" action={withReturn(paths.begin, to)} class="stacked">
        <div class="field">
          <label for="invitation">Invitation link</label>
          <input id="invitation" name="code" type="text" required autocomplete="off" spellcheck={false} />
        </div>
        <button type="submit">Continue to {provider}</button>
      </form>
    </details>
    <h2>With a link</h2>
  </>
)

/**
 * The sign-in page. The code of a link is in its fragment, which no server sees: script fills it in, else it is pasted,
 * alone or with the whole link.
 *
 * @param to the page to go on to
 * @param isUnsent a form was sent after its session had ended
 */
export const enterView = (
  script: string,
  to: string,
  provider: string | undefined,
  failure?: Failure,
  isUnsent = false,
): View => ({
  title: "Sign in",
  body: (
    <>
      {isUnsent && (
        <p class="notice">
          <strong>Your session has ended, and your form was not sent.</strong> To copy what you typed, go back in your
          browser before you sign in.
        </p>
      )}
      {provider !== undefined && <ThroughProvider provider={provider} to={to} />}
      <p>
        Paste your sign-in link. It works once, for 10 minutes. No account? <a href={getKeyPath}>Get a key</a>.
      </p>
      <form method="post" action={path} class="stacked" id="enter">
        <input type="hidden" name="return_to" value={to} />
        <div class="field">
          <label for="code">Sign-in link</label>
          <input
            id="code"
            name="code"
            type="text"
            required
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            aria-describedby="code-help"
            {...(failure === undefined ? {} : { "aria-invalid": "true" as const, autofocus: true })}
          />
          <small id="code-help">The whole link, or the part after #.</small>
          {failure !== undefined && (
            <span class="error" role="alert">
              {failure.hints?.map(({ suggestion }) => suggestion).join(" ") ?? failure.message}
            </span>
          )}
        </div>
        <button type="submit">Sign in</button>
      </form>
      <details>
        <summary>I run this server</summary>
        <p>
          Use the sign-in link printed when the server first started, or make one:{" "}
          <code>market-signals dashboard link --account NAME</code> (from a checkout:{" "}
          <code>npm run cli -- dashboard link --account NAME</code>).
        </p>
      </details>
      <script src={script} type="module" />
    </>
  ),
})

/** On the way to the provider, with an invitation. */
export const goOnView = (provider: string, url: string): View => ({
  title: "Sign in",
  body: (
    <p>
      <a class="button" href={url}>
        Sign in with {provider}
      </a>
    </p>
  ),
})

export const offView = (baseUrl: string): View => ({
  title: "The dashboard is off at this address",
  body: (
    <p>
      A session's cookie would be readable on its way. Open the dashboard on <code>localhost</code> or on{" "}
      <code>127.0.0.1</code>, or serve it over https and set <code>BASE_URL</code> to its address. At the moment that is{" "}
      <code>{baseUrl}</code>.
    </p>
  ),
})

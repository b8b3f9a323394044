/** @jsxRuntime automatic @jsxImportSource preact */
import { type Code, codeNames, codes } from "../../../core/Failure.ts"
import { nextCall, retryAdvice } from "../../describe/nextCall.ts"
import { errorPath, errorsPath } from "../../describe/paths.ts"
import type { Site } from "../../server/http/Site.ts"
import { page } from "../view/Page.tsx"
import { Facts, Inline, Table } from "../view/parts.tsx"

/** Errors by what a caller does about them, in the order of a call. */
const groups: ReadonlyArray<readonly [title: string, is: (status: number) => boolean]> = [
  ["Key and rights", (status) => status === 401 || status === 403],
  ["Request", (status) => [400, 404, 405, 406, 408, 409, 410, 413, 414, 422, 431].includes(status)],
  ["Money and limits", (status) => status === 402 || status === 429],
  ["Service", (status) => status >= 500],
]

/** Every code belongs to a group: a code that no group names is a fault of the request. */
const groupOf = (code: Code): string => groups.find(([, is]) => is(codes[code].status))?.[0] ?? "Request"

export const errorIndex = (site: Site): string =>
  page(
    { title: "Errors", description: "Every error code, its meaning and what to do about it.", path: errorsPath },
    site,
    <>
      <h1>Errors</h1>
      <p>
        An error is JSON: <code>error.code</code> is one of these, <code>error.hints</code> says what to change. Failed
        calls are free.
      </p>
      {groups.map(([title]) => (
        <section key={title} class="listing">
          <h2>{title}</h2>
          <Table
            caption={title}
            columns={["Code", "Status", "Retry", "Meaning"]}
            rows={codeNames
              .filter((code) => groupOf(code) === title)
              .map((code) => [
                <a key={code} href={errorPath(code)}>
                  {code}
                </a>,
                codes[code].status,
                retryAdvice(code),
                <Inline key={code} text={codes[code].message} />,
              ])}
          />
        </section>
      ))}
    </>,
  )

/** The page at `docs_url`. */
export const errorPage = (code: Code, site: Site): string => {
  const { status, recoverable, message, docs } = codes[code]
  const next = nextCall(code)
  return page(
    { title: code, description: message.replaceAll("`", ""), path: errorPath(code) },
    site,
    <>
      <p>
        <a href={errorsPath}>Errors</a>
      </p>
      <h1>
        <code>{code}</code>
      </h1>
      <p class="lead">
        <Inline text={message} />
      </p>
      <p>
        <Inline text={docs} />
      </p>
      <Facts
        of={{
          "HTTP status": status,
          Recoverable: recoverable ? `Yes. ${retryAdvice(code)}.` : "No: a person must act.",
          "Next call": <Inline text={`\`GET ${next.path}\`: ${next.why}. Free.`} />,
        }}
      />
    </>,
  )
}

/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { environments } from "../../../../core/account/ApiKey.ts"
import { display, usd } from "../../../../core/account/Money.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as decode from "../../../../core/endpoint/decode.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { change, fail, notFound } from "../../../../core/Failure.ts"
import type { Served } from "../../../../core/gateway/Served.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { fieldsOf, read } from "../../../admin/fields.ts"
import { groupDocsPath as referenceOf } from "../../../describe/paths.ts"
import * as Body from "../../../server/http/body.ts"
import { makeSamples } from "../../docs/reference/samples.ts"
import { Answer, readRefusal } from "../../docs/reference/Try.tsx"
import { playground, playgroundOf } from "../../view/addresses.ts"
import { Samples as Forms } from "../../view/parts.tsx"
import { Fields, Form, FormHead } from "../Form.tsx"
import { type AccountVisit, ofAccount, type Page, type View, type Visit } from "../Page.ts"
import { call, periodOf } from "../playground.ts"

/** A call that was made. */
interface Made {
  readonly served: Served
  readonly values: URLSearchParams
}

const isPosted = (endpoint: Endpoint.Any): boolean => Endpoint.methodOf(endpoint) === "POST"

/** The answer of a call and its charge. */
const Answered = ({ endpoint, made: { served, values } }: { readonly endpoint: Endpoint.Any; readonly made: Made }) => {
  const { _meta: { price, record } = {} } = served.body.toValue() as {
    readonly _meta?: { readonly price?: { readonly charged_micros: number }; readonly record?: string }
  }
  return (
    <Answer run={{ id: endpoint.id, values: Object.fromEntries(values), served }} isWhole>
      <h2>Answer</h2>
      <p role="status">
        <strong>{served.status}</strong>
        {served.status < 400 && !served.replayed && <>, charged {usd(price?.charged_micros ?? 0)}</>}
        {served.replayed && <>, the answer of this form, which was charged once</>}
        {served.status >= 400 && served.status !== 409 && <>, nothing charged</>} · request{" "}
        <code>{served.requestId}</code>
        {record !== undefined && (
          <>
            {" "}
            · <a href={record}>Verify its entry on the record</a>
          </>
        )}
      </p>
    </Answer>
  )
}

/** The call as programs make it, with the parameters that were sent. */
const Samples = ({
  endpoint,
  values,
  origin,
}: {
  readonly endpoint: Endpoint.Any
  readonly values: URLSearchParams | undefined
  readonly origin: string
}) => {
  const example = values === undefined || isPosted(endpoint) ? endpoint.example : read(fieldsOf(endpoint), values)
  return (
    <section>
      <h2>The same call from a program</h2>
      <Forms id={endpoint.id} samples={makeSamples({ ...endpoint, example }, origin)} />
    </section>
  )
}

const notObject = fail("invalid_request_body", { hints: [change("body", "Write one JSON object.")] })

/** The parameters of a form, as a client sends them: JSON in a body, text in a query. */
const readRaw = (
  endpoint: Endpoint.Any,
  values: URLSearchParams,
): Effect.Effect<decode.Raw, ReturnType<typeof fail>> => {
  if (isPosted(endpoint)) {
    const value = Either.getOrUndefined(Body.parseJson(Buffer.from(values.get("body") ?? "")))
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Effect.succeed({ _tag: "Json", value: value as Readonly<Record<string, unknown>> })
      : notObject
  }
  const given = Object.entries(read(fieldsOf(endpoint), values))
  return Effect.succeed({
    _tag: "Text",
    entries: given.map(([name, value]) => [name, String(value)] as const),
  })
}

/** The first values of a page's fields: those of the address, or else the example's. */
const initialValues = (endpoint: Endpoint.Any, query: URLSearchParams) => {
  const example = endpoint.example as Readonly<Record<string, unknown>>
  const isAsked = fieldsOf(endpoint).some(({ name }) => query.has(name))
  return Object.fromEntries(
    fieldsOf(endpoint).flatMap(({ name, kind }) => {
      const value = isAsked ? query.get(name) : example[name]
      if (value === undefined || value === null) return []
      const text = String(value)
      return [[name, kind._tag === "Choices" && kind.values.length > 0 ? text.split(",") : text] as const]
    }),
  )
}

/** A visit whose call was refused: the hints of the answer stand at the fields of the form. */
const refusedVisit = (visit: AccountVisit, made: Made | undefined): Visit => {
  const failure = made?.served.status === 400 ? readRefusal(made.served) : undefined
  return failure === undefined ? visit : { ...visit, sent: { action: "run", values: made!.values, failure } }
}

/** The form of a call, with the parameters that were sent and the price of a live call. */
const CallForm = ({
  visit,
  endpoint,
  values,
  price,
  balance,
}: {
  readonly visit: Visit
  readonly endpoint: Endpoint.Any
  readonly values: URLSearchParams | undefined
  readonly price: number
  readonly balance: number
}) => {
  const first =
    values === undefined
      ? initialValues(endpoint, visit.query)
      : Object.fromEntries([...new Set(values.keys())].map((name) => [name, values.getAll(name)]))
  const body = (values ?? visit.sent?.values)?.get("body") ?? JSON.stringify(endpoint.example, null, 2)
  const failure = visit.sent?.failure
  return (
    <form method="post" class="stacked">
      <FormHead visit={visit} action="run" />
      <input type="hidden" name="period" value={String(periodOf(visit.now))} />
      {failure !== undefined && (isPosted(endpoint) || failure.hints === undefined) && (
        <p class="error" role="alert">
          {failure.hints?.map(({ suggestion }) => suggestion).join(" ") ?? failure.message}
        </p>
      )}
      {isPosted(endpoint) ? (
        <div class="field">
          <label for="body">Body (JSON)</label>
          <textarea id="body" name="body" rows={12} spellcheck={false}>
            {body}
          </textarea>
        </div>
      ) : (
        <Fields visit={visit} action="run" verb={endpoint} values={first} />
      )}
      <div class="actions">
        <button type="submit" name="environment" value="test">
          Run, free (test)
        </button>
        <button type="submit" class="plain" name="environment" value="live" disabled={balance < price}>
          {price === 0 ? "Run, free (live)" : `Run for ${display(price)}`}
        </button>
      </div>
      <p class="soft">
        {balance < price ? (
          <>
            The wallet has {usd(balance)}: <a href="/dashboard/top-up">top it up</a> for a live call.
          </>
        ) : (
          <>
            Wallet {usd(balance)}, {usd(balance - price)} after a live call. Calls count against the caps of the agent{" "}
            <code>playground</code>: 1 USD a month, unless you have changed it.
          </>
        )}
      </p>
    </form>
  )
}

/** Asks before a call that is charged. The form of the call stays on the page with all that was typed. */
const Confirm = ({
  visit,
  values,
  price,
  balance,
}: Pick<Parameters<typeof CallForm>[0], "visit" | "price" | "balance"> & { readonly values: URLSearchParams }) => (
  <section class="notice" aria-label="Confirm">
    <p role="status">
      <strong>This call costs {display(price)}.</strong> Balance after this call: {usd(balance - price)}.
    </p>
    <Form
      // Sent twice, it is one call: the id is that of the form.
      visit={{ ...visit, formId: visit.actor.formId! }}
      action="run"
      button={`Spend ${display(price)}`}
      given={{
        ...Object.fromEntries(
          [...new Set(values.keys())].flatMap((name) =>
            ofForm.has(name) ? [] : [[name, values.getAll(name).join(",")]],
          ),
        ),
        [confirmed]: String(price),
      }}
    />
  </section>
)

/** Fields that every form has. */
const ofForm: ReadonlySet<string> = new Set(["form_token", "form_id", "action"])

/** Who may make calls here. */
const making = { leastRole: "owner", summary: "Make calls here" } as const

/** The field of a confirmed call: the price that the person has read, micro-dollars. */
const confirmed = "confirmed_micros"

/** Every endpoint, by lane, with its price. */
const indexPage = (catalogue: Catalogue.Any, entries: ReadonlyArray<Catalogue.Entry>) =>
  ofAccount({
    path: playground,
    label: "Playground",
    view: () =>
      Effect.succeed({
        title: "Playground",
        body: (
          <>
            <p>Make a call here. Test calls are free and answer sample data; the button of a live call is its price.</p>
            {catalogue.lanes.map(({ name }) => {
              const laneEntries = entries.filter(({ lane }) => lane.name === name)
              return laneEntries.length === 0 ? null : (
                <section key={name}>
                  <h2 class="lane">{name}</h2>
                  <ul>
                    {laneEntries.map(({ endpoint }) => (
                      <li key={endpoint.id}>
                        <a href={playgroundOf(endpoint.id)}>{endpoint.summary}</a>{" "}
                        <span class="soft">
                          <code>{endpoint.path}</code> {display(Endpoint.charge(endpoint))}
                        </span>
                      </li>
                    ))}
                  </ul>
                </section>
              )
            })}
          </>
        ),
      }),
  })

const Head = ({ endpoint, lane }: Pick<Catalogue.Entry, "endpoint" | "lane">) => (
  <p>
    <code>
      {Endpoint.methodOf(endpoint)} {endpoint.path}
    </code>{" "}
    · <a href={`${referenceOf(Endpoint.sectionOf(endpoint, lane))}#${endpoint.id}`}>Reference</a> ·{" "}
    <a href={playground}>All endpoints</a>
  </p>
)

/** The pages of the playground: a list of the endpoints, and a form for each. */
export const playgroundPages = (catalogue: Catalogue.Any): ReadonlyArray<Page> => {
  const entries = Catalogue.live(catalogue).filter(({ endpoint }) => !Endpoint.isKeyless(endpoint))

  const findEntry = ({ params }: Visit) => {
    const entry = entries.find(({ endpoint }) => endpoint.id === params["endpoint"])
    return entry === undefined ? notFound("There is no such endpoint.") : Effect.succeed(entry)
  }

  /** @param asked the form of a call that waits for a confirmation */
  const shown = (visit: AccountVisit, made?: Made, asked?: URLSearchParams) =>
    Effect.gen(function* () {
      const { endpoint, lane } = yield* findEntry(visit)
      const { balance } = yield* (yield* Accounts).balance(visit.account.id)
      const price = Endpoint.charge(endpoint)
      const values = made?.values ?? asked
      return {
        title: endpoint.summary,
        body: (
          <>
            <Head endpoint={endpoint} lane={lane} />
            {asked !== undefined && <Confirm visit={visit} values={asked} price={price} balance={balance} />}
            <div class="call">
              {made !== undefined && <Answered endpoint={endpoint} made={made} />}
              {isAllowed(making, visit.actor) && (
                <CallForm
                  visit={refusedVisit(visit, made)}
                  endpoint={endpoint}
                  values={values}
                  price={price}
                  balance={balance}
                />
              )}
              <Samples endpoint={endpoint} values={values ?? visit.sent?.values} origin={visit.origin} />
            </div>
          </>
        ),
      } satisfies View
    })

  const one = ofAccount({
    path: `${playground}/:endpoint`,
    about: findEntry,
    view: (visit) => shown(visit),
    actions: {
      run: {
        verb: making,
        run: (visit, values) =>
          Effect.gen(function* () {
            const entry = yield* findEntry(visit)
            const environment = environments.find((each) => each === values.get("environment")) ?? "test"
            const raw = yield* readRaw(entry.endpoint, values)
            const price = environment === "live" ? Endpoint.charge(entry.endpoint) : 0
            if (price > 0 && values.get(confirmed) !== String(price)) {
              yield* decode.compile(entry.endpoint)(raw, visit.now)
              return yield* shown(visit as AccountVisit, undefined, values)
            }
            const served = yield* call(visit, entry, raw, environment, Number(values.get("period")))
            // Whether a call that the store failed was charged is not known: pressed again, it is the same call.
            const again = served.status < 500 ? visit : { ...visit, formId: visit.actor.formId! }
            return yield* shown(again as AccountVisit, { served, values })
          }),
      },
    },
  })

  return [indexPage(catalogue, entries), one]
}

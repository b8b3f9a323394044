/** @jsxRuntime automatic @jsxImportSource preact */
import { renderToStaticMarkup } from "preact-render-to-string"
import { signed } from "../../../adapters/web/view/numbers.ts"
import { numeric, Table } from "../../../adapters/web/view/parts.tsx"
import { plot } from "../../../adapters/web/view/plot.tsx"
import { style } from "../../../adapters/web/view/style.ts"
import { count } from "../../../core/text.ts"
import { type Compared, type Comparison, levels, type Part } from "../compare/compare.ts"
import { figure, share, signedFigure, span, verdict } from "../compare/table.ts"
import { colours, differences, reliability } from "./pictures.tsx"

const reportStyle = `
:root { ${colours.light.map((colour, at) => `--who${at}: ${colour}`).join("; ")} }
@media (prefers-color-scheme: dark) { :root { ${colours.dark.map((colour, at) => `--who${at}: ${colour}`).join("; ")} } }
${colours.light.map((_, at) => `.who${at} { --mark: var(--who${at}) }`).join("\n")}
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem 2rem; margin: 1rem 0 }
`

const columns = [
  { name: "Forecasts by" },
  numeric("Mean"),
  numeric("95 %"),
  numeric("First − this"),
  numeric("95 % "),
  { name: "The first is" },
]

const Score = ({ measure, unit, better, rows, clusters, scores, differences }: Compared) => (
  <Table
    caption={`${measure}${unit === "" ? "" : `, ${unit}`}: ${count(rows)} rows in ${count(clusters)} clusters, ${better} is better`}
    columns={columns}
    rows={scores.map((score, at) => {
      const difference = at === 0 ? undefined : differences[at - 1]
      return [
        score.contender,
        signed(figure(score.value)),
        span(score, (value) => signed(figure(value))),
        ...(difference === undefined
          ? ["", "", ""]
          : [
              signed(signedFigure(difference.value)),
              span(difference, (value) => signed(signedFigure(value))),
              verdict(difference),
            ]),
      ]
    })}
  />
)

const Group = ({
  part: { group, cases, measures, reliability: bins, transforms },
  event,
}: {
  readonly part: Part
  readonly event: string
}) => {
  const shown = measures.filter(({ scores }) => scores.length > 0)
  return (
    <section>
      <h2>{group}</h2>
      <p>{`${count(cases)} questions`}</p>
      <div class="pictures">
        {shown
          .filter((compared) => compared.differences.length > 0)
          .map(({ measure, unit, better, differences: rows, scores }) => {
            const title = `${measure}${unit === "" ? "" : `, ${unit}`}: ${scores[0]!.contender} minus each other`
            return plot(differences(scores[0]!.contender, title, better, rows))
          })}
        {bins.length > 0 && plot(reliability(bins, event))}
      </div>
      {shown.map((compared) => (
        <Score key={compared.measure} {...compared} />
      ))}
      {transforms.length > 0 && (
        <Table
          caption="Outcomes within the central intervals of the laws, and by tenth of the law (PIT)"
          columns={[
            { name: "Forecasts by" },
            numeric("Forecasts"),
            ...levels.map((level) => numeric(`${100 * level} %`)),
            ...transforms[0]!.pit.map((_, at) => numeric(`.${at}–${at === 9 ? "1" : `.${at + 1}`}`)),
          ]}
          rows={transforms.map(({ contender, forecasts, pit, coverage }) => [
            contender,
            count(forecasts),
            ...[...coverage, ...pit].map(share),
          ])}
        />
      )}
    </section>
  )
}

/** The whole comparison as one HTML file: no script, nothing from elsewhere. */
export const page = (
  { lane, event, inputs, bootstrap, contenders, cases, parts }: Comparison,
  command: string,
): string => {
  const title = `Bench of ${lane}: ${contenders[0]!.name} and ${contenders.length - 1} others`
  return `<!doctype html>${renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: style + reportStyle }} />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          <p>
            {`${count(cases)} questions. For each score, all forecasters are compared on the rows that every one of them answered, each with the information of the question's time. An interval that includes 0 shows no difference.`}
          </p>
          <Table
            caption="Forecasters"
            columns={["Name", "Kind", "Version", numeric("Forecasts")]}
            rows={contenders.map(({ name, kind, version, answered }) => [name, kind, version ?? "", count(answered)])}
          />
          {parts
            .filter((part) => part.cases > 0)
            .map((part) => (
              <Group key={part.group} part={part} event={event} />
            ))}
          <h2>How to repeat it</h2>
          <pre>{command}</pre>
          <p>{`Intervals of 95 % by the cluster bootstrap, ${bootstrap.replicates} rounds, seed ${bootstrap.seed}.`}</p>
          <Table
            caption="Files"
            columns={["File", numeric("Rows"), "SHA-256"]}
            rows={inputs.map(({ name, rows, sha256 }) => [name, count(rows), <code key={name}>{sha256}</code>])}
          />
        </main>
      </body>
    </html>,
  )}`
}

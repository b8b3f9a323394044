/** @jsxRuntime automatic @jsxImportSource preact */
import { Fragment } from "preact"

const marks = /`([^`]*)`|\*\*([^*]+)\*\*/g

/** A sentence in which backticks become code and double asterisks bold. */
export const Inline = ({ text }: { readonly text: string }) => {
  const found = [...text.matchAll(marks)]
  const starts = [0, ...found.map((match) => match.index + match[0].length)]
  return (
    <>
      {starts.map((start, at) => {
        const match = found[at]
        return (
          <Fragment key={start}>
            {text.slice(start, match?.index)}
            {match?.[1] !== undefined && <code>{match[1]}</code>}
            {match?.[2] !== undefined && <strong>{match[2]}</strong>}
          </Fragment>
        )
      })}
    </>
  )
}

/** Paragraphs, separated by empty lines. */
export const Paragraphs = ({ text }: { readonly text: string }) => (
  <>
    {text.split("\n\n").map((each) => (
      <p key={each}>
        <Inline text={each} />
      </p>
    ))}
  </>
)

/** A block of code, whose long lines wrap; a long one scrolls by itself. */
export const Code = ({ text, isLong = false }: { readonly text: string; readonly isLong?: boolean }) => {
  const block = (
    <pre>
      <code>{text}</code>
    </pre>
  )
  return isLong ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the keyboard's focus
    <section class="long" tabIndex={0} aria-label="Example">
      {block}
    </section>
  ) : (
    block
  )
}

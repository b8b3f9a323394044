import type { Streams, Terminal } from "../../services/progress.ts"

/** A terminal that keeps what it is sent, and what a person would see of it. */
export const fakeTerminal = (columns: number | undefined) => {
  let text = ""
  const stream = (isTTY: boolean): Terminal => ({
    isTTY,
    ...(columns === undefined ? {} : { columns }),
    write: (piece: string) => {
      text += piece
      return true
    },
  })
  const streams: Streams = { stdout: stream(true), stderr: stream(true) }
  return { streams, text: () => text, screen: () => screenOf(text) }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of a terminal are what is read
const piece = /\r|\n|\u001b\[K|[^\r\n\u001b]+/g

/** The lines on the screen, without blanks at their ends: a carriage return begins the line anew, `ESC [K` clears its rest. */
export const screenOf = (text: string): ReadonlyArray<string> => {
  const lines = [""]
  let at = 0
  for (const [found] of text.matchAll(piece)) {
    const line = lines.at(-1)!
    if (found === "\n") {
      lines.push("")
      at = 0
    } else if (found === "\r") at = 0
    else if (found === "\u001b[K") lines[lines.length - 1] = line.slice(0, at)
    else {
      lines[lines.length - 1] = line.slice(0, at) + found + line.slice(at + found.length)
      at += found.length
    }
  }
  return lines.map((line) => line.trimEnd())
}

/** Runs work whose process has terminals; all that was written to them. */
export const onTerminal = async <A>(
  work: () => Promise<A>,
  environment: Readonly<Record<string, string | undefined>> = { NO_COLOR: undefined },
): Promise<{ readonly value: A; readonly text: string }> => {
  const { streams, text } = fakeTerminal(200)
  const kept = { ...process.env }
  const undo = (["stdout", "stderr"] as const).map((name) => {
    const stream = process[name] as unknown as Terminal
    const own = Object.getOwnPropertyDescriptors(stream)
    const put = (key: "isTTY" | "columns" | "write") =>
      Object.defineProperty(stream, key, { value: streams[name][key], configurable: true, writable: true })
    for (const key of ["isTTY", "columns", "write"] as const) put(key)
    return () => {
      for (const key of ["isTTY", "columns", "write"] as const) {
        const before = own[key]
        if (before === undefined) delete (stream as unknown as Record<string, unknown>)[key]
        else Object.defineProperty(stream, key, before)
      }
    }
  })
  try {
    for (const [name, value] of Object.entries(environment)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    return { value: await work(), text: text() }
  } finally {
    for (const each of undo) each()
    process.env = kept
  }
}

import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { completions } from "../../../services/cli/completions.ts"
import { root } from "../../../services/cli/root.ts"

/** The words that bash offers behind a line. */
const offered = (line: string): ReadonlyArray<string> => {
  const words = ["market-signals", ...line.split(" ")]
  const quoted = words.map((word) => `'${word}'`).join(" ")
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _market_signals; echo "\${COMPREPLY[@]}"`
  return execFileSync("bash", ["-c", `${completions(root, "bash")}\n${ask}`], { encoding: "utf8" })
    .trim()
    .split(" ")
}

describe("completions of the command line", () => {
  it.each([
    ["ke", ["keys"]],
    ["keys r", ["rotate", "revoke"]],
    ["keys create --e", ["--env", "--expires"]],
    ["keys create --account me --env te", [""]],
    ["call weather_signal --stat", ["--station"]],
    ["--lo", ["--log-level"]],
  ])("of %j", (line, words) => {
    assert.sameMembers([...offered(line)], [...words])
  })

  it("name every command for fish, and load bash's for zsh", () => {
    assert.include(completions(root, "fish"), 'case " keys create *"')
    assert.match(completions(root, "zsh"), /^autoload .*bashcompinit\n_market_signals\(\)/)
  })
})

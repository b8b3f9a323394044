import { type Command, common } from "./parser.ts"

/** The words that may follow each command, deepest commands first, so that a shell's first match is the most specific. */
const following = (
  { commands, parameters }: Command,
  words: ReadonlyArray<string> = [],
): ReadonlyArray<readonly [words: ReadonlyArray<string>, next: ReadonlyArray<string>]> => [
  ...commands.flatMap((command) => following(command, [...words, command.name])),
  [
    words,
    [...commands, ...parameters, ...Object.values(common)].flatMap(({ name }) => (name.startsWith("<") ? [] : [name])),
  ],
]

/** A `case` for each command: its words, and what may follow them. */
const cases = (root: Command, line: (words: string, next: string) => string): string =>
  following(root)
    .map(([words, next]) => line(`${[" ", ...words.map((word) => `${word} `)].join("")}*`, next.join(" ")))
    .join("\n")

const bash = (root: Command, name: string): string => `_${name}() {
  local words=" " word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do words="$words$word "; done
  case "$words" in
${cases(root, (words, next) => `  "${words.slice(0, -1)}"*) words="${next}" ;;`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${root.name}`

const fish = (root: Command, name: string): string => `function _${name}
  switch " "(string join " " (commandline -opc)[2..-1])" "
${cases(root, (words, next) => `  case "${words}"\n    printf "%s\\n" ${next}`)}
  end
end
complete -c ${root.name} -a "(_${name})"`

export const completions = (root: Command, shell: "sh" | "bash" | "fish" | "zsh"): string => {
  const name = root.name.replaceAll("-", "_")
  if (shell === "fish") return fish(root, name)
  return shell === "zsh"
    ? `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bash(root, name)}`
    : bash(root, name)
}

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import {
  argument,
  choice,
  flag,
  integer,
  optional,
  repeated,
  text,
  withDefault,
} from "../../../services/cli/parameters.ts"
import { family, find, make, read } from "../../../services/cli/parser.ts"

/** The values that a line gives to a command with a parameter of each kind; or its error's message. */
const valuesOf = (line: string) => {
  let values: unknown
  const show = make(
    "show",
    "Show.",
    {
      nested: { name: text("name", "A name."), size: withDefault(integer("size", ""), 3) },
      color: optional(choice("color", ["red", "blue"], "")),
      isLoud: flag("loud", ""),
      first: argument("first"),
      others: repeated(argument("other")),
    },
    (given) =>
      Effect.sync(() => {
        values = given
      }),
  )
  const root = family("tool", "A tool.", [show])
  return Effect.gen(function* () {
    const found = yield* find(root, line.split(" "))
    yield* (yield* read(found)).run
    return values
  }).pipe(
    Effect.either,
    Effect.map(Either.mapLeft((error) => (typeof error === "string" ? error : (error as Error).message))),
    (effect) => effect as Effect.Effect<Either.Either<unknown, string>>,
  )
}

describe("a command line", () => {
  it.effect.each([
    ["show --name a x", { nested: { name: "a", size: 3 }, color: undefined, isLoud: false, first: "x", others: [] }],
    [
      "--log-level debug show x --size=-2 y --loud --color blue --name=a=b z",
      { nested: { name: "a=b", size: -2 }, color: "blue", isLoud: true, first: "x", others: ["y", "z"] },
    ],
    [
      "--log-level=debug show x --name a",
      { nested: { name: "a", size: 3 }, color: undefined, isLoud: false, first: "x", others: [] },
    ],
    [
      "show x --name --loud",
      { nested: { name: "--loud", size: 3 }, color: undefined, isLoud: false, first: "x", others: [] },
    ],
  ] as const)("%s gives its values", ([line, expected]) =>
    Effect.map(valuesOf(line), (values) => assert.deepStrictEqual(values, Either.right(expected))),
  )

  it.effect.each([
    ["show", "--name is required: A name.\n<first> is required."],
    [
      "show x --name a --size 1.5 --color green",
      '--size: expected a whole number; got "1.5".\n--color: expected red or blue; got "green".',
    ],
    ["show x --name a --name b", "--name is given more than once."],
    ["show x --name", "--name needs a value."],
    ["show x --name a --loud=false", "--loud takes no value: leave it out for no."],
    ["show x --name a --loud false", "--loud takes no value: leave it out for no."],
    ["show x --nam a", "tool show has no option --nam. Did you mean --name? See tool show --help."],
    ["show x -n a", "tool show has no option -n. See tool show --help."],
    ["shw", 'tool has no command "shw". Did you mean show? See tool --help.'],
  ] as const)("%s is refused", ([line, message]) =>
    Effect.map(valuesOf(line), (values) => assert.deepStrictEqual(values, Either.left(message))),
  )
})

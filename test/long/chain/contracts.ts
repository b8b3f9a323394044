import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Abi, Hex } from "viem"

/** The contracts of `Token.sol`, compiled. */
export const contracts = (): Readonly<
  Record<"Token" | "Hungry" | "Batch", { readonly abi: Abi; readonly code: Hex }>
> => {
  // Its compiler is 9 MB of JavaScript: loaded when it is needed.
  const solc: { compile: (input: string) => string } = createRequire(import.meta.url)("solc")
  const content = readFileSync(new URL("Token.sol", import.meta.url), "utf8")
  const { contracts, errors = [] } = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        sources: { "Token.sol": { content } },
        settings: { outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } }, evmVersion: "paris" },
      }),
    ),
  )
  const wrong = errors.find(({ severity }: { severity: string }) => severity === "error")
  if (wrong !== undefined) throw new Error(wrong.formattedMessage)
  const of = (name: string) => {
    const { abi, evm } = contracts["Token.sol"][name]
    return { abi, code: `0x${evm.bytecode.object}` as const }
  }
  return { Token: of("Token"), Hungry: of("Hungry"), Batch: of("Batch") }
}

import { readFileSync } from "node:fs"

/** test/fixtures/special-functions.json: arguments are doubles, values decimal strings of 22 digits. */
interface Reference {
  readonly normal: ReadonlyArray<{ x: number; cdf: string; sf: string; pdf: string }>
  readonly erfc: ReadonlyArray<{ x: number; erfcx: string | null }>
  readonly student_t: ReadonlyArray<{ nu: number; x: number; cdf: string; sf: string }>
  readonly normal_quantile: ReadonlyArray<{ p: number; x: string }>
  readonly student_t_quantile: ReadonlyArray<{ nu: number; p: number; x: string }>
  readonly crps_normal: ReadonlyArray<{ z: number; crps: string }>
  readonly crps_student_t: ReadonlyArray<{ nu: number; z: number; crps: string }>
}

export const reference: Reference = JSON.parse(
  readFileSync(new URL("../../fixtures/special-functions.json", import.meta.url), "utf8"),
)

/** |value / exact − 1|, or |value| where exact is 0. */
export const relative = (value: number, exact: string | number): number =>
  Number(exact) === 0 ? Math.abs(value) : Math.abs(value / Number(exact) - 1)

export const worst = (errors: Iterable<number>): number => Math.max(...errors)

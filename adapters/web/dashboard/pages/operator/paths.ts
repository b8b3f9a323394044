export const root = "/dashboard/operator"

/** The page of an account. */
export const accountPath = (id: string): string => `${root}/accounts/${id}`

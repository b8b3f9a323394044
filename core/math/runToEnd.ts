/** Runs work that is cut into steps to its end, without a pause. */
export const runToEnd = <A>(steps: Generator<unknown, A>): A => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

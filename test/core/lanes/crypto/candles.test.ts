import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import {
  findTapeContradiction,
  listGaps,
  measureDifference,
  type ReceivedCandle,
  validateCandles,
} from "../../../../core/lanes/crypto/candles.ts"

const candle = (minute: number, close = 100, changes: Partial<ReceivedCandle> = {}): ReceivedCandle => ({
  minute,
  high: close + 1,
  low: close - 1,
  close,
  volume: 2,
  ...changes,
})

const [nan, inf] = [Number.NaN, Number.POSITIVE_INFINITY]

describe("clean", () => {
  /** What is left of [100, 110) when the minute 110 is running: [minute, close]. */
  const left = (printed: ReadonlyArray<ReceivedCandle>, from = 100, to = 110, now = 110) =>
    Either.getOrThrow(validateCandles(printed, from, to, now)).map(({ minute, close }) => [minute, close])
  const refusal = (printed: ReadonlyArray<ReceivedCandle>, now = 110) =>
    Either.getOrThrow(Either.flip(validateCandles(printed, 100, 110, now)))

  const cases: ReadonlyArray<
    readonly [name: string, printed: ReadonlyArray<ReceivedCandle>, left: ReturnType<typeof left>]
  > = [
    ["nothing", [], []],
    [
      "in order",
      [candle(100, 5), candle(101, 6)],
      [
        [100, 5],
        [101, 6],
      ],
    ],
    [
      "newest first",
      [candle(102, 7), candle(101, 6), candle(100, 5)],
      [
        [100, 5],
        [101, 6],
        [102, 7],
      ],
    ],
    [
      "in no order",
      [candle(101, 6), candle(109, 7), candle(100, 5)],
      [
        [100, 5],
        [101, 6],
        [109, 7],
      ],
    ],
    ["rows before the start and from the end on", [candle(99), candle(100, 5), candle(110), candle(111)], [[100, 5]]],
    [
      "the same row twice",
      [candle(100, 5), candle(101, 6), candle(100, 5)],
      [
        [100, 5],
        [101, 6],
      ],
    ],
    [
      "a minute without trades",
      [candle(100, 5), candle(101, 5, { volume: 0 }), candle(102, 5)],
      [
        [100, 5],
        [102, 5],
      ],
    ],
    ["no trades beside trades", [candle(100, 5), candle(100, 6, { volume: 0 })], [[100, 5]]],
    ["a flat minute with trades", [candle(100, 5, { high: 5, low: 5 })], [[100, 5]]],
    [
      "the close at the high and at the low",
      [candle(100, 5, { high: 5 }), candle(101, 5, { low: 5 })],
      [
        [100, 5],
        [101, 5],
      ],
    ],
    [
      "the smallest price there is",
      [candle(100, Number.MIN_VALUE, { low: Number.MIN_VALUE })],
      [[100, Number.MIN_VALUE]],
    ],
    ["the largest", [candle(100, Number.MAX_VALUE)], [[100, Number.MAX_VALUE]]],
  ]
  for (const [name, printed, expected] of cases) {
    it(name, () => {
      assert.deepStrictEqual(left(printed), expected)
    })
  }

  const refused: ReadonlyArray<readonly [name: string, row: ReceivedCandle, reason: string]> = [
    ...[0, -0, -1, nan, inf, -inf].map((close) => [`a close of ${close}`, candle(101, close), "close|price"] as const),
    ...[0, -0, -1, nan, -inf].map((low) => [`a low of ${low}`, candle(101, 100, { low }), "price"] as const),
    ...[nan, inf, -inf].map((high) => [`a high of ${high}`, candle(101, 100, { high }), "price"] as const),
    ["a high of 0", candle(101, 100, { high: 0 }), "a high of 0 below its low of 99"],
    ...[-1, nan, inf, -inf].map(
      (volume) => [`a volume of ${volume}`, candle(101, 100, { volume }), `a volume of ${volume}`] as const,
    ),
    ...[100.5, 101 + 1e-9, nan, inf, -inf].map(
      (minute) => [`minute ${minute}`, candle(minute), "does not begin at a full minute"] as const,
    ),
    ["a high below the low", candle(101, 100, { high: 99, low: 101 }), "a high of 99 below its low of 101"],
    ["a close above the high", candle(101, 100, { high: 99.99 }), "a close of 100 outside 99 to 99.99"],
    ["a close below the low", candle(101, 100, { low: 100.01 }), "a close of 100 outside 100.01 to 101"],
    ["another close for a minute", candle(100, 100.5), "1970-01-01T01:40Z has two closes, 100"],
    ["a close a fifth higher", candle(101, 120.1), "the close of 1970-01-01T01:41Z is 120.1 after 100 at"],
    ["a close a fifth lower", candle(101, 83.3), "the close of 1970-01-01T01:41Z is 83.3 after 100 at"],
    ["a minute from two minutes ahead on", candle(112), "a candle of 1970-01-01T01:52Z is in the future"],
  ]
  for (const [name, row, reason] of refused) {
    it(`refuses an answer with ${name}, and says so`, () => {
      for (const rows of [
        [candle(100), row, candle(102)],
        [row, candle(102), candle(100)],
      ]) {
        assert.match(refusal(rows), new RegExp(reason))
      }
    })
  }

  it("refuses a jump over a short hole alone", () => {
    assert.match(refusal([candle(100), candle(109, 130)]), /130 after 100/)
    assert.deepStrictEqual(left([candle(100), candle(161, 130)], 100, 200, 200), [
      [100, 100],
      [161, 130],
    ])
  })

  it("drops the minute that is still running, also by a clock that is a little ahead of ours", () => {
    const printed = [candle(107), candle(108), candle(109), candle(110)]
    assert.deepStrictEqual(left(printed, 100, 110, 109), [
      [107, 100],
      [108, 100],
    ])
    assert.deepStrictEqual(left(printed, 100, 2_000, 110), [
      [107, 100],
      [108, 100],
      [109, 100],
    ])
  })

  it("has every field as printed", () => {
    const one = { minute: 100, high: 5.5, low: 4.25, close: 5, volume: 0.00000001 }
    assert.deepStrictEqual(Either.getOrThrow(validateCandles([one], 100, 101, 101)), [one])
  })

  const row = fc.record({
    minute: fc.integer({ min: 90, max: 111 }),
    high: fc.constantFrom(100, 101, 102),
    low: fc.constantFrom(98, 99, 100),
    close: fc.constantFrom(99.5, 100, 100, 100, 100),
    volume: fc.constantFrom(0, 1),
  })
  const rows = fc.array(row, { maxLength: 20 })
  const believed = ({ high, low, close, volume }: ReceivedCandle) => volume === 0 || (low <= close && close <= high)

  it("reads every row or none, in any order, and has nothing to do the second time", () => {
    let read = 0
    fc.assert(
      fc.property(rows, fc.integer(), (printed, turn) => {
        const found = validateCandles(printed, 95, 115, 110)
        const by = printed.length === 0 ? 0 : Math.abs(turn) % printed.length
        const closes = (of: typeof found) => Either.map(of, (all) => all.map(({ minute, close }) => [minute, close]))
        const turned = validateCandles([...printed.slice(by), ...printed.slice(0, by)], 95, 115, 110)
        assert.strictEqual(turned._tag, found._tag)
        if (Either.isLeft(found)) return
        read++
        assert.deepStrictEqual(closes(turned), closes(found))
        assert.isTrue(printed.every(believed))
        const expected = new Map(
          printed
            .filter(({ minute, volume }) => volume > 0 && minute >= 95 && minute < 110)
            .map(({ minute, close }) => [minute, close]),
        )
        assert.deepStrictEqual(
          found.right.map(({ minute, close }) => [minute, close]),
          [...expected].sort(([a], [b]) => a - b),
        )
        assert.deepStrictEqual(validateCandles(found.right, 95, 115, 110), found)
      }),
      { numRuns: 1_000 },
    )
    assert.isAbove(read, 100)
  })
})

describe("an answer that is to continue the tape", () => {
  const tape = Array.from({ length: 15 }, (_, at) => ({ minute: 100 + at, close: 100 + at / 10 }))
  const again = tape.map(({ minute, close }) => candle(minute, close))
  const cases: ReadonlyArray<
    readonly [what: string, answer: ReadonlyArray<ReceivedCandle>, reason: string | undefined]
  > = [
    ["the stored minutes again, and the next", [...again, candle(115, 101.5)], undefined],
    ["a close that was corrected", again.map((one) => (one.minute === 113 ? candle(113, 101.31) : one)), undefined],
    ["nothing", [], "no candle for 15 minutes that it had before"],
    ["another day", [candle(115, 101.5)], "candles for only 0 of 15 minutes that it had before"],
    [
      "rows that are shifted by a minute",
      tape.map(({ minute, close }) => candle(minute + 1, close)),
      "another close in 14 of 14 minutes that it had before",
    ],
    ["a next close that is half as high again", [...again, candle(115, 152)], "the close of .* is 152 after 101.4 at"],
  ]
  for (const [what, answer, reason] of cases) {
    it(`${reason === undefined ? "is taken" : "is refused"}: ${what}`, () => {
      const found = findTapeContradiction(answer, tape, 116)
      if (reason === undefined) assert.isUndefined(found)
      else assert.match(found ?? "", new RegExp(reason))
    })
  }

  it("is taken where too little is stored to compare", () => {
    assert.isUndefined(findTapeContradiction([candle(104, 100)], tape.slice(0, 4), 116))
    assert.isUndefined(findTapeContradiction([], [], 116))
  })
})

describe("gaps", () => {
  const cases: ReadonlyArray<
    readonly [
      name: string,
      stored: ReadonlyArray<number>,
      range: readonly [number, number],
      longest: number,
      runs: ReturnType<typeof listGaps>,
    ]
  > = [
    ["nothing stored", [], [0, 10], 100, [[0, 10]]],
    [
      "nothing stored, in chunks",
      [],
      [0, 10],
      4,
      [
        [0, 4],
        [4, 8],
        [8, 10],
      ],
    ],
    [
      "chunks that fit exactly",
      [],
      [0, 8],
      4,
      [
        [0, 4],
        [4, 8],
      ],
    ],
    [
      "one minute at a time",
      [],
      [0, 3],
      1,
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
    ],
    ["everything stored", [0, 1, 2, 3], [0, 4], 100, []],
    ["an empty range", [], [5, 5], 100, []],
    ["a range that ends before it begins", [], [6, 5], 100, []],
    ["one at the start", [2, 3], [0, 4], 100, [[0, 2]]],
    ["one in the middle", [0, 3], [0, 4], 100, [[1, 3]]],
    ["one at the end", [0, 1], [0, 4], 100, [[2, 4]]],
    [
      "several, the long one in chunks",
      [3, 4, 8],
      [0, 14],
      3,
      [
        [0, 3],
        [5, 8],
        [9, 12],
        [12, 14],
      ],
    ],
    [
      "what is stored outside of the range",
      [-5, -1, 2, 10, 11],
      [0, 4],
      100,
      [
        [0, 2],
        [3, 4],
      ],
    ],
    [
      "a minute that is stored twice",
      [1, 1, 2],
      [0, 4],
      100,
      [
        [0, 1],
        [3, 4],
      ],
    ],
  ]
  for (const [name, stored, [from, to], longest, expected] of cases) {
    it(name, () => {
      assert.deepStrictEqual(listGaps(stored, from, to, longest), expected)
    })
  }

  it("are every minute that is missing, once, in order, in runs that are not too long", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -20, max: 120 })),
        fc.integer({ min: -5, max: 50 }),
        fc.integer({ min: 0, max: 80 }),
        fc.integer({ min: 1, max: 30 }),
        (minutes, from, length, longest) => {
          const to = from + length
          const stored = minutes.sort((a, b) => a - b)
          const runs = listGaps(stored, from, to, longest)
          const asked = runs.flatMap(([start, end]) => Array.from({ length: end - start }, (_, at) => start + at))
          const missing = Array.from({ length }, (_, at) => from + at).filter((minute) => !stored.includes(minute))
          assert.deepStrictEqual(asked, missing)
          for (const [start, end] of runs) assert.isTrue(start < end && end - start <= longest)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe("gapBetween", () => {
  it("is the largest distance of two closes of the same minute", () => {
    const a = [candle(1, 100), candle(2, 100), candle(3, 100)]
    assert.strictEqual(measureDifference(a, a), 0)
    assert.closeTo(measureDifference(a, [candle(2, 101)])!, 0.009950330853168092, 1e-15)
    assert.closeTo(measureDifference([candle(2, 101)], a)!, 0.009950330853168092, 1e-15)
    assert.closeTo(measureDifference(a, [candle(1, 101), candle(2, 98), candle(3, 100)])!, Math.log(100 / 98), 1e-15)
    // A minute that only one of them has says nothing.
    assert.strictEqual(measureDifference(a, [candle(2, 100), candle(9, 1)]), 0)
  })

  it("is undefined where there is nothing to compare", () => {
    for (const [a, b] of [
      [[], []],
      [[candle(1)], []],
      [[], [candle(1)]],
      [[candle(1)], [candle(2)]],
    ] as const) {
      assert.isUndefined(measureDifference(a, b))
    }
  })

  it("is the same from either side and 0 only where all closes agree", () => {
    const tape = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.double({ min: 1, max: 1e6, noNaN: true })))
      .map((all) => [...new Map(all)].map(([minute, close]) => candle(minute, close)))
    fc.assert(
      fc.property(tape, tape, (a, b) => {
        const [one, other] = [measureDifference(a, b), measureDifference(b, a)]
        if (one === undefined || other === undefined) assert.strictEqual(one, other)
        else {
          assert.isAtLeast(one, 0)
          assert.closeTo(one, other, 1e-12)
        }
        assert.strictEqual(measureDifference(a, a), a.length === 0 ? undefined : 0)
      }),
    )
  })
})

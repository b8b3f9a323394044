import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { clean, gapBetween, gaps, type Printed } from "../../../../core/lanes/crypto/candles.ts"

const candle = (minute: number, close = 100, changes: Partial<Printed> = {}): Printed => ({
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
  const left = (printed: ReadonlyArray<Printed>, from = 100, to = 110, now = 110) =>
    clean(printed, from, to, now).map(({ minute, close }) => [minute, close])

  const cases: ReadonlyArray<readonly [name: string, printed: ReadonlyArray<Printed>, left: ReturnType<typeof left>]> =
    [
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
        [candle(101, 6), candle(109, 9), candle(100, 5)],
        [
          [100, 5],
          [101, 6],
          [109, 9],
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
      ["two closes for a minute", [candle(100, 5), candle(101, 6), candle(100, 5.01)], [[101, 6]]],
      ["two closes, and the first again", [candle(100, 5), candle(100, 6), candle(100, 5)], []],
      ["two closes, and the second again", [candle(100, 5), candle(100, 6), candle(100, 6)], []],
      ["a bad row beside a good one", [candle(100, 5), candle(100, nan)], [[100, 5]]],
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

  const dropped: ReadonlyArray<readonly [name: string, row: Printed]> = [
    ...[0, -0, -1, nan, inf, -inf].map((close) => [`a close of ${close}`, candle(101, close)] as const),
    ...[0, -0, -1, nan, -inf].map((low) => [`a low of ${low}`, candle(101, 100, { low })] as const),
    ...[nan, inf, -inf, 0].map((high) => [`a high of ${high}`, candle(101, 100, { high })] as const),
    ...[-1, nan, inf, -inf].map((volume) => [`a volume of ${volume}`, candle(101, 100, { volume })] as const),
    ...[100.5, 101 + 1e-9, nan, inf, -inf].map((minute) => [`minute ${minute}`, candle(minute)] as const),
    ["a high below the low", candle(101, 100, { high: 99, low: 101 })],
    ["a close above the high", candle(101, 100, { high: 99.99 })],
    ["a close below the low", candle(101, 100, { low: 100.01 })],
    ["everything infinite", { minute: 101, high: inf, low: inf, close: inf, volume: 1 }],
    ["everything NaN", { minute: nan, high: nan, low: nan, close: nan, volume: nan }],
  ]
  for (const [name, row] of dropped) {
    it(`drops ${name}`, () => {
      assert.deepStrictEqual(left([candle(100, 5), row, candle(102, 6)]), [
        [100, 5],
        [102, 6],
      ])
    })
  }

  it("drops the minute that is still running, and what a clock ahead of ours printed", () => {
    const printed = [candle(107), candle(108), candle(109), candle(110), candle(999)]
    assert.deepStrictEqual(left(printed, 100, 110, 109), [
      [107, 100],
      [108, 100],
    ])
    assert.deepStrictEqual(left(printed, 100, 2_000, 110), [
      [107, 100],
      [108, 100],
      [109, 100],
    ])
    assert.deepStrictEqual(left(printed, 100, 2_000, 100), [])
    assert.deepStrictEqual(left(printed, 110, 110, 999), [])
  })

  it("has every field as printed", () => {
    const one = { minute: 100, high: 5.5, low: 4.25, close: 5, volume: 0.00000001 }
    assert.deepStrictEqual(clean([one], 100, 101, 101), [one])
  })

  const odd = fc.constantFrom(0, -1, nan, inf, -inf, Number.MIN_VALUE, Number.MAX_VALUE)
  const row = fc.record({
    minute: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 90, max: 120 }) }, fc.double(), odd),
    high: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(100, 101, 102) }, fc.double(), odd),
    low: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(98, 99, 100) }, fc.double(), odd),
    close: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(100, 100.5) }, fc.double(), odd),
    volume: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(0, 1) }, fc.double(), odd),
  })
  const rows = fc.array(row, { maxLength: 60 })
  const believed = ({ high, low, close, volume }: Printed) =>
    [high, low, close, volume].every((value) => Number.isFinite(value) && value > 0) && low <= close && close <= high

  it("includes only minutes of the range with one valid close", () => {
    fc.assert(
      fc.property(rows, (printed) => {
        const expected = Array.from({ length: 10 }, (_, at) => 100 + at).flatMap((minute) => {
          const closes = new Set(
            printed.filter((one) => one.minute === minute && believed(one)).map(({ close }) => close),
          )
          return closes.size === 1 ? [[minute, ...closes]] : []
        })
        assert.deepStrictEqual(left(printed, 100, 115, 110), expected)
      }),
      { numRuns: 1_000 },
    )
  })

  it("does not depend on the order, invents nothing, and has nothing to do the second time", () => {
    fc.assert(
      fc.property(rows, fc.integer(), (printed, turn) => {
        const kept = clean(printed, 95, 115, 118)
        for (const one of kept) assert.isTrue(printed.includes(one) && believed(one))
        assert.deepStrictEqual(clean(kept, 95, 115, 118), kept)
        const by = printed.length === 0 ? 0 : Math.abs(turn) % printed.length
        const turned = [...printed.slice(by), ...printed.slice(0, by)]
        assert.deepStrictEqual(left(turned, 95, 115, 118), left(printed, 95, 115, 118))
        assert.deepStrictEqual(left(printed.toReversed(), 95, 115, 118), left(printed, 95, 115, 118))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe("gaps", () => {
  const cases: ReadonlyArray<
    readonly [
      name: string,
      stored: ReadonlyArray<number>,
      range: readonly [number, number],
      longest: number,
      runs: ReturnType<typeof gaps>,
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
      assert.deepStrictEqual(gaps(stored, from, to, longest), expected)
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
          const runs = gaps(stored, from, to, longest)
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
    assert.strictEqual(gapBetween(a, a), 0)
    assert.closeTo(gapBetween(a, [candle(2, 101)])!, 0.009950330853168092, 1e-15)
    assert.closeTo(gapBetween([candle(2, 101)], a)!, 0.009950330853168092, 1e-15)
    assert.closeTo(gapBetween(a, [candle(1, 101), candle(2, 98), candle(3, 100)])!, Math.log(100 / 98), 1e-15)
    // A minute that only one of them has says nothing.
    assert.strictEqual(gapBetween(a, [candle(2, 100), candle(9, 1)]), 0)
  })

  it("is undefined where there is nothing to compare", () => {
    for (const [a, b] of [
      [[], []],
      [[candle(1)], []],
      [[], [candle(1)]],
      [[candle(1)], [candle(2)]],
    ] as const) {
      assert.isUndefined(gapBetween(a, b))
    }
  })

  it("is the same from either side and 0 only where all closes agree", () => {
    const tape = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.double({ min: 1, max: 1e6, noNaN: true })))
      .map((all) => [...new Map(all)].map(([minute, close]) => candle(minute, close)))
    fc.assert(
      fc.property(tape, tape, (a, b) => {
        const [one, other] = [gapBetween(a, b), gapBetween(b, a)]
        if (one === undefined || other === undefined) assert.strictEqual(one, other)
        else {
          assert.isAtLeast(one, 0)
          assert.closeTo(one, other, 1e-12)
        }
        assert.strictEqual(gapBetween(a, a), a.length === 0 ? undefined : 0)
      }),
    )
  })
})

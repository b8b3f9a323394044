// A thread of `market-signals bench` that runs a model of one's own.
import "../adapters/runtime/bench/modelThread.ts"

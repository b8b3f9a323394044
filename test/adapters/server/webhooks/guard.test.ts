import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Guard from "../../../../adapters/server/webhooks/guard.ts"

/** Addresses of every special-purpose block of IANA, and of other blocks that are not public. */
const special = [
  // IPv4 Special-Purpose Address Registry
  "0.0.0.0",
  "0.255.255.255",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.0.8",
  "192.0.0.9",
  "192.0.0.10",
  "192.0.0.170",
  "192.0.0.171",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.2",
  "192.168.1.1",
  "192.175.48.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "240.0.0.1",
  "255.255.255.255",
  // Multicast, and the host of a virtual machine at a cloud
  "224.0.0.1",
  "239.255.255.250",
  "168.63.129.16",
  // IPv6 Special-Purpose Address Registry
  "::1",
  "::",
  "::ffff:8.8.8.8",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "100:0:0:1::1",
  "2001::1",
  "2001:1::1",
  "2001:1::2",
  "2001:1::3",
  "2001:2::1",
  "2001:3::1",
  "2001:4:112::1",
  "2001:10::1",
  "2001:20::1",
  "2001:30::1",
  "2001:db8::1",
  "2002:7f00:1::1",
  "2620:4f:8000::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  // IPv4-compatible, translated, site-local, multicast, unallocated
  "::7f00:1",
  "::ffff:0:7f00:1",
  "fec0::1",
  "ff02::1",
  "4000::1",
  "e000::1",
  // Not an address
  "",
  "localhost",
  "1.2.3",
  "999.1.1.1",
]

const open = ["8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1", "192.0.1.1"]
const open6 = ["2606:4700:4700::1111", "2a00:1450:4001::1", "2001:200::1", "2001:4860:4860::8888"]

const inUrl = (address: string): string => (address.includes(":") ? `[${address}]` : address)

describe("an address", () => {
  it.each(special)("%j is not the public internet's", (address) => assert.isFalse(Guard.isPublic(address)))
  it.each([...open, ...open6])("%s is", (address) => assert.isTrue(Guard.isPublic(address)))
})

/** A resolver of these hosts that counts its queries. */
const resolving = (hosts: Readonly<Record<string, ReadonlyArray<string> | Error>>) => {
  const asked: Array<string> = []
  const resolve: Guard.Resolve = (host) => {
    asked.push(host)
    const found = hosts[host] ?? []
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found)
  }
  return { asked, resolve }
}

/** The addresses returned to a connection, in both forms of node's `lookup`. */
const dial = (guard: Guard.Guard, url: string, all: boolean): Promise<unknown> => {
  const target = Either.getOrThrow(guard.read(url))
  return new Promise((resolve, reject) =>
    guard.lookup(target)(target.url.hostname, { all }, (error, address) => (error ? reject(error) : resolve(address))),
  )
}

const refusal = async (guard: Guard.Guard, url: string) => {
  const checked = await guard.check(url)
  return Either.isLeft(checked) ? checked.left : undefined
}

const { resolve } = resolving({
  "hooks.example.com": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "xn--bcher-kva.example": ["93.184.215.14"],
})
const guard = Guard.make({ resolve })

describe("a URL", () => {
  it.each([
    ["https://hooks.example.com/in?x=1", "https://hooks.example.com/in?x=1"],
    ["https://hooks.example.com", "https://hooks.example.com/"],
    ["HTTPS://HOOKS.example.COM:443/a", "https://hooks.example.com/a"],
    ["https://hooks.example.com:8443/a%20b", "https://hooks.example.com:8443/a%20b"],
    ["https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"],
    ["https://8.8.8.8/in", "https://8.8.8.8/in"],
    ["https://[2606:4700:4700::1111]/in", "https://[2606:4700:4700::1111]/in"],
  ])("%s may be called", async (url, href) => {
    assert.strictEqual(Either.getOrThrow(await guard.check(url)).url.href, href)
  })

  const refused: ReadonlyArray<readonly [string, RegExp]> = [
    ...special
      .filter(
        (address) => /^[0-9a-f.:]+$/.test(address) && address.split(".").length !== 3 && !address.startsWith("999"),
      )
      .map((address) => [`https://${inUrl(address)}/`, /public internet|normal form/] as const),
    // Spellings of this machine, and of others that must not be reached
    ["https://2130706433/", /normal form: 127\.0\.0\.1/],
    ["https://0x7f000001/", /normal form: 127\.0\.0\.1/],
    ["https://017700000001/", /normal form: 127\.0\.0\.1/],
    ["https://0177.0.0.1/", /normal form: 127\.0\.0\.1/],
    ["https://0x7f.0x0.0x0.0x1/", /normal form: 127\.0\.0\.1/],
    ["https://127.1/", /normal form: 127\.0\.0\.1/],
    ["https://127.0.1/", /normal form: 127\.0\.0\.1/],
    ["https://0/", /normal form: 0\.0\.0\.0/],
    ["https://127.0.0.1./", /normal form: 127\.0\.0\.1/],
    ["https://127.0.0.%31/", /normal form: 127\.0\.0\.1/],
    ["https://%6c%6f%63alhost/", /normal form: localhost/],
    ["https://hooks.example.com./", /normal form: hooks\.example\.com/],
    ["https://[::ffff:7f00:1]/", /public internet/],
    ["https://[::ffff:127.0.0.1]/", /normal form: \[::ffff:7f00:1\]/],
    ["https://[0:0:0:0:0:0:0:1]/", /normal form: \[::1\]/],
    ["https://[64:ff9b::a9fe:a9fe]/", /public internet/],
    ["https://2852039166/", /normal form: 169\.254\.169\.254/],
    ["https://134744072/", /normal form: 8\.8\.8\.8/],
    ["https://①②⑦.⓪.⓪.①/", /printable ASCII/],
    ["https://bücher.example/", /printable ASCII/],
    ["https://127。0。0。1/", /printable ASCII/],
    ["https://hooks.example.com\\@127.0.0.1/", /backslashes/],
    ["https://hooks.example.com/\u0000", /printable ASCII/],
    ["https://hooks.example.com/\r\nHost: x", /printable ASCII/],
    [" https://hooks.example.com/", /printable ASCII/],
    ["https://hooks.example.com/a b", /printable ASCII/],
    ["https://localhost/", /public internet/],
    ["https://LOCALHOST/", /public internet/],
    ["https://a.localhost/", /public internet/],
    ["https://printer.local/", /public internet/],
    ["https://metadata.google.internal/", /public internet/],
    ["https://router/", /public internet/],
    // Names and passwords
    ["https://user:pass@hooks.example.com/", /user name or password/],
    ["https://user@hooks.example.com/", /user name or password/],
    ["https://@hooks.example.com/", /user name or password/],
    ["https://hooks.example.com:443@127.0.0.1/", /user name or password/],
    ["https://hooks.example.com%2f@127.0.0.1/", /user name or password/],
    // Schemes
    ["http://hooks.example.com/", /https:\/\/ address/],
    ["file:///etc/passwd", /absolute https/],
    ["gopher://hooks.example.com/", /absolute https/],
    ["ftp://hooks.example.com/", /absolute https/],
    ["data:text/plain,x", /absolute https/],
    ["javascript:alert(1)", /absolute https/],
    ["unix:/var/run/docker.sock", /absolute https/],
    ["//hooks.example.com/", /absolute https/],
    ["hooks.example.com", /absolute https/],
    ["https:hooks.example.com", /absolute https/],
    ["https:/hooks.example.com", /absolute https/],
    ["https:///hooks.example.com", /absolute https/],
    ["https://", /absolute https/],
    ["https://[::1/", /absolute https/],
    ["https://hooks.example.com:99999/", /absolute https/],
    ["", /printable ASCII/],
    [`https://hooks.example.com/${"x".repeat(2_048)}`, /at most 2048/],
    // Ports
    ...[22, 25, 80, 110, 2375, 3306, 5432, 6379, 8080, 9200, 11211, 27017].map(
      (port) => [`https://hooks.example.com:${port}/`, /443 or 8443/] as const,
    ),
    ["https://hooks.example.com:0/", /443 or 8443/],
  ]
  it.each(refused)("%j is refused when it is saved and when it is called", async (url, message) => {
    const saved = await refusal(guard, url)
    assert.instanceOf(saved, Guard.BlockedUrl)
    assert.match(saved!.message, message)
    assert.isTrue(Either.isLeft(guard.read(url)))
  })
})

describe("a name", () => {
  it.each(special.filter((address) => address !== ""))(
    "that leads to %j is refused, also among others",
    async (address) => {
      for (const found of [[address], ["8.8.8.8", address], [address, "8.8.8.8"], ["2606:4700::1", address]]) {
        const mixed = Guard.make(resolving({ "hooks.example.com": found }))
        assert.instanceOf(await refusal(mixed, "https://hooks.example.com/"), Guard.BlockedUrl)
        for (const all of [true, false]) {
          const error = await dial(mixed, "https://hooks.example.com/", all).then(
            () => undefined,
            (cause) => cause,
          )
          assert.instanceOf(error, Guard.BlockedUrl)
        }
      }
    },
  )

  it("that changes its address between saving and calling is refused at the call", async () => {
    const answers = [["8.8.8.8"], ["8.8.8.8"], ["127.0.0.1"]]
    const rebinding = Guard.make({ resolve: () => Promise.resolve(answers.shift()!) })
    assert.isUndefined(await refusal(rebinding, "https://hooks.example.com/"))
    assert.deepStrictEqual(await dial(rebinding, "https://hooks.example.com/", true), [
      { address: "8.8.8.8", family: 4 },
    ])
    const error = await dial(rebinding, "https://hooks.example.com/", true).then(
      () => undefined,
      (cause) => cause,
    )
    assert.instanceOf(error, Guard.BlockedUrl)
    assert.lengthOf(answers, 0)
  })

  it("is dialled at what was looked at, and nothing is looked up twice", async () => {
    const { asked, resolve } = resolving({ "hooks.example.com": ["8.8.8.8", "2606:4700::1"] })
    const one = Guard.make({ resolve })
    assert.deepStrictEqual(await dial(one, "https://hooks.example.com/", true), [
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1", family: 6 },
    ])
    assert.strictEqual(await dial(one, "https://hooks.example.com/", false), "8.8.8.8")
    assert.deepStrictEqual(asked, ["hooks.example.com", "hooks.example.com"])
  })

  it.each([
    ["has no address", []],
    ["cannot be looked up", new Error("SERVFAIL")],
  ])("that %s is not refused when it is saved, and not called either", async (_, found) => {
    const one = Guard.make(resolving({ "hooks.example.com": found }))
    assert.instanceOf(await refusal(one, "https://hooks.example.com/"), Guard.UnresolvedHost)
    const error = await dial(one, "https://hooks.example.com/", true).then(
      () => undefined,
      (cause) => cause,
    )
    assert.instanceOf(error, Guard.UnresolvedHost)
  })

  it("is looked at once more when the connection stands", () => {
    const target = Either.getOrThrow(guard.read("https://hooks.example.com/"))
    assert.isTrue(guard.mayReach(target, "8.8.8.8"))
    for (const address of ["127.0.0.1", "::ffff:10.0.0.1", undefined]) assert.isFalse(guard.mayReach(target, address))
  })
})

describe("a development host", () => {
  const dev = Guard.make({ ...resolving({}), allowHosts: ["127.0.0.1", "[::1]", "localhost:9000"] })

  it.each(["http://127.0.0.1:5000/in", "https://127.0.0.1:22/in", "http://[::1]:5000/in", "http://localhost:9000/in"])(
    "%s may be called",
    async (url) => {
      assert.isTrue(Either.getOrThrow(await dev.check(url)).isAllowedHost)
    },
  )

  it.each([
    "http://localhost:9001/",
    "http://localhost/",
    "http://127.0.0.2/",
    "http://127.1:5000/",
    "http://127.0.0.1.example.com/",
    "http://user@127.0.0.1/",
    "http://hooks.example.com/",
    "ftp://127.0.0.1/",
  ])("does not excuse %s", async (url) => assert.instanceOf(await refusal(dev, url), Guard.BlockedUrl))

  it.each([
    ["localhost", "localhost"],
    ["Receiver", "receiver"],
    ["127.0.0.1:9000", "127.0.0.1:9000"],
    ["localhost:80", "localhost:80"],
    ["::1", "[::1]"],
    ["[::1]", "[::1]"],
    ["[::1]:9000", "[::1]:9000"],
    ["hooks.test", "hooks.test"],
    ["http://localhost", undefined],
    ["localhost/", undefined],
    ["user@localhost", undefined],
    ["127.1", undefined],
    ["localhost:", undefined],
    ["localhost:0", undefined],
    ["*.test", "*.test"],
    ["a b", undefined],
    ["", undefined],
  ])("%j is written %j", (entry, form) => assert.strictEqual(Guard.normaliseHost(entry), form))
})

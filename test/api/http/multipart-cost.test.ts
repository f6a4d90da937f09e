import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readMultipart } from '../../../api/http/multipart/read-multipart.ts'
import { Problem } from '../../../shared/errors/errors.ts'

const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"`
const part = (headers: string, content: string) => `--x\r\n${headers}\r\n\r\n${content}\r\n`
const file = (content: string) => `${part(disposition('file'), content)}--x--`
const field = (content: string) => part(disposition('a'), content) + file('')

/** The bodies of n bytes that cost most to read. */
const worst: Record<string, (n: number) => string> = {
  'many parts': (n) => part(disposition('a'), '').repeat(n / 54),
  'many parts without anything': (n) => '--x\r\n\r\n\r\n'.repeat(n / 9),
  'delimiters and no headers': (n) => '--x\r\n'.repeat(n / 5),
  'a long field': (n) => field('a'.repeat(n)),
  'a long header': (n) => part(`X: ${'a'.repeat(n)}`, '') + file(''),
  'many headers': (n) => part('X: a\r\n'.repeat(n / 6), '') + file(''),
  'a header of many lines': (n) => part(`X: a${'\r\n a'.repeat(n / 4)}`, '') + file(''),
  'headers that never end': (n) => `--x\r\n${'\r\n\r'.repeat(n / 3)}`,
  'a name of many parameters': (n) => part(`Content-Disposition: form-data${'; a=b'.repeat(n / 5)}`, '') + file(''),
  'a name of quotes': (n) => part(disposition('\\"'.repeat(n / 2)), '') + file(''),
  'a file': (n) => file('a'.repeat(n)),
  'a file of near delimiters': (n) => file('\r\n--'.repeat(n / 4)),
  'a file of line ends': (n) => file('\r\n'.repeat(n / 2)),
  'a file of dashes': (n) => file('-'.repeat(n)),
  'a long preamble': (n) => '\r\n--'.repeat(n / 4) + file(''),
  'a long epilogue': (n) => file('') + '--x\r\n'.repeat(n / 5),
}

const dashes = '-'.repeat(70)
const chunkings: Record<string, number> = { 'large chunks': 65_536, 'chunks of seven bytes': 7 }

for (const [pieces, chunkBytes] of Object.entries(chunkings)) {
  test.each(Object.entries(worst))(
    `%s in ${pieces} costs four times as much at four times the size`,
    async (_what, bodyOf) => {
      const cost = async (n: number) => costMs(() => read(bodyOf(n), 'x', chunkBytes))
      expect(await growthOf(cost)).toBeLessThan(10)
    },
  )

  test(`a file in ${pieces} that resembles its delimiter costs four times as much at four times the size`, async () => {
    const bodyOf = (n: number) => file(`\r\n${dashes}-`.repeat(n / 73)).replaceAll('--x', `--${dashes}`)
    const cost = async (n: number) => costMs(() => read(bodyOf(n), dashes, chunkBytes))
    expect(await growthOf(cost)).toBeLessThan(10)
  })
}

const minCostMs = 5

/** A quadratic cost would grow by a factor of sixteen each time. Garbage collection can add a few milliseconds. */
async function growthOf(cost: (n: number) => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3 && least >= 10; time++) {
    const large = await cost(200_000)
    // The small body cannot change the result of a cheap large one.
    const small = large < 10 * minCostMs ? minCostMs : Math.max(await cost(50_000), minCostMs)
    least = Math.min(least, large / small)
  }
  return least
}

async function read(body: string, boundary: string, chunkBytes: number): Promise<void> {
  const bytes = Buffer.from(body)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  )
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  // Boundary: the reader uses only these members of a request.
  const request = Object.assign(Readable.from(chunks), { headers, complete: true }) as unknown as IncomingMessage
  const limits = { limitBytes: 1_000_000, fieldLimitBytes: 1_000_000 }
  const form = await readMultipart(request, {
    mediaType: 'multipart/form-data',
    file: 'file',
    fields: new Set(['a']),
    ...limits,
  })
  for await (const _ of form.upload.stream);
  form.close()
}

/** The minimum CPU time of this thread in two runs. */
async function costMs(run: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < 2; at++) {
    const before = process.threadCpuUsage()
    await run().catch((error) => {
      if (!(error instanceof Problem)) throw error
    })
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

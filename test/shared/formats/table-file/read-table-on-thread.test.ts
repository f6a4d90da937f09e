import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify, TextDecoder } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { createGunzip, gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { readTable } from '../../../../shared/formats/table-file/read-table.ts'
import { readTableOnThread } from '../../../../shared/formats/table-file/read-table-on-thread.ts'
import { TableError } from '../../../../shared/formats/table-file/table.ts'
import { seededRandom } from '../../../harness/seeded-random.ts'
import { collect, cut, options, whole } from './tables.ts'

const csv = `__proto__;constructor;note\n${Array.from({ length: 2_000 }, (_, at) => `${at};"é😀 ""\n";\n`).join('')}1;2\n"a"b;c;d\n`
const jsonLines = `${'{"a":{"b":[1,null,"é"]},"toString":-1.5e-7}\n'.repeat(2_000)}{"a":1,"a":2}\n`

test.each([
  ['csv', csv],
  ['jsonl', jsonLines],
] as const)('a thread returns the same portions of %s', async (format, content) => {
  const random = seededRandom()
  const bytes = gzipSync(content)
  const direct = await collect(readTable(whole(bytes), options(format)))
  const table = await collect(readTableOnThread(cut(bytes, 5_000, random), options(format)))
  expect(table).toEqual(direct)
  expect(table.rows.length).toBeGreaterThan(2_000)
  expect(Object.getPrototypeOf(table.rows[0]?.values)).toBe(null)
  expect(Object.keys(table.rows[0]?.values ?? {})).toEqual(table.columns)
})

test('a thread starts at the given row', async () => {
  const table = await collect(readTableOnThread(whole(csv), options('csv', { fromRow: 1_990 })))
  expect(table.rows.map(({ number }) => number)).toEqual(Array.from({ length: 13 }, (_, at) => 1_990 + at))
})

test('a refused file has the same error as without a thread', async () => {
  const refused = collect(readTableOnThread(whole('a,b\n1,"2\n'), options()))
  await expect(refused).rejects.toMatchObject({ code: 'open_quote', row: 1, message: expect.stringContaining('Row 1') })
  await expect(refused).rejects.toBeInstanceOf(TableError)
})

test('the error of the source reaches the caller', async () => {
  async function* broken() {
    yield Buffer.from('a\n1\n')
    throw new Error('the upload was cut off')
  }
  await expect(collect(readTableOnThread(broken(), options()))).rejects.toThrow('the upload was cut off')
})

test('the chunks of the source stay its own', async () => {
  const chunk = Buffer.from('a\n1\n')
  await collect(readTableOnThread(whole(chunk), options()))
  expect(chunk.toString()).toBe('a\n1\n')
})

test('a slow caller slows down the source, and closes it when it stops', async () => {
  const chunk = Buffer.from('1\n'.repeat(8_192))
  let sent = 0
  let isClosed = false
  async function* source() {
    try {
      yield Buffer.from('a\n')
      for (;;) {
        sent++
        yield chunk
      }
    } finally {
      isClosed = true
    }
  }
  let after = 0
  for await (const { rows } of readTableOnThread(source(), options('csv', { maxRows: 1e9, maxBytes: 1e9 }))) {
    expect(rows).toHaveLength(500)
    // A chunk has the rows of 16 portions.
    if (after++ === 64) break
    // Another thread reads a whole file in the meantime.
    if (after === 32) await collect(readTableOnThread(whole(csv), options('csv')))
    expect(sent).toBeLessThan(after / 16 + 4)
  }
  expect(isClosed).toBe(true)
})

test('a slow caller stops the thread, also if one chunk has many portions', async () => {
  const chunk = gzipSync(`a,b\n${'Ada,Lovelace\n'.repeat(200_000)}`)
  const started = once(process, 'worker') as Promise<[Worker]>
  const portions = readTableOnThread(whole(chunk), options('csv', { maxRows: 1e9 }))
  await portions.next()
  const [thread] = await started
  let sent = 0
  thread.on('message', () => sent++)
  // Another thread reads the same file to its end in the meantime.
  await collect(readTableOnThread(whole(chunk), options('csv', { maxRows: 1e9 })))
  // The thread reads one portion ahead.
  expect(sent).toBeLessThanOrEqual(1)
  await portions.return()
})

test('a reader decompresses no more of a chunk than its caller takes', async () => {
  const text = `a,b\n${'Ada,Lovelace\n'.repeat(200_000)}`
  const portions = readTable(whole(gzipSync(text)), options('csv', { maxRows: 1e9 }))
  const pushed = vi.spyOn(Object.getPrototypeOf(createGunzip()), 'push')
  const decompressed = () => pushed.mock.calls.reduce((sum, [part]) => sum + ((part as Buffer | null)?.length ?? 0), 0)
  await portions.next()
  // Another reader reads the same file to its end in the meantime.
  await collect(readTableOnThread(whole(gzipSync(text)), options('csv', { maxRows: 1e9 })))
  expect(decompressed()).toBeLessThan(text.length / 10)
  for (let portion = 0; portion < 300; portion++) await portions.next()
  expect(decompressed()).toBeGreaterThan(text.length / 3)
  await portions.return()
})

test('a gzip bomb is refused before it is decompressed', async () => {
  const bomb = Buffer.concat([gzipSync('a\n'), ...Array<Buffer>(100).fill(gzipSync('1\n'.repeat(1_000_000)))])
  const pushed = vi.spyOn(Object.getPrototypeOf(createGunzip()), 'push')
  for (const read of [readTableOnThread, readTable]) {
    const refused = collect(read(whole(bomb), options('csv', { maxBytes: 200_000, maxRows: 1e9 })))
    await expect(refused).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('decompression'),
    })
  }
  // The bytes that this thread has decompressed, of 200 MB.
  const bytes = pushed.mock.calls.reduce((sum, [chunk]) => sum + ((chunk as Buffer | null)?.length ?? 0), 0)
  expect(bytes).toBeGreaterThan(200_000)
  expect(bytes).toBeLessThan(1_000_000)
})

test('gzip that is much smaller than its content is refused after 10 MB', async () => {
  const row = `${'x'.repeat(1_000)}\n`
  const read = (rows: number) =>
    collect(readTable(whole(gzipSync(`a\n${row.repeat(rows)}`)), options('csv', { maxBytes: 1e9 })))
  await expect(read(9_900)).resolves.toMatchObject({ columns: ['a'] })
  await expect(read(20_000)).rejects.toMatchObject({ code: 'too_large', message: expect.stringContaining('200 times') })
})

test('a long gzip of nothing has portions without rows', async () => {
  const nothing = Buffer.concat(Array(15_000).fill(gzipSync('')))
  async function* source() {
    yield gzipSync('a\n1\n')
    for (let at = 0; at < 10; at++) yield nothing
  }
  const table = await collect(readTableOnThread(source(), options()))
  expect(table.portionSizes).toEqual([0, 0, 1])
})

test('the thread decodes and parses the text', async () => {
  const content = Buffer.from(csv)
  const decoded = vi.spyOn(TextDecoder.prototype, 'decode')
  const bytesDecodedBy = async (read: typeof readTable) => {
    decoded.mockClear()
    await collect(read(whole(content), options()))
    return decoded.mock.calls.reduce((sum, [bytes]) => sum + (bytes?.byteLength ?? 0), 0)
  }
  expect(await bytesDecodedBy(readTable)).toBeGreaterThanOrEqual(content.length)
  expect(await bytesDecodedBy(readTableOnThread)).toBe(0)
})

const isFull = process.env.CI_FULL === '1'
const rowCounts = isFull ? [100_000, 1_000_000] : [10_000, 100_000]

test.each(['csv', 'jsonl'])(`memory does not grow with the rows of %s: ${rowCounts.join(' and ')}`, async (format) => {
  // Small generations, so that the memory shows what is in use and not what waits for the garbage collector.
  const heap = ['--max-semi-space-size=1', '--max-old-space-size=64']
  const script = join(import.meta.dirname, 'read-many-rows.ts')
  const [small = 0, large = 0] = await Promise.all(
    rowCounts.map(async (count) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...heap, script, String(count), format])
      return Number(stdout)
    }),
  )
  expect(small).toBeGreaterThan(1_000_000)
  expect(large / small).toBeLessThan(1.5)
})

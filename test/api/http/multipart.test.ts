import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { multipart } from '../../../api/http/multipart/multipart.ts'
import type { Upload } from '../../../api/http/multipart/read-multipart.ts'
import { anyone, defineRoute } from '../../../api/http/route.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { type Kernel, startKernel } from '../../harness/kernel.ts'

const limitBytes = 2_000_000
let last: Upload | undefined
let failure: unknown

const common = {
  summary: 'Takes a file',
  tag: 'Test',
  method: 'POST',
  host: 'any',
  access: anyone,
  body: z.object({ title: z.string().max(10), tags: z.array(z.string()).optional() }),
  consumes: multipart({ file: 'document', limitBytes }),
  bodyLimitBytes: 10_000,
  status: 200,
} as const

const take = defineRoute({
  ...common,
  operation: 'take',
  path: '/take',
  response: z.object({
    title: z.string(),
    bytes: z.int(),
    sum: z.int(),
    fileName: z.string().optional(),
    mediaType: z.string(),
  }),
  async handle({ body, file }) {
    last = file()
    const { stream, fileName, mediaType } = last
    let [bytes, sum] = [0, 0]
    try {
      for await (const chunk of stream) {
        bytes += chunk.length
        for (const each of chunk) sum += each
      }
    } catch (error) {
      failure = error
      throw error
    }
    return { ...body, bytes, sum, fileName, mediaType }
  },
})
const refuse = defineRoute({
  ...common,
  operation: 'refuse',
  path: '/refuse',
  async handle({ file }) {
    last = file()
    for await (const _ of last.stream) throw new Problem('conflict')
  },
})
const forget = defineRoute({
  ...common,
  operation: 'forget',
  path: '/forget',
  async handle({ file }) {
    last = file()
  },
})
const plain = defineRoute({
  ...common,
  operation: 'plain',
  path: '/plain',
  consumes: ['application/json'],
  handle: async ({ file }) => void file(),
})

let kernel: Kernel
beforeAll(async () => {
  kernel = await startKernel([take, refuse, forget, plain])
})
afterAll(() => kernel[Symbol.asyncDispose]())

const document = (bytes: Uint8Array<ArrayBuffer> = Buffer.from('%PDF'), name = 'a b.pdf') =>
  new File([bytes], name, { type: 'application/pdf' })
type Entry = [string, string | File]

async function send(entries: Entry[], path = '/take') {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  const response = await fetch(kernel.origin + path, { method: 'POST', body: form })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** Sends raw bytes in one or more pieces. Returns all bytes until the connection ends. */
async function raw(pieces: (string | Buffer)[], abort = false): Promise<string> {
  const socket = connect(Number(new URL(kernel.origin).port), '127.0.0.1')
  const answer = socket
    .setEncoding('utf8')
    .toArray()
    .catch(() => [])
  for (const piece of pieces) {
    socket.write(piece)
    await setTimeout(20)
  }
  if (abort) socket.destroy()
  return (await answer).join('')
}

const part = (head: string, content: string) => `--x\r\n${head}\r\n\r\n${content}\r\n`
const named = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`
const title = part(named('title'), 't')
const file = part(named('document', '; filename="a.pdf"'), '%PDF')
const type = 'Content-Type: multipart/form-data; boundary=x'
const head = (length: number | undefined, contentType = type, connection = 'close') =>
  `POST /take HTTP/1.1\r\nHost: a\r\n${contentType}\r\nConnection: ${connection}\r\n${length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`
const whole = (body: string, contentType = type) => raw([head(Buffer.byteLength(body), contentType) + body])
const next = 'GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

test('the handler receives the parsed fields and a stream of the file with its name and type', async () => {
  const bytes = Buffer.alloc(1_500_000, 7)
  expect(
    await send([
      ['title', 'Ä'],
      ['document', document(bytes, 'Zeugnis ü.pdf')],
    ]),
  ).toEqual({
    status: 200,
    body: {
      title: 'Ä',
      bytes: bytes.length,
      sum: bytes.length * 7,
      fileName: 'Zeugnis ü.pdf',
      mediaType: 'application/pdf',
    },
  })
})

test('a file can be empty, contain parts of its boundary and arrive in any pieces', async () => {
  expect(
    await send([
      ['title', 't'],
      ['document', document(Buffer.alloc(0))],
    ]),
  ).toMatchObject({ status: 200, body: { bytes: 0 } })
  const body = `${title + part(named('document'), '\r\n--\r\n-x\r\n--y')}--x--\r\nan epilogue`
  const answer = await raw([head(body.length), ...body].slice(0, 60).concat(body.slice(59)))
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"bytes":13,/)
})

describe('the refusal names the part:', () => {
  test.each<[string, Entry[], string, string]>([
    ['no file', [['title', 't']], 'The file is missing', 'document'],
    [
      'two files',
      [
        ['title', 't'],
        ['document', document()],
        ['document', document()],
      ],
      'Must not have more than one file',
      'document',
    ],
    [
      'an unknown field',
      [
        ['other', 't'],
        ['document', document()],
      ],
      'Unknown part',
      'other',
    ],
    [
      'an unknown file',
      [
        ['title', 't'],
        ['other', document()],
      ],
      'Unknown part',
      'other',
    ],
    [
      'a file for a field',
      [
        ['title', document()],
        ['document', document()],
      ],
      'Must be a field without a file name',
      'title',
    ],
    [
      'a field after the file',
      [
        ['title', 't'],
        ['document', document()],
        ['tags', 't'],
      ],
      'Must come before the file',
      'tags',
    ],
    [
      'a field that the schema refuses',
      [
        ['title', 'more than ten'],
        ['document', document()],
      ],
      'Must have at most 10 characters',
      'title',
    ],
    [
      'a field twice',
      [
        ['title', 't'],
        ['title', 't'],
        ['document', document()],
      ],
      'Must be a string',
      'title',
    ],
    [
      'many parts',
      [...Array.from({ length: 100 }, (): Entry => ['tags', 't']), ['document', document()]],
      'Must not have more than 100 parts',
      '',
    ],
  ])('%s', async (_what, entries, msg, param) => {
    const { status, body } = await send(entries)
    expect([status, body.details?.[0]]).toEqual([400, expect.objectContaining({ msg, param, location: 'body' })])
  })

  test('a file over its limit, by its size or by Content-Length', async () => {
    const tooLarge = { status: 413, body: { code: 'PayloadTooLarge', details: [{ param: 'document' }] } }
    expect(
      await send([
        ['title', 't'],
        ['document', document(Buffer.alloc(limitBytes))],
      ]),
    ).toMatchObject({ status: 200 })
    expect(
      await send([
        ['title', 't'],
        ['document', document(Buffer.alloc(limitBytes + 1))],
      ]),
    ).toMatchObject(tooLarge)
    expect(await raw([head(limitBytes + 1_000_000)])).toMatch(/^HTTP\/1\.1 413 [\s\S]*"param":"document"/)
  })

  test('a body without parts that does not end', async () => {
    const text = 'x'.repeat(limitBytes + 200_000)
    const answer = await raw([head(undefined), `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`])
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*"param":"document"/)
  })

  test('fields over their common limit', async () => {
    const large: Entry[] = [
      ['tags', 'x'.repeat(6000)],
      ['tags', 'x'.repeat(6000)],
      ['document', document()],
    ]
    expect(await send(large)).toMatchObject({ status: 413, body: { details: [{ param: 'tags' }] } })
  })
})

describe('the service refuses a body that', () => {
  test.each([
    ['is cut off in its file', title + file.slice(0, -3), 'The body ends within its last part'],
    ['is cut off in its headers', title + file.slice(0, 20), 'The body ends within its last part'],
    ['has no parts', '--x--\r\n', 'The file is missing'],
    ['is empty', '', 'The body ends within its last part'],
    ['is not a form', '{"title":"t"}', 'The body ends within its last part'],
    [
      'has a part without a name',
      `${part('Content-Disposition: form-data', 't')}--x--`,
      'Part 1 must have one Content-Disposition',
    ],
    ['has a part without headers', `--x\r\n\r\nt\r\n${file}--x--`, 'Part 1 must have one Content-Disposition'],
    [
      'has a part of another kind',
      `${part('Content-Disposition: attachment; name="title"', 't')}--x--`,
      'Part 1 must have one Content-Disposition',
    ],
    [
      'has a part with two Content-Dispositions',
      `${part(`${named('title')}\r\n${named('tags')}`, 't')}--x--`,
      'Part 1 must have one Content-Disposition',
    ],
    ['has headers that do not end', `--x\r\n${named('title')}\r\n${file}--x--`, 'Part 1 ends within its headers'],
    [
      'has long headers',
      `${title}${part(`${named('document')}\r\nX: ${'x'.repeat(4000)}`, 't')}--x--`,
      'Part 2 has too many',
    ],
    [
      'has endless headers',
      `${title}${part(`${named('document')}\r\nX: ${'x'.repeat(90_000)}`, 't')}--x--`,
      'Part 2 has too many',
    ],
    ['has many headers', `${part(named('title') + '\r\nX: x'.repeat(20), 't')}--x--`, 'Part 1 has too many'],
    ['has a field that is not UTF-8', `${part(named('title'), '\u00ff')}${file}--x--`, 'The field title is not UTF-8'],
  ])('%s', async (_what, body, message) => {
    const bytes = Buffer.from(body, 'latin1')
    const answer = await raw([head(bytes.length), bytes])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain(message)
  })

  test.each(['', '; boundary=', '; boundary="a b "', '; boundary="ü"', `; boundary=${'x'.repeat(71)}`])(
    'has the boundary %j',
    async (value) => {
      const answer = await whole(`${title}${file}--x--`, `Content-Type: multipart/form-data${value}`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*valid boundary/)
    },
  )

  test.each(['Content-Type: application/json', `${type}\r\nContent-Encoding: gzip`])('has %s', async (header) => {
    expect(await whole(`${title}${file}--x--`, header)).toMatch(/^HTTP\/1\.1 415 /)
  })
})

describe('the connection', () => {
  const chunk = (text: string | Buffer) =>
    Buffer.concat([Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n`), Buffer.from(text), Buffer.from('\r\n')])
  const large = part(named('document'), 'x'.repeat(limitBytes + 1))

  test.each([
    ['a file over its limit', 413, `${title + large}--x--`],
    ['an unknown part', 400, `${part(named('other'), 'x'.repeat(1_500_000))}--x--`],
    ['a field after the file', 400, `${title + file + title}--x--`],
    ['a long epilogue', 200, `${title}${file}--x--${'x'.repeat(300_000)}`],
  ])('stays open for the next request after %s', async (_what, status, body) => {
    for (const sent of [
      [head(body.length, type, 'keep-alive'), body],
      [head(undefined, type, 'keep-alive'), chunk(body), '0\r\n\r\n'],
    ])
      expect(await raw([...sent, next])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*HTTP/1\\.1 404 `))
  })

  test('stays open for the next request after the handler refuses a file that it began to read', async () => {
    const body = `${title + part(named('document'), 'x'.repeat(1_000_000))}--x--`
    const answer = await raw([head(body.length, type, 'keep-alive').replace('/take', '/refuse'), body, next])
    expect(answer).toMatch(/^HTTP\/1\.1 409 [\s\S]*HTTP\/1\.1 404 /)
    expect(last?.stream.destroyed).toBe(true)
  })

  test('closes if the body does not end', async () => {
    const socket = connect(Number(new URL(kernel.origin).port), '127.0.0.1')
    socket.write(head(undefined))
    socket.write(chunk(title + large))
    const closed = new Promise((resolve) => socket.on('error', resolve).on('close', resolve))
    let sent = 0
    const sending = setInterval(() => {
      sent += 100_000
      socket.write(chunk(Buffer.alloc(100_000)))
    }, 1)
    await closed
    clearInterval(sending)
    expect(sent).toBeLessThan(100_000_000)
  })
})

test.each([
  ['in its fields', title.slice(0, -3)],
  ['in its file', title + file.slice(0, -3)],
])('an upload that is aborted %s leaves no open stream', async (where, body) => {
  const before = last
  failure = undefined
  await raw([head(1000), body], true)
  if (where === 'in its fields') {
    await setTimeout(50)
    expect(last).toBe(before)
    return
  }
  const malformed = expect.objectContaining({ problem: 'malformed_body' })
  await expect.poll(() => [last?.stream.destroyed, failure]).toEqual([true, malformed])
})

test('a handler must read the file before it answers, and only a form has a file', async () => {
  const parts: Parameters<typeof send>[0] = [['title', 't']]
  expect(await send([...parts, ['document', document()]], '/forget')).toMatchObject({ status: 500 })
  expect(last?.stream.destroyed).toBe(true)
  const response = await fetch(`${kernel.origin}/plain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"title":"t"}',
  })
  expect(response.status).toBe(500)
})

test('a route that cannot accept a form does not start', async () => {
  await expect(startKernel([{ ...take, access: { kind: 'wallet' } }])).rejects.toThrow(
    'is for wallets: it must not accept a form',
  )
  const { body: _, ...bodiless } = take
  await expect(startKernel([bodiless])).rejects.toThrow('its body must be an object schema')
})

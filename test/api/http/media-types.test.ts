import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Answer } from '../../../api/http/representations/answer.ts'
import { chosenByHandler, generatedMedia, handlerMedia, jsonMedia } from '../../../api/http/representations/media.ts'
import type { Representations } from '../../../api/http/representations/representations.ts'
import { defineRoute } from '../../../api/http/route.ts'
import { type Kernel, readAt, startKernel } from '../../harness/kernel.ts'

const Code = z.object({ text: z.string() })
const svg = generatedMedia('image/svg+xml', (data) => `<svg>${Code.parse(data).text}</svg>`)
const png = generatedMedia('image/png', async () => Uint8Array.of(0x89, 0x50))
let handled = 0
let drawn = 0
const drawing = generatedMedia('image/png', () => {
  drawn++
  return 'drawn'
})

function codeRoute(path: string, representations: Representations, answer: unknown = { text: 'x', more: 1 }) {
  return defineRoute({
    ...readAt(path),
    response: Code,
    representations,
    async handle() {
      handled++
      return answer
    },
  })
}

let kernel: Kernel
beforeAll(async () => {
  const sealed = generatedMedia('application/jwt', (data) => `sealed ${JSON.stringify(data)}`)
  const media = [jsonMedia, chosenByHandler('application/jwt')] as const
  kernel = await startKernel([
    codeRoute('/plain', {}),
    codeRoute('/code', { media: [jsonMedia, svg, png] }),
    codeRoute('/strict', { media: [svg, png], isStrict: true }),
    codeRoute(
      '/list',
      { media: [handlerMedia('application/cbor'), handlerMedia('application/cwt')] },
      Uint8Array.of(1, 2, 3),
    ),
    codeRoute('/wrong', { media: [handlerMedia('application/cbor')] }),
    codeRoute('/sealed', { media }, new Answer({ text: 'x', more: 1 }, { as: sealed })),
    codeRoute('/unsealed', { media }),
    codeRoute('/drawn', { media: [jsonMedia, drawing], etag: 'version' }, new Answer({ text: 'x' }, { version: 3 })),
    codeRoute('/unnamed', {}, new Answer({ text: 'x' }, { as: sealed })),
    codeRoute(
      '/later',
      { media: [jsonMedia, svg], maxAgeSeconds: 60, statuses: { 202: { description: 'Later', response: Code } } },
      new Answer({ text: 'later', more: 1 }, { status: 202 }),
    ),
  ])
})
afterAll(() => kernel[Symbol.asyncDispose]())

const jsonType = 'application/json; charset=utf-8'

test.each([
  [undefined, jsonType],
  ['*/*', jsonType],
  ['text/html', jsonType],
  ['nonsense', jsonType],
  ['application/*', jsonType],
  ['image/*', 'image/svg+xml'],
  ['image/png', 'image/png'],
  ['image/png, */*', 'image/png'],
  ['image/png;q=0.5, image/svg+xml;q=0.6', 'image/svg+xml'],
  ['application/json;q=0, image/png;q=0.1', 'image/png'],
  ['image/svg+xml;q=0', jsonType],
  ['image/png, application/json', jsonType],
  ['image/png;q=0.5, IMAGE/svg+xml;q=0.5', 'image/svg+xml'],
])('Accept: %s is answered with %s', async (accept, type) => {
  const { status, headers } = await kernel.ask('/code', accept === undefined ? {} : { accept })
  expect({ status, type: headers['content-type'], vary: headers.vary }).toEqual({ status: 200, type, vary: 'Accept' })
})

test('each media type contains only the data of the response schema', async () => {
  expect((await kernel.ask('/code')).text).toBe('{"text":"x"}')
  expect((await kernel.ask('/code', { accept: 'image/svg+xml' })).text).toBe('<svg>x</svg>')
  expect((await kernel.ask('/code', { accept: 'image/png' })).bytes).toEqual(Buffer.from([0x89, 0x50]))
})

test('a route with one media type ignores Accept and sends no Vary', async () => {
  const { status, headers } = await kernel.ask('/plain', { accept: 'image/png' })
  expect(status).toBe(200)
  expect(headers).toMatchObject({ 'content-type': jsonType, 'cache-control': 'no-store' })
  expect(headers).not.toHaveProperty('vary')
  expect(headers).not.toHaveProperty('etag')
})

test('a strict route refuses a request that accepts none of its media types before the handler runs', async () => {
  handled = 0
  const { status, text } = await kernel.ask('/strict', { accept: 'application/json' })
  expect([status, JSON.parse(text).code, handled]).toEqual([406, 'NotAcceptable', 0])
  expect((await kernel.ask('/strict', { accept: 'image/*' })).headers['content-type']).toBe('image/svg+xml')
  expect((await kernel.ask('/strict')).status).toBe(200)
})

test('the same bytes are sent with the media type in Accept, or else with the first one', async () => {
  const answers = await Promise.all(['*/*', 'application/cwt'].map((accept) => kernel.ask('/list', { accept })))
  expect(answers.map(({ headers }) => headers['content-type'])).toEqual(['application/cbor', 'application/cwt'])
  for (const { bytes, headers } of answers) {
    expect(bytes).toEqual(Buffer.from([1, 2, 3]))
    expect(headers['content-length']).toBe('3')
  }
})

test('a known representation is not generated again, and JSON has an ETag too', async () => {
  const { headers } = await kernel.ask('/drawn', { accept: 'image/png' })
  const condition = { accept: 'image/png', 'if-none-match': String(headers.etag) }
  expect([(await kernel.ask('/drawn', condition)).status, headers.etag, drawn]).toEqual([304, '"3;image/png"', 1])
  const { status, headers: its, text } = await kernel.ask('/drawn', { 'if-none-match': '"2"' })
  expect([status, its.etag, its['content-type'], text]).toEqual([200, '"3"', jsonType, '{"text":"x"}'])
})

test('a handler that returns data instead of a payload causes 500', async () => {
  expect(await kernel.ask('/wrong')).toMatchObject({ status: 500 })
})

test('a media type of the handler does not match Accept, and the route must declare it', async () => {
  const sealed = await kernel.ask('/sealed')
  expect([sealed.text, sealed.headers['content-type']]).toEqual(['sealed {"text":"x"}', 'application/jwt'])
  const unsealed = await kernel.ask('/unsealed', { accept: 'application/jwt' })
  expect([unsealed.text, unsealed.headers['content-type'], unsealed.headers.vary]).toEqual([
    '{"text":"x"}',
    jsonType,
    undefined,
  ])
  expect(await kernel.ask('/unnamed')).toMatchObject({ status: 500 })
})

test('another success status uses its own schema and the same media types, and is not cached', async () => {
  const later = await kernel.ask('/later')
  expect([later.status, later.text, later.headers['cache-control']]).toEqual([202, '{"text":"later"}', 'no-store'])
  expect(await kernel.ask('/later', { accept: 'image/svg+xml' })).toMatchObject({
    status: 202,
    text: '<svg>later</svg>',
  })
})

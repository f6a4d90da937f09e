import { expect, test } from 'vitest'
import { z } from 'zod'
import { multipart } from '../../../api/http/multipart/multipart.ts'
import { printOpenApi } from '../../../api/http/openapi.ts'
import { chosenByHandler, generatedMedia, handlerMedia, jsonMedia } from '../../../api/http/representations/media.ts'
import type { Representations } from '../../../api/http/representations/representations.ts'
import { anyone, defineRoute } from '../../../api/http/route.ts'

type Responses = Record<string, { headers?: Record<string, object>; content?: Record<string, { schema: object }> }>

function responsesOf(representations: Representations): Responses {
  const route = defineRoute({
    operation: 'retrieveList',
    summary: 'A list',
    tag: 'Test',
    method: 'GET',
    path: '/list',
    host: 'any',
    access: anyone,
    status: 200,
    response: z.object({ id: z.string() }),
    representations,
    handle: async () => ({ id: 'x' }),
  })
  const { paths } = printOpenApi([route], { productVersion: '1' }) as {
    paths: Record<string, { get: { responses: Responses } }>
  }
  return paths['/list']?.get.responses ?? {}
}

const ref = { $ref: '#/components/schemas/List' }

test('the reference shows each media type of an answer', () => {
  const svg = generatedMedia('image/svg+xml', () => '<svg/>')
  const responses = responsesOf({
    media: [jsonMedia, svg, handlerMedia('application/cwt'), chosenByHandler('application/jwt')],
    statuses: { 202: { description: 'Later' } },
  })
  expect(responses[200]?.content).toEqual({
    'application/json': { schema: ref },
    'image/svg+xml': { schema: { type: 'string' } },
    'application/cwt': { schema: { type: 'string', format: 'binary' } },
    'application/jwt': { schema: { type: 'string' } },
  })
  expect(responses[200]?.headers).toEqual({ Vary: { schema: { type: 'string', examples: ['Accept'] } } })
  expect(responses[202]).toEqual({ description: 'Later' })
})

test('the reference shows 304, 206, 406 and 416 and their headers only for routes that can send them', () => {
  const everything: Representations = {
    isStrict: true,
    etag: 'version',
    ranges: true,
    gzip: true,
    attachment: true,
    cors: true,
  }
  const responses = responsesOf({ ...everything, maxAgeSeconds: 'answered' })
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '206', '304', '406', '416']))
  const names = ['Cache-Control', 'ETag', 'Vary', 'Content-Encoding', 'Accept-Ranges', 'Content-Disposition']
  expect(Object.keys(responses[200]?.headers ?? {})).toEqual([...names, 'Access-Control-Allow-Origin'])
  expect(responses[206]?.headers).toHaveProperty('Content-Range')
  expect(responses[206]?.content).toEqual({ 'application/json': { schema: ref } })
  expect(responses[304]).not.toHaveProperty('content')
  expect(Object.keys(responsesOf({}))).toEqual(['200', '400', '500'])
  expect(responsesOf({})[200]).not.toHaveProperty('headers')
})

test('the reference shows the fields and the file of a form', () => {
  const upload = defineRoute({
    operation: 'addDocument',
    summary: 'Takes a file',
    tag: 'Test',
    method: 'POST',
    path: '/documents',
    host: 'any',
    access: anyone,
    body: z.object({ title: z.string() }),
    consumes: multipart({ file: 'document', limitBytes: 2_000_000 }),
    status: 201,
    handle: async () => undefined,
  })
  const printed = JSON.parse(JSON.stringify(printOpenApi([upload], { productVersion: '1' })))
  const { post } = printed.paths['/documents']
  expect(post.requestBody).toEqual({
    required: true,
    description: '`document` is a file of at most 2000 KB. Send the fields before it',
    content: {
      'multipart/form-data': {
        schema: { $ref: '#/components/schemas/DocumentForm' },
      },
    },
  })
  expect(printed.components.schemas.DocumentForm).toEqual({
    type: 'object',
    properties: { document: { type: 'string', format: 'binary', description: 'The file' }, title: { type: 'string' } },
    required: ['document', 'title'],
  })
  expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['201', '400', '413', '415']))
})

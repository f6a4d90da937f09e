import type { JsonSchema } from '../openapi-names.ts'
import type { DocumentedSchema, Schemas } from '../openapi-schemas.ts'
import type { Route } from '../route.ts'
import { mediaOf, varyOf } from './representations.ts'
import { cachingOf } from './write.ts'

/** Prints the success responses of a route for the reference, by status. */
export function successesOf(route: Route, schemas: Schemas): Record<number, object> {
  const { response, status, representations: { media, statuses = {}, etag, ranges } = {} } = route
  const others = Object.entries(statuses).map(([other, { description, response: its }]) => [
    Number(other),
    { description, ...(its && contentOf(route, schemas.ofResponse(its))) },
  ])
  const content = response || media ? contentOf(route, response && schemas.ofResponse(response)) : undefined
  const described = headersOf(route)
  const responseOf = (description: string, headers: object, its: object | undefined) => ({
    description,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...its,
  })
  return {
    ...Object.fromEntries(others),
    [status]: responseOf(content ? 'Success' : 'Success, with an empty body', described, content),
    ...(ranges && { 206: responseOf('The requested range', { ...described, ...contentRange }, content) }),
    ...(etag && { 304: responseOf('Not modified: If-None-Match has the current ETag', described, undefined) }),
  }
}

/** Prints the content of each media type. `shown` describes the data in JSON. */
function contentOf(route: Route, documented: DocumentedSchema | undefined): { content: object } {
  const shownAs = (type: string) => (type === 'application/json' && documented) || { schema: schemaOf(type) }
  return { content: Object.fromEntries(mediaOf(route).map(({ type }) => [type, shownAs(type)])) }
}

function schemaOf(type: string): JsonSchema {
  return /^text\/|[/+](jwt|xml)$/.test(type) ? { type: 'string' } : { type: 'string', format: 'binary' }
}

function headersOf(route: Route): Record<string, object> {
  const { maxAgeSeconds, etag, gzip, ranges, attachment, cors } = route.representations ?? {}
  const text = (description: string) => ({ description, schema: { type: 'string' } })
  const vary = varyOf(route)
  return {
    ...(maxAgeSeconds !== undefined && {
      'Cache-Control':
        maxAgeSeconds === 'answered'
          ? text('`public, max-age` with the time for which the response is fresh')
          : { schema: { type: 'string', const: cachingOf(maxAgeSeconds) } },
    }),
    ...(etag && { ETag: text('For If-None-Match') }),
    ...(route.method === 'PUT' && {
      ETag: text('For If-Match'),
      'X-Reset-Fields': text('Members that the body omits and that the PUT reset, as dotted paths, at most 20'),
    }),
    ...(vary.length > 0 && { Vary: { schema: { type: 'string', examples: [vary.join(', ')] } } }),
    ...(gzip && { 'Content-Encoding': text('`gzip` if Accept-Encoding prefers it') }),
    ...(ranges && { 'Accept-Ranges': { schema: { type: 'string', const: 'bytes' } } }),
    ...(attachment && { 'Content-Disposition': text('The name of the file') }),
    ...(cors && { 'Access-Control-Allow-Origin': { schema: { type: 'string', const: '*' } } }),
  }
}

const contentRange = { 'Content-Range': { schema: { type: 'string', examples: ['bytes 0-99/1000'] } } }

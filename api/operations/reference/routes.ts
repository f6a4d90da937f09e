import { z } from 'zod'
import { described } from '../../http/fields.ts'
import { printOpenApi } from '../../http/openapi.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { type Asset, assets, page } from './page.ts'
import { tags } from './tags.ts'
import { documentedWebhooks } from './webhooks.ts'

const OpenApiDocument = described(z.record(z.string(), z.unknown()), 'An OpenAPI document', { openapi: '3.1.0' })

/** Returns the routes of the OpenAPI document and of the page that shows it. The page loads no external files. */
export function referenceRoutes(allRoutes: () => readonly Route[]): Route[] {
  let printed: { text: string; gzipped: () => Promise<Uint8Array> } | undefined
  return [
    defineRoute({
      operation: 'retrieveOpenApi',
      summary: 'The OpenAPI 3.1 document of this service',
      tag: 'Service',
      method: 'GET',
      path: '/openapi.json',
      host: 'any',
      access: anyone,
      status: 200,
      response: OpenApiDocument,
      representations: { media: [handlerMedia('application/json')], maxAgeSeconds: 300, gzip: true, cors: true },
      async handle({ deps }) {
        printed ??= keepGzipped(
          JSON.stringify(
            printOpenApi(allRoutes(), { productVersion: deps.config.version, tags, webhooks: documentedWebhooks }),
          ),
        )
        return new Answer(printed.text, { gzipped: printed.gzipped })
      },
    }),
    defineRoute({
      operation: 'retrieveReference',
      summary: 'This reference, for people',
      tag: 'Service',
      method: 'GET',
      path: '/docs',
      host: 'any',
      access: anyone,
      status: 200,
      representations: { media: [handlerMedia('text/html')], maxAgeSeconds: 300 },
      async handle() {
        return new Answer(page.read(), { headers: { 'Content-Security-Policy': contentSecurityPolicy } })
      },
    }),
    defineRoute({
      operation: 'visit',
      summary: 'Redirect from the root path to the reference',
      tag: 'Service',
      method: 'GET',
      path: '/',
      host: 'any',
      access: anyone,
      status: 302,
      undocumented: true,
      async handle() {
        return new Answer(undefined, { headers: { Location: '/docs' } })
      },
    }),
    ...assets.map(assetRoute),
  ]
}

function keepGzipped(text: string) {
  let gzipped: Promise<Uint8Array> | undefined
  return {
    text,
    gzipped() {
      gzipped ??= compressBytes(text)
      return gzipped
    },
  }
}

/** Allows files of the service only, and no inline script. The style sheet of Swagger UI has images as data. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function assetRoute({ name, mediaType, read }: Asset): Route {
  return defineRoute({
    operation: `retrieveReferenceAsset:${name}`,
    summary: `A file of the reference: ${name}`,
    tag: 'Service',
    method: 'GET',
    path: `/docs/${name}`,
    host: 'any',
    access: anyone,
    status: 200,
    representations: { media: [handlerMedia(mediaType)], maxAgeSeconds: 3600 },
    undocumented: true,
    async handle() {
      return read()
    },
  })
}

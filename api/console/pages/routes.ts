import { z } from 'zod'
import { notFound } from '../../../shared/errors/errors.ts'
import { Answer } from '../../http/representations/answer.ts'
import { chosenByHandler, generatedMedia, handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { builtFolder, readAsset, readIndex } from './built.ts'

/** Allows only scripts, styles and images that are files of this origin. Forbids frames, and references from other origins. */
const headers = {
  'Content-Security-Policy': "default-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const page = {
  tag: 'Console',
  method: 'GET',
  host: 'either',
  access: anyone,
  status: 200,
  undocumented: true,
} as const

/** The page before the console is built. `npm start` builds it after all processes run. The page reloads itself until then. */
const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Trustwright</title></head>
<body><h1>The console is not built yet</h1>
<p><code>npm start</code> builds it within seconds, and this page reloads itself. For a container image, run <code>npm run build</code> when you build the image.</p>
</body>
</html>
`

/** The query that the console's script reads. The last value of a repeated name is used. */
const AnyQuery = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).transform((values) => values.at(-1) ?? '')]),
)

/** Routes for the page of the console at each of its addresses, and for its assets. The script selects the screen by address. */
export function consolePages(folder: string): Route[] {
  const show = (operation: string, path: string, params?: z.ZodObject) =>
    defineRoute({
      ...page,
      operation,
      summary: 'The console, for operators',
      path,
      ...(params && { params }),
      representations: { media: [handlerMedia('text/html')], maxAgeSeconds: 0, etag: 'bytes', gzip: true },
      async handle() {
        return new Answer((await readIndex(folder)) ?? notBuilt, { headers })
      },
    })
  return [
    show('showConsole', '/console/'),
    show('showConsoleScreen', '/console/*screen', z.object({ screen: z.string().max(1_000) })),
    defineRoute({
      ...page,
      operation: 'visitConsole',
      summary: 'Redirects to the console if the trailing slash is missing',
      path: '/console',
      query: AnyQuery,
      status: 302,
      async handle({ query }) {
        const search = new URLSearchParams(query).toString()
        return new Answer(undefined, { headers: { Location: `/console/${search && `?${search}`}` } })
      },
    }),
    assetRoute(folder),
  ]
}

export const consolePageRoutes = consolePages(builtFolder)

function assetRoute(folder: string): Route {
  return defineRoute({
    ...page,
    operation: 'retrieveConsoleAsset',
    summary: 'A script, a style sheet or an image of the console',
    path: '/console/assets/:name',
    host: 'any',
    params: z.object({ name: z.string().max(200) }),
    response: z.instanceof(Uint8Array),
    representations: {
      media: [handlerMedia('text/javascript'), chosenByHandler('text/css'), chosenByHandler('image/svg+xml')],
      gzip: true,
      maxAgeSeconds: 'forever',
    },
    problems: ['not_found'],
    async handle({ params }) {
      const asset = await readAsset(folder, params.name)
      if (!asset) throw notFound('name')
      const { bytes, gzipped, mediaType } = asset
      const as = mediaType === 'text/javascript' ? undefined : generatedMedia(mediaType, () => bytes)
      return new Answer(bytes, { gzipped: () => gzipped, as })
    },
  })
}

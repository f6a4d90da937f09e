import { z } from 'zod'
import { notFound } from '../../../shared/errors.ts'
import { Answer } from '../../http/representations/answer.ts'
import { chosenByHandler, given, made } from '../../http/representations/media.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { builtFolder, readAsset, readIndex } from './built.ts'

/** No script, style or picture of another origin, and none that stands in the page itself; no other page frames or holds it. */
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

/** For who is there before the build, which `npm start` makes once everything runs: it looks again by itself. */
const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Trustwright</title></head>
<body><h1>The console is not built yet</h1>
<p><code>npm start</code> builds it within some seconds, and this page looks again. In an image, run <code>npm run build</code> when it is made.</p>
</body>
</html>
`

/** The console's script reads it; of a name that is there twice it takes the last. */
const AnyQuery = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).transform((values) => values.at(-1) ?? '')]),
)

/** The console's page at each of its addresses (what is shown there its script knows), and what the page is made of. */
export function consolePages(folder: string): Route[] {
  const show = (operation: string, path: string, params?: z.ZodObject) =>
    defineRoute({
      ...page,
      operation,
      summary: 'The console, for operators',
      path,
      ...(params && { params }),
      representations: { media: [given('text/html')], maxAgeSeconds: 0, etag: 'bytes', gzip: true },
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
      summary: 'Sends those who left out the slash to the console',
      path: '/console',
      query: AnyQuery,
      status: 302,
      async handle({ query }) {
        const kept = new URLSearchParams(query).toString()
        return new Answer(undefined, { headers: { Location: `/console/${kept && `?${kept}`}` } })
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
    summary: 'A script, a style or a picture of the console',
    path: '/console/assets/:name',
    host: 'any',
    params: z.object({ name: z.string().max(200) }),
    response: z.instanceof(Uint8Array),
    representations: {
      media: [given('text/javascript'), chosenByHandler('text/css'), chosenByHandler('image/svg+xml')],
      gzip: true,
      maxAgeSeconds: 'forever',
    },
    problems: ['not_found'],
    async handle({ params }) {
      const asset = await readAsset(folder, params.name)
      if (!asset) throw notFound('name')
      const { bytes, gzipped, mediaType } = asset
      const as = mediaType === 'text/javascript' ? undefined : made(mediaType, () => bytes)
      return new Answer(bytes, { gzipped: () => gzipped, as })
    },
  })
}

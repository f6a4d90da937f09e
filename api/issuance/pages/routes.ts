import { z } from 'zod'
import { notFound } from '../../../shared/errors/errors.ts'
import { described, LogoUrl, named } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { chosenByHandler, generatedMedia, handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { findLogo, logoAddressOf } from './logos.ts'
import { uploadLogo } from './uploaded-logos.ts'

const LogoAddress = named(
  'LogoAddress',
  'The address at which a logo is served on pages of the tenant',
  z.object({
    address: described(
      z.string(),
      'A path of this host. It answers 404 if the logo is not a picture or is too large',
      '/o/logos/bWFj.aHR0cHM6Ly91bml2ZXJzaXR5LmV4YW1wbGUvbG9nby5wbmc',
    ),
  }),
)

/** An SVG can contain scripts. Opened directly, it must not run scripts or load anything. */
const headers = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }

export const pageRoutes = [
  uploadLogo,
  defineRoute({
    operation: 'retrieveLogoAddress',
    summary: 'Retrieve the address at which this host serves a remote logo, so that visitors contact no other host',
    tag: 'Offers',
    method: 'GET',
    path: '/v2/credentials/logos',
    access: operators('admin', 'issuer', 'managed-issuer'),
    query: z.object({
      url: described(
        LogoUrl,
        'The URL of the logo in a configuration or in the branding',
        'https://university.example/logo.png',
      ),
    }),
    status: 200,
    response: LogoAddress,
    problems: ['bad_request'],
    handle: async ({ query: { url }, deps, tenant }) => ({ address: logoAddressOf(deps, tenant, url) }),
  }),
  defineRoute({
    operation: 'retrieveLogo',
    summary: 'A logo on a page for people',
    tag: 'Offers',
    method: 'GET',
    path: '/o/logos/:key',
    access: anyone,
    params: z.object({ key: z.string().max(3_000) }),
    status: 200,
    response: z.instanceof(Uint8Array),
    representations: {
      media: [
        handlerMedia('image/png'),
        chosenByHandler('image/jpeg'),
        chosenByHandler('image/webp'),
        chosenByHandler('image/gif'),
        chosenByHandler('image/svg+xml'),
      ],
      maxAgeSeconds: 3_600,
    },
    problems: ['not_found'],
    undocumented: true,
    async handle({ params, deps, tenant }) {
      const logo = await findLogo(deps, tenant, params.key)
      if (!logo) throw notFound('key')
      const { type, bytes } = logo
      return new Answer(bytes, { headers, ...(type !== 'image/png' && { as: generatedMedia(type, () => bytes) }) })
    },
  }),
]

import { z } from 'zod'
import { notFound } from '../../../shared/errors.ts'
import { described, named, WebUrl } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { chosenByHandler, given, made } from '../../http/representations/media.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { findLogo, logoAddressOf } from './logos.ts'

const LogoAddress = named(
  'LogoAddress',
  'Where a logo is served for people who look at pages of the tenant',
  z.object({
    address: described(
      z.string(),
      'A path of this host; 404 there where the logo is no picture, or too large',
      '/o/logos/bWFj.aHR0cHM6Ly91bml2ZXJzaXR5LmV4YW1wbGUvbG9nby5wbmc',
    ),
  }),
)

/** A drawing can hold scripts: opened by itself, it runs none and loads nothing. */
const headers = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }

export const pageRoutes = [
  defineRoute({
    operation: 'retrieveLogoAddress',
    summary: 'Tell where this host serves a logo that lies elsewhere, so that who looks at it tells nobody else',
    tag: 'Offers',
    method: 'GET',
    path: '/v2/credentials/logos',
    access: operators('admin', 'issuer', 'managed-issuer'),
    query: z.object({ url: WebUrl.describe('Where the logo lies, as a configuration or the branding has it') }),
    status: 200,
    response: LogoAddress,
    problems: ['bad_request'],
    handle: async ({ query: { url }, deps, tenantId }) => ({ address: logoAddressOf(deps, tenantId, url) }),
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
        given('image/png'),
        chosenByHandler('image/jpeg'),
        chosenByHandler('image/webp'),
        chosenByHandler('image/gif'),
        chosenByHandler('image/svg+xml'),
      ],
      maxAgeSeconds: 3_600,
    },
    problems: ['not_found'],
    undocumented: true,
    async handle({ params, deps, tenantId }) {
      const logo = await findLogo(deps, tenantId, params.key)
      if (!logo) throw notFound('key')
      const { type, bytes } = logo
      return new Answer(bytes, { headers, ...(type !== 'image/png' && { as: made(type, () => bytes) }) })
    },
  }),
]

import { z } from 'zod'
import { notFound } from '../../../shared/errors.ts'
import { Answer } from '../../http/representations/answer.ts'
import { chosenByHandler, given, made } from '../../http/representations/media.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { findLogo } from './logos.ts'

/** A drawing can hold scripts: opened by itself, it runs none and loads nothing. */
const headers = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }

export const pageRoutes = [
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
    async handle({ params, deps }) {
      const logo = await findLogo(deps, params.key)
      if (!logo) throw notFound('key')
      const { type, bytes } = logo
      return new Answer(bytes, { headers, ...(type !== 'image/png' && { as: made(type, () => bytes) }) })
    },
  }),
]

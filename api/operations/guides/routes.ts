import { z } from 'zod'
import { notFound } from '../../../shared/errors/errors.ts'
import { Answer } from '../../http/representations/answer.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { findGuide, guideIndex } from './guides.ts'
import { guidePolicy } from './page.ts'

const common = {
  tag: 'Service',
  method: 'GET',
  host: 'any',
  access: anyone,
  status: 200,
  undocumented: true,
  representations: { media: [handlerMedia('text/html')], maxAgeSeconds: 300 },
} as const

const Name = z.string().max(100)

const answer = (page: string | undefined) => {
  if (page === undefined) throw notFound('name')
  return new Answer(page, { headers: { 'Content-Security-Policy': guidePolicy } })
}

/** Returns the routes of the guides: the pages of the folder `docs`, for people. */
export const guideRoutes = [
  defineRoute({
    ...common,
    operation: 'listGuides',
    summary: 'The list of the guides, for people',
    path: '/docs/guide',
    handle: async () => answer(guideIndex()),
  }),
  defineRoute({
    ...common,
    operation: 'retrieveGuide',
    summary: 'A guide, for people',
    path: '/docs/guide/:name',
    params: z.object({ name: Name }),
    problems: ['not_found'],
    handle: async ({ params }) => answer(findGuide(params.name)),
  }),
  defineRoute({
    ...common,
    operation: 'retrieveDecision',
    summary: 'The record of a decision, for people',
    path: '/docs/guide/decisions/:name',
    params: z.object({ name: Name }),
    problems: ['not_found'],
    handle: async ({ params }) => answer(findGuide(`decisions/${params.name}`)),
  }),
]

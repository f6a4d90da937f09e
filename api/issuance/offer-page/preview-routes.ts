import { z } from 'zod'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import { described, named } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { Appearance, appearanceOf, previewPage, previewPathOf } from './preview.ts'

/** The appearance is in the path, and many proxies refuse longer ones. */
const maxPathLength = 7_000

const PagePreview = named(
  'PagePreview',
  'A preview of the page of an offer',
  z.object({
    page: described(
      z.string(),
      'The path of the page on this host. Everyone who has it can open it for one hour',
      '/o/previews/bWFj.eyJhcHBlYXJhbmNlIjp7fX0',
    ),
  }),
)

export const previewRoutes = [
  defineRoute({
    operation: 'previewSettings',
    changesTenant: false,
    summary: 'Preview the page of an offer with this name and branding. Nothing is stored',
    tag: 'Tenants',
    method: 'POST',
    path: '/v1/settings/preview',
    access: operators('admin'),
    host: 'tenant',
    body: Appearance,
    status: 200,
    response: PagePreview,
    problems: ['bad_request'],
    async handle({ tenantId, body, deps }) {
      const page = previewPathOf(deps, tenantId, body)
      if (page.length > maxPathLength)
        throw wrongField('branding', `Must be smaller. The path of a preview has at most ${maxPathLength} characters`)
      return { page }
    },
  }),
  defineRoute({
    operation: 'showPagePreview',
    summary: 'The page of an example offer, in an appearance that is not saved',
    tag: 'Offers',
    method: 'GET',
    path: '/o/previews/:key',
    access: anyone,
    params: z.object({ key: z.string().max(maxPathLength) }),
    status: 200,
    representations: { media: [handlerMedia('text/html')] },
    problems: ['not_found'],
    undocumented: true,
    async handle({ params, tenant, headers, deps }) {
      const appearance = appearanceOf(deps, tenant.id, params.key)
      if (!appearance) throw notFound('key')
      const page = await previewPage(deps, tenant, headers, appearance)
      return new Answer(page.body, { headers: page.headers })
    },
  }),
]

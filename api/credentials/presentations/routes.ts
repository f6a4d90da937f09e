import { defineRoute, operators } from '../../http/route.ts'
import { requestPresentation } from './request.ts'
import { NewRequest, RequestView } from './schemas.ts'
import { templateRoutes } from './template-routes.ts'

export const presentationRoutes = [
  ...templateRoutes,
  defineRoute({
    operation: 'createPresentationRequest',
    summary: 'Ask a holder for a presentation: a signed message, for a QR code or a link',
    tag: 'Presentations',
    method: 'POST',
    path: '/v2/credentials/web-semantic/presentations/requests',
    access: operators('admin', 'verifier'),
    event: 'PRESENTATION_WEB_SEMANTIC_REQUEST_CREATE',
    body: NewRequest,
    status: 201,
    response: RequestView,
    problems: ['service_unavailable'],
    handle: ({ tenant, body, deps, deadlineAt }) => requestPresentation({ deps, tenant, deadlineAt }, body),
  }),
]

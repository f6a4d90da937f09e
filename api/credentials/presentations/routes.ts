import { defineRoute, operators, type Route } from '../../http/route.ts'
import { requestPresentation } from './request.ts'
import { NewRequest, PresentationToVerify, PresentationVerification, RequestView } from './schemas.ts'
import { presentationTemplateRoutes } from './template-routes.ts'
import { verifyPresentation } from './verify.ts'

const shared = {
  tag: 'Presentations',
  method: 'POST',
  access: operators('admin', 'verifier'),
} satisfies Partial<Route>

export const presentationRoutes = [
  ...presentationTemplateRoutes,
  defineRoute({
    operation: 'createPresentationRequest',
    changesTenant: false,
    summary: 'Create a presentation request: a signed message for a QR code or a link',
    ...shared,
    path: '/v2/credentials/web-semantic/presentations/requests',
    event: 'PRESENTATION_WEB_SEMANTIC_REQUEST_CREATE',
    body: NewRequest,
    status: 201,
    response: RequestView,
    problems: ['service_unavailable'],
    handle: ({ tenant, body, deps, deadlineAt }) => requestPresentation({ deps, tenant, deadlineAt }, body),
  }),
  defineRoute({
    ...shared,
    operation: 'verifyPresentation',
    changesTenant: false,
    summary: 'Verify a presentation: its holder, its challenge and domain, and each of its credentials',
    path: '/v2/credentials/web-semantic/presentations/verify',
    event: 'PRESENTATION_WEB_SEMANTIC_VERIFY',
    body: PresentationToVerify,
    bodyLimitBytes: 500_000,
    status: 200,
    response: PresentationVerification,
    problems: ['service_unavailable'],
    async handle({ deps, deadlineAt, tenantId, body: { presentation, ...expected } }) {
      const failed = await verifyPresentation({ deps, tenantId, deadlineAt }, presentation, expected)
      if (!failed) return { verified: true }
      const { type, message, credential } = failed
      return { verified: false, reason: { type, message, ...(credential === undefined ? {} : { credential }) } }
    },
  }),
]

import { authenticationProviderRoutes } from './authentication-providers/routes.ts'
import { authorizationRoutes } from './authorization/routes.ts'
import { claimSourceRoutes } from './claim-sources/routes.ts'
import { clientRoutes } from './clients/routes.ts'
import { configurationRoutes } from './configurations/routes.ts'
import { credentialRoutes } from './credential/routes.ts'
import { eventRoutes } from './events/routes.ts'
import type { Route } from './http/route.ts'
import { interactionHookRoutes } from './interaction-hook/routes.ts'
import { issuerRoutes } from './issuer/routes.ts'
import { managementTokenRoutes } from './management-token/routes.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { oauthClientRoutes } from './oauth-clients/routes.ts'
import { offerRoutes } from './offers/routes.ts'
import { referenceRoutes } from './reference/routes.ts'
import { serviceRoutes } from './service/routes.ts'
import { tenantRoutes } from './tenants/routes.ts'
import { userRoutes } from './users/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every operation of the service. A new capability adds its line here. */
export const routes: readonly Route[] = [
  ...authenticationProviderRoutes,
  ...authorizationRoutes,
  ...claimSourceRoutes,
  ...clientRoutes,
  ...configurationRoutes,
  ...credentialRoutes,
  ...eventRoutes,
  ...interactionHookRoutes,
  ...issuerRoutes,
  ...managementTokenRoutes,
  ...oauthClientRoutes,
  ...oauthRoutes,
  ...offerRoutes,
  ...referenceRoutes(() => routes),
  ...serviceRoutes,
  ...tenantRoutes,
  ...userRoutes,
  ...webhookRoutes,
]

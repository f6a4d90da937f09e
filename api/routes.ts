import { authenticationProviderRoutes } from './authentication-providers/routes.ts'
import { clientRoutes } from './clients/routes.ts'
import { configurationRoutes } from './configurations/routes.ts'
import { credentialRoutes } from './credential/routes.ts'
import { eventRoutes } from './events/routes.ts'
import type { Route } from './http/route.ts'
import { issuerRoutes } from './issuer/routes.ts'
import { managementTokenRoutes } from './management-token/routes.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { offerRoutes } from './offers/routes.ts'
import { referenceRoutes } from './reference/routes.ts'
import { serviceRoutes } from './service/routes.ts'
import { tenantRoutes } from './tenants/routes.ts'
import { userRoutes } from './users/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every operation of the service. A new capability adds its line here. */
export const routes: readonly Route[] = [
  ...authenticationProviderRoutes,
  ...clientRoutes,
  ...configurationRoutes,
  ...credentialRoutes,
  ...eventRoutes,
  ...issuerRoutes,
  ...managementTokenRoutes,
  ...oauthRoutes,
  ...offerRoutes,
  ...referenceRoutes(() => routes),
  ...serviceRoutes,
  ...tenantRoutes,
  ...userRoutes,
  ...webhookRoutes,
]

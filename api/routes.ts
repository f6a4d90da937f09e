import { clientRoutes } from './clients/routes.ts'
import { configurationRoutes } from './configurations/routes.ts'
import type { Route } from './http/route.ts'
import { managementTokenRoutes } from './management-token/routes.ts'
import { serviceRoutes } from './service/routes.ts'
import { tenantRoutes } from './tenants/routes.ts'

/** Every operation of the service. A new capability adds its line here. */
export const routes: readonly Route[] = [
  ...clientRoutes,
  ...configurationRoutes,
  ...managementTokenRoutes,
  ...serviceRoutes,
  ...tenantRoutes,
]

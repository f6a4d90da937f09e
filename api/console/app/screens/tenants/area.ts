import type { Area } from '../../kit/area.ts'
import { tenantTexts } from './texts.ts'

/** The tenants, for platform operators on the host of the platform. */
export const tenantsArea: Area = {
  path: '/tenants',
  title: tenantTexts.tenants,
  host: 'platform',
  screens: {
    '/': () => import('./tenants.tsx'),
    '/tenants': () => import('./tenants.tsx'),
    '/tenants/new': () => import('./new-tenant.tsx'),
    '/tenants/:id': () => import('./tenant.tsx'),
  },
}

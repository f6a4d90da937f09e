import type { Area } from '../../kit/area.ts'
import { serviceTexts } from './texts.ts'

/** How the whole installation is, for whoever runs it. */
export const serviceArea: Area = {
  path: '/service',
  title: serviceTexts.service,
  roles: [],
  host: 'platform',
  screens: { '/service': () => import('./service.tsx') },
}

import type { Area } from '../../kit/area.ts'
import { serviceTexts } from './texts.ts'

/** The state of the whole installation, for platform operators. */
export const serviceArea: Area = {
  path: '/service',
  title: serviceTexts.service,
  host: 'platform',
  screens: { '/service': () => import('./service.tsx') },
}

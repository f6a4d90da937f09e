import type { Area } from '../../kit/area.ts'
import { settingsTexts } from './texts.ts'

export const settingsArea: Area = {
  path: '/settings',
  title: settingsTexts.settings,
  roles: ['issuer', 'managed-issuer', 'verifier', 'dts-provider'],
  // How the service is doing: what needs attention leads there.
  hasPartForAll: true,
  host: 'tenant',
  screens: { '/settings': () => import('./settings.tsx') },
}

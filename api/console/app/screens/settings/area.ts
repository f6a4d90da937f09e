import type { Area } from '../../kit/area.ts'
import { settingsTexts } from './texts.ts'

export const settingsArea: Area = {
  path: '/settings',
  title: settingsTexts.settings,
  group: 'operation',
  // Every role can open the health tab, to which the overview links.
  hasPartForAll: true,
  host: 'tenant',
  screens: { '/settings': () => import('./settings.tsx') },
}

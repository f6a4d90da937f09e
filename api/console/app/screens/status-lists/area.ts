import type { Area } from '../../kit/area.ts'
import { statusListTexts } from './texts.ts'

export const statusListsArea: Area = {
  path: '/status-lists',
  title: statusListTexts.statusLists,
  group: 'issuing',
  host: 'tenant',
  screens: { '/status-lists': () => import('./status-lists.tsx') },
}

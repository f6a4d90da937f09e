import type { Area } from '../../kit/area.ts'
import { statusListTexts } from './texts.ts'

export const statusListsArea: Area = {
  path: '/status-lists',
  title: statusListTexts.statusLists,
  group: 'issuing',
  roles: ['viewer', 'issuer', 'managed-issuer'],
  host: 'tenant',
  screens: { '/status-lists': () => import('./status-lists.tsx') },
}

import type { Area } from '../../kit/area.ts'
import { accessTexts } from './texts.ts'

export const accessArea: Area = {
  path: '/access',
  title: accessTexts.access,
  group: 'operation',
  host: 'tenant',
  screens: { '/access': () => import('./access.tsx') },
}

import type { Area } from '../../kit/area.ts'
import { overviewTexts } from './texts.ts'

export const overviewArea: Area = {
  path: '/',
  title: overviewTexts.overview,
  host: 'tenant',
  screens: { '/': () => import('./overview.tsx') },
}

import type { Area } from '../../kit/area.ts'
import { bulkTexts } from './texts.ts'

export const bulkArea: Area = {
  path: '/bulk',
  title: bulkTexts.bulk,
  group: 'issuing',
  host: 'tenant',
  screens: {
    '/bulk': () => import('./bulks.tsx'),
    '/bulk/person': () => import('./new-link.tsx'),
    '/bulk/new': () => import('./new-bulk.tsx'),
    '/bulk/:id': () => import('./bulk.tsx'),
  },
}

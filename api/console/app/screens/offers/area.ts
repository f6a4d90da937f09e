import type { Area } from '../../kit/area.ts'
import { offerTexts } from './texts.ts'

export const offersArea: Area = {
  path: '/offers',
  title: offerTexts.offers,
  group: 'issuing',
  host: 'tenant',
  screens: {
    '/offers': () => import('./offers.tsx'),
    '/offers/new': () => import('./new-offer.tsx'),
    '/offers/:id': () => import('./offer.tsx'),
  },
}

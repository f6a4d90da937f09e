import type { Area } from '../../kit/area.ts'
import { certificateTexts } from './texts.ts'

export const certificatesArea: Area = {
  path: '/certificates',
  title: certificateTexts.certificates,
  group: 'trust',
  host: 'tenant',
  screens: {
    '/certificates': () => import('./certificates.tsx'),
    '/certificates/:kind/:id': () => import('./certificate.tsx'),
  },
}

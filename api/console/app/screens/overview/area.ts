import type { Area } from '../../kit/area.ts'
import { overviewTexts } from './texts.ts'

export const overviewArea: Area = {
  path: '/',
  title: overviewTexts.overview,
  roles: [
    'viewer',
    'issuer',
    'managed-issuer',
    'dts-provider',
    'dts-consumer',
    'verifier',
    'auditor',
    'helpdesk',
    'holder',
  ],
  hasPartForAll: true,
  host: 'tenant',
  screens: { '/': () => import('./overview.tsx') },
}

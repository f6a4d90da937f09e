import type { Area } from '../../kit/area.ts'
import { credentialTexts } from './texts.ts'

export const credentialsArea: Area = {
  path: '/credentials',
  title: credentialTexts.credentials,
  group: 'issuing',
  host: 'tenant',
  screens: {
    '/credentials': () => import('./credentials.tsx'),
    '/credentials/sign': () => import('./sign.tsx'),
    '/credentials/revocations': () => import('./bulk-revocation.tsx'),
    '/credentials/revocations/:id': () => import('./revocation-progress.tsx'),
  },
}

import type { Area } from '../../kit/area.ts'
import { verificationTexts } from './texts.ts'

export const verificationArea: Area = {
  path: '/verification',
  title: verificationTexts.verification,
  group: 'trust',
  host: 'tenant',
  screens: { '/verification': () => import('./verification.tsx') },
}

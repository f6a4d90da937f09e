import type { Area } from '../../kit/area.ts'
import { ecosystemTexts } from './texts.ts'

export const ecosystemsArea: Area = {
  path: '/ecosystems',
  title: ecosystemTexts.ecosystems,
  group: 'trust',
  host: 'tenant',
  screens: {
    '/ecosystems': () => import('./ecosystems.tsx'),
    '/ecosystems/new': () => import('./new.tsx'),
    '/ecosystems/certificates': () => import('./certificates/certificates.tsx'),
    '/certificates/ecosystem-ca/:id': () => import('./certificates/certificates.tsx'),
    '/certificates/vical-signer/:id': () => import('./certificates/certificates.tsx'),
    '/certificates/rical-signer/:id': () => import('./certificates/certificates.tsx'),
    '/ecosystems/:id/participants/new': () => import('./participants/new-participant.tsx'),
    '/ecosystems/:id/participants/:participantId': () => import('./participants/participant.tsx'),
    '/ecosystems/:id': () => import('./ecosystem.tsx'),
    '/ecosystems/:id/integrations/certificates': () => import('./integrations/certificates.tsx'),
    '/ecosystems/:id/vicals/:number': () => import('./lists/issue.tsx'),
    '/ecosystems/:id/ricals/:number': () => import('./lists/issue.tsx'),
  },
}

import type { Area } from '../../kit/area.ts'
import { webhookTexts } from './texts.ts'

export const webhooksArea: Area = {
  path: '/webhooks',
  title: webhookTexts.webhooks,
  group: 'operation',
  host: 'tenant',
  screens: {
    '/webhooks': () => import('./webhooks.tsx'),
    '/webhooks/new': () => import('./new-webhook.tsx'),
    '/webhooks/:id': () => import('./webhook.tsx'),
  },
}

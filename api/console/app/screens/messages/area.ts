import type { Area } from '../../kit/area.ts'
import { messagingTexts } from './texts.ts'

export const messagesArea: Area = {
  path: '/messages',
  title: messagingTexts.messages,
  group: 'operation',
  roles: ['issuer', 'managed-issuer'],
  permission: 'inboxes:read',
  host: 'tenant',
  screens: {
    '/messages': () => import('./messages.tsx'),
    '/messages/:id': () => import('./inbox.tsx'),
  },
}

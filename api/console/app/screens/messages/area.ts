import type { Area } from '../../kit/area.ts'
import { messagingTexts } from './texts.ts'

export const messagesArea: Area = {
  path: '/messages',
  title: messagingTexts.messages,
  group: 'operation',
  host: 'tenant',
  screens: {
    '/messages': () => import('./messages.tsx'),
    '/messages/:id': () => import('./inbox.tsx'),
  },
}

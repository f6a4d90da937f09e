import type { Area } from '../../kit/area.ts'
import { eventTexts } from './texts.ts'

export const eventsArea: Area = {
  path: '/events',
  title: eventTexts.events,
  group: 'operation',
  host: 'tenant',
  screens: { '/events': () => import('./events.tsx'), '/events/:id': () => import('./event.tsx') },
}

import type { Area } from '../../kit/area.ts'
import { sessionTexts } from './texts.ts'

/** The name of the user in the menu leads to it, at both hosts. */
const area = {
  path: '/sessions',
  title: sessionTexts.title,
  isShown: () => false,
  screens: { '/sessions': () => import('./sessions.tsx') },
} satisfies Partial<Area>

export const sessionsArea: Area = { ...area, host: 'tenant' }
export const platformSessionsArea: Area = { ...area, host: 'platform' }

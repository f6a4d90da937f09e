import type { Area } from '../../kit/area.ts'
import { userTexts } from './texts.ts'

export const usersArea: Area = {
  path: '/users',
  title: userTexts.users,
  group: 'issuing',
  host: 'tenant',
  screens: {
    '/users': () => import('./users.tsx'),
    '/users/erasures': () => import('./erasures.tsx'),
    '/users/erasures/:id': () => import('./erasure.tsx'),
    '/users/:id': () => import('./user.tsx'),
  },
}

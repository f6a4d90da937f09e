import type { Area } from '../../kit/area.ts'
import { userTexts } from './texts.ts'

export const usersArea: Area = {
  path: '/users',
  title: userTexts.users,
  roles: ['issuer', 'managed-issuer'],
  host: 'tenant',
  screens: {
    '/users': () => import('./users.tsx'),
    '/users/:id': () => import('./user.tsx'),
  },
}

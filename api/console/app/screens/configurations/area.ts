import type { Area } from '../../kit/area.ts'
import { configurationTexts } from './texts.ts'

export const configurationsArea: Area = {
  path: '/configurations',
  title: configurationTexts.configurations,
  group: 'issuing',
  host: 'tenant',
  screens: {
    '/configurations': () => import('./configurations.tsx'),
    '/configurations/new': () => import('./new-configuration.tsx'),
    '/configurations/:profile/:id': () => import('./configuration.tsx'),
  },
}

import { templateRoutes } from './template-routes.ts'

export const presentationRoutes = [...templateRoutes]

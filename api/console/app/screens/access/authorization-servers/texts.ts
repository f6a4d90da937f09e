import { texts } from '../../../kit/language.ts'

export const serverTexts = texts('authorizationServer')

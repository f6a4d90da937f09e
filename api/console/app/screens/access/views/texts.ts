import { texts } from '../../../kit/language.ts'

export const viewTexts = texts('view')

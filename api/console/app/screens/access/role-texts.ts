import { texts } from '../../kit/language.ts'

export const roleTexts = texts('role')

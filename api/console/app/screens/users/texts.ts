import { texts } from '../../kit/language.ts'

export const userTexts = texts('user')

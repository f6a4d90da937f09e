import { texts } from '../kit/language.ts'

export const shellTexts = texts('shell')

import { texts } from '../../kit/language.ts'

export const signingTexts = texts('signing')

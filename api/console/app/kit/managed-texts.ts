import { texts } from './language.ts'

export const managedTexts = texts('managed')

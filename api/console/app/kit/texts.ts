import { texts } from './language.ts'

/** The texts that all screens use. */
export const commonTexts = texts('common')

import { texts } from '../../kit/language.ts'

/** The names of the groups of categories. */
export const groupTexts = texts('group')

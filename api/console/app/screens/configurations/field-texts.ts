import { texts } from '../../kit/language.ts'

/** The labels and hints of the members of a configuration. */
export const fieldTexts = texts('field')

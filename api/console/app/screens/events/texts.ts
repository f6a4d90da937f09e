import { texts } from '../../kit/language.ts'

/** Sentences about a change of an object. `{what}` is its kind, as words of the interface. */
export const verbTexts = texts('verb')

export const eventTexts = texts('event')

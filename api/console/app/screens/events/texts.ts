import { texts } from '../../kit/language.ts'

/** Sentences about what a caller did. `{who}` is the caller, and `{what}` the kind of the object with its article. */
export const verbTexts = texts('verb')

/** Sentences about what a caller could not do. */
export const failedVerbTexts = texts('failedVerb')

export const eventTexts = texts('event')

import { texts } from '../../kit/language.ts'

export const verifyTexts = texts('verify')

/** The checks of a verification, in the order of the service. */
export const stageTexts = texts('stage')

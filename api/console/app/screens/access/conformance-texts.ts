import { texts } from '../../kit/language.ts'

export const conformanceTexts = texts('conformance')

/** The states of a requirement. */
export const stateTexts = texts('conformanceStates')

/** The requirements by their names. */
export const requirementTexts = texts('requirement')

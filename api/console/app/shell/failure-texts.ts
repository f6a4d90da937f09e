import { texts } from '../kit/language.ts'

/** The reasons why a sign-in at a provider failed, by the error code of the service. */
export const failureTexts = texts('failure')

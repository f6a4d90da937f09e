import { type Text, texts } from '../../../kit/language.ts'

export const integrationTexts = texts('integration')

/** The reasons why a list was not accepted, by the error type of the service. */
export const failTexts: Record<string, Text> = texts('fail')

import { type Text, texts } from '../../kit/language.ts'

export const rowTexts = texts('row')

/** The errors of rows by code. The message of the service is in English and has more details. */
export const faultTexts: Readonly<Record<string, Text>> = texts('fault')

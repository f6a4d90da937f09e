import { texts } from '../../kit/language.ts'

export const readerTexts = texts('readers')

import { texts } from '../../kit/language.ts'

export const statusListTexts = texts('statusList')

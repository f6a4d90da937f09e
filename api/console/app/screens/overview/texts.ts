import { texts } from '../../kit/language.ts'

export const overviewTexts = texts('overview')

export const concernTexts = texts('concern')

export const stepTexts = texts('step')

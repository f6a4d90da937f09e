import { texts } from '../../kit/language.ts'

export const attemptChartTexts = texts('attemptChart')

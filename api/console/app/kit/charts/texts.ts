import { texts } from '../language.ts'

export const chartTexts = texts('chart')

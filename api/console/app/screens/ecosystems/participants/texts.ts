import { texts } from '../../../kit/language.ts'

export const participantTexts = texts('participant')

import { texts } from '../../kit/language.ts'

export const templateTexts = texts('template')

export const presentationTexts = texts('presentation')

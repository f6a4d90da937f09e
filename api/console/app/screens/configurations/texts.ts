import { texts } from '../../kit/language.ts'

export const configurationTexts = texts('configuration')

export const profileTexts = texts('profile')

export const profileAbout = texts('profileAbout')

export const exampleTexts = texts('example')

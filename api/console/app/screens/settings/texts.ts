import { texts } from '../../kit/language.ts'

export const settingsTexts = texts('settings')

export const approvalTexts = texts('approval')

export const checkpointTexts = texts('checkpoint')

export const keyTexts = texts('key')

export const healthTexts = texts('health')

export const queueTexts = texts('queue')

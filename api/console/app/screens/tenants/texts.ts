import { texts } from '../../kit/language.ts'

export const tenantTexts = texts('tenant')

export const settingTexts = texts('setting')

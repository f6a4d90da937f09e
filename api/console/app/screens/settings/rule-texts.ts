import { approvalTexts } from './texts.ts'

/** The rules of approvals, by their name in the settings. */
export const ruleTexts = {
  statusChanges: approvalTexts.aboveStatus,
  bulkIssuances: approvalTexts.aboveBulk,
  authorityDeletions: approvalTexts.eachDeletion,
  configurationDeletions: approvalTexts.aboveDeletions,
  expiresAfterHours: approvalTexts.hours,
} as const

import { z } from 'zod'
import { Timestamp } from '../../http/fields.ts'

/** Of control, of direction, and those that end a line: with them a name looks like another one. */
const hiding = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u

const longestName = 255

export const FileName = z
  .string()
  .trim()
  .min(1, 'Must have 1 to 255 characters')
  .max(longestName, 'Must have 1 to 255 characters')
  .refine((name) => !/[\\/]/.test(name) && !/^\.+$/.test(name), 'Must be a name without a folder')
  .refine((name) => !hiding.test(name), 'Must not hold characters of control or of direction')

const Description = z.string().trim().max(1_000, 'Must have at most 1,000 characters')

export const NewEvidence = z.object({ fileDescription: Description.default('').describe('What the file is') })

export const EvidenceUpdate = z.object({
  filename: FileName.optional().describe('Absent: as it is'),
  fileDescription: Description.optional().describe('Absent: as it is'),
})

export const EvidenceView = z.object({
  id: z.string(),
  filename: z.string(),
  fileDescription: z.string(),
  uploadedBy: z.object({ clientId: z.string() }),
  uploadedAt: Timestamp,
})

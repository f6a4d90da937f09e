import { z } from 'zod'
import { described, idOf, Timestamp } from '../../http/fields.ts'

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

const exampleWords = 'The accreditation of 2026'

export const NewEvidence = z.object({
  fileDescription: described(Description.default(''), 'What the file is, at most 1,000 characters', exampleWords),
})

export const EvidenceUpdate = z.object({
  filename: described(FileName, 'What the file is called. Left out: it stays', 'accreditation.pdf').optional(),
  fileDescription: described(Description.default(''), 'What the file is, at most 1,000 characters', exampleWords),
})

export const EvidenceView = z.object({
  id: idOf('evidence'),
  filename: described(z.string(), 'What the file is called', 'accreditation.pdf'),
  fileDescription: described(z.string(), 'What the file is', exampleWords),
  uploadedBy: z
    .object({
      clientId: idOf('client').optional().describe('The management client'),
      managementUserId: z.string().optional().describe('The person who signed in to manage'),
    })
    .describe('Who uploaded it: one of the two'),
  uploadedAt: Timestamp.describe('When it was uploaded'),
})

import { z } from 'zod'
import { Uploader } from '../../access/uploader.ts'
import { described, idOf, Timestamp } from '../../http/fields.ts'

/** Control, direction and line-ending characters. They can make a name look like another one. */
const misleadingCharacters = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u

const maxNameLength = 255

export const FileName = z
  .string()
  .trim()
  .min(1, 'Must have 1 to 255 characters')
  .max(maxNameLength, 'Must have 1 to 255 characters')
  .refine((name) => !/[\\/]/.test(name) && !/^\.+$/.test(name), 'Must be a name without a folder')
  .refine((name) => !misleadingCharacters.test(name), 'Must not contain control or direction characters')

const Description = z.string().trim().max(1_000, 'Must have at most 1,000 characters')

const exampleDescription = 'The accreditation of 2026'

export const NewEvidence = z.object({
  fileDescription: described(
    Description.default(''),
    'The description of the file, at most 1,000 characters',
    exampleDescription,
  ),
})

export const EvidenceUpdate = z.object({
  filename: described(
    FileName,
    'The name of the file. Leave it out to keep the current name.',
    'accreditation.pdf',
  ).optional(),
  fileDescription: described(
    Description.default(''),
    'The description of the file, at most 1,000 characters',
    exampleDescription,
  ),
})

export const EvidenceView = z.object({
  id: idOf('evidence'),
  filename: described(z.string(), 'The name of the file', 'accreditation.pdf'),
  fileDescription: described(z.string(), 'The description of the file', exampleDescription),
  uploadedBy: Uploader,
  uploadedAt: Timestamp.describe('When it was uploaded'),
})

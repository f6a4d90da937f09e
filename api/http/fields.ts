import { z } from 'zod'

/** Field schemas that several resources share. */
export const Uuid = z.uuid()

/** Free-form claims: any JSON object. What JSON could hide in it was refused when the body was parsed. */
export const Claims = z.record(z.string(), z.unknown())

export const Name = z.string().trim().min(1).max(200)

/** ISO 8601 in UTC, with milliseconds. */
export const Timestamp = z.iso.datetime()

import { z } from 'zod'

const longestYears = 100

const member = (mostPerYear: number) =>
  z
    .int()
    .min(0)
    .max(mostPerYear * longestYears)
    .exactOptional()

/** A calendar duration: at least one member above zero, none longer than 100 years. */
export const ExpiresIn = z
  .object({
    years: member(1),
    months: member(12),
    weeks: member(53),
    days: member(366),
    hours: member(366 * 24),
    minutes: member(366 * 24 * 60),
    seconds: member(366 * 24 * 3600),
  })
  .refine((duration) => Object.values(duration).some((value) => value !== undefined && value > 0), {
    message: 'Needs a member above zero',
  })

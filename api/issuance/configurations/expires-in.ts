import { z } from 'zod'
import { described, named } from '../../http/fields.ts'

const maxYears = 100

const member = (maxPerYear: number) =>
  z
    .int()
    .min(0)
    .max(maxPerYear * maxYears)
    .exactOptional()

/** A calendar duration: at least one member above zero, none longer than 100 years. */
export const ExpiresIn = named(
  'CalendarDuration',
  'A duration in the UTC calendar. All members are added. At least one must be above zero, and none may exceed 100 years',
  z.object({
    years: described(member(1), 'From 0 to 100', 1),
    months: described(member(12), 'From 0 to 1,200', 6),
    weeks: member(53).describe('From 0 to 5,300'),
    days: member(366).describe('From 0 to 36,600'),
    hours: member(366 * 24).describe('From 0 to 878,400'),
    minutes: member(366 * 24 * 60).describe('From 0 to 52,704,000'),
    seconds: member(366 * 24 * 3600).describe('From 0 to 3,162,240,000'),
  }),
).refine((duration) => Object.values(duration).some((value) => value !== undefined && value > 0), {
  message: 'Set at least one of years, months, weeks, days, hours, minutes and seconds above zero',
})

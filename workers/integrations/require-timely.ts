import { clocksApartMs } from '../../shared/formats/trusted-lists/kinds.ts'
import { ListError } from './list-error.ts'

interface Times {
  date: Date
  nextUpdate: Date | undefined
  notAfter?: Date | undefined
}

/** Throws a `ListError` for a list that is from the future, has ended, or is older than the last valid one. */
export function requireTimely(
  { date, nextUpdate, notAfter }: Times,
  { at, lastDate }: { at: Date; lastDate?: Date },
): void {
  if (date.getTime() > at.getTime() + clocksApartMs) {
    throw new ListError(
      'DateInFuture',
      `The date of the list, ${date.toISOString()}, is in the future. Ask the publisher, or check the clock of this service.`,
    )
  }
  // Only this check detects that an old list is replayed.
  const end = [nextUpdate, notAfter].find((each) => each && each <= at)
  if (end) throw new ListError('Expired', expiredAt(end))
  if (lastDate && date < lastDate) {
    throw new ListError(
      'Outdated',
      `The date of the list, ${date.toISOString()}, is before the date of the last valid list, ${lastDate.toISOString()}. ${acceptAnyway}`,
    )
  }
}

/** The next step of an operator whose list is older than the last valid one. */
export const acceptAnyway = 'Ask the publisher. To accept the list, remove the integration and add it again.'

function expiredAt(end: Date): string {
  return `The list expired, or its next update was due, at ${end.toISOString()}. The publisher has no newer list. Ask the publisher.`
}

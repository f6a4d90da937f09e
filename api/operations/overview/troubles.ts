import type { DueIntegrationRow } from '../../../db/repos/ecosystems/due-integrations.ts'
import type { TroubledPublication } from '../../../db/repos/ecosystems/troubled-lists.ts'
import type { TroubledWebhook } from '../../../db/repos/operations/webhooks/troubled-webhooks.ts'
import type { LateList } from '../../../db/repos/status/late-lists.ts'
import { dayMs, hourMs, minuteMs, plusMs } from '../../../shared/clock.ts'
import { listLabelOf } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { listUrlFor } from '../../access/shown-to.ts'
import type { Caller } from '../../access/subjects.ts'
import type { Severity } from './severity.ts'

/** Lists are normally published within seconds. */
export const listIsLateAfterMs = 5 * minuteMs
export const deliveryIsLateAfterMs = 15 * minuteMs
export const publicationEndsWithinMs = 14 * dayMs

export function presentLateList({ id, kind, renewAt, expiresAt, changedAt }: LateList, at: Date) {
  const late = plusMs(at, -listIsLateAfterMs)
  const [reason, since] =
    expiresAt && expiresAt <= at
      ? (['expired', expiresAt] as const)
      : changedAt && changedAt <= late
        ? (['changesMissing', changedAt] as const)
        : (['notRenewed', renewAt ?? at] as const)
  const isCritical = reason === 'expired' || at.getTime() - since.getTime() >= hourMs
  const severity: Severity = isCritical ? 'critical' : 'warning'
  return { id, profile: kind, reason, since: since.toISOString(), severity }
}

export function presentTroubledWebhook(
  { id, url, disabled, failures, failingSince, pausedUntil, waitingSince }: TroubledWebhook,
  at: Date,
) {
  const since = failingSince ?? waitingSince
  const reason = disabled ? 'disabled' : failingSince ? 'failing' : 'waiting'
  const isLong = since !== null && at.getTime() - since.getTime() >= dayMs
  const severity: Severity = disabled ? (failingSince ? 'warning' : 'notice') : isLong ? 'critical' : 'warning'
  return {
    ...{ id, url, reason, failures, severity },
    ...(since && { since: since.toISOString() }),
    ...(pausedUntil && pausedUntil > at && { pausedUntil: pausedUntil.toISOString() }),
    ...(waitingSince && { waitingSince: waitingSince.toISOString() }),
  }
}

/** Returns nothing if the list has been due for less than an hour. */
export function presentTroubledPublication(
  { ecosystemId, kind, failingSince, failure, dueSince, nextUpdate }: TroubledPublication,
  at: Date,
) {
  const isDueForLong = dueSince !== null && at.getTime() - dueSince.getTime() >= hourMs
  const isEnding = nextUpdate !== null && nextUpdate <= plusMs(at, publicationEndsWithinMs)
  if (!failingSince && !isDueForLong && !isEnding) return []
  const reason = failingSince ? 'failed' : isDueForLong ? 'due' : 'ending'
  const since = failingSince ?? (isDueForLong ? dueSince : null)
  const severity: Severity = nextUpdate && nextUpdate <= plusMs(at, 3 * dayMs) ? 'critical' : 'warning'
  return [
    {
      ...{ ecosystemId, list: listLabelOf(kind), reason, severity },
      ...(since && { since: since.toISOString() }),
      ...(nextUpdate && { nextUpdate: nextUpdate.toISOString() }),
      ...(failingSince && failure !== null && { failure }),
    },
  ]
}

export function presentFailingIntegration(
  { ecosystemId, url, failures, result, succeededAt, createdAt }: DueIntegrationRow,
  caller: Caller,
  at: Date,
) {
  const goodUntil = succeededAt ?? createdAt
  const severity: Severity = at.getTime() - goodUntil.getTime() >= 7 * dayMs ? 'critical' : 'warning'
  return {
    ...{ ecosystemId, url: listUrlFor(caller, url), failures, severity },
    reasons: (result?.failReasons ?? []).map(({ type }) => type),
    ...(succeededAt && { since: succeededAt.toISOString() }),
  }
}

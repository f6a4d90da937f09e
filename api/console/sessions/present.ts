import type { z } from 'zod'
import type { ListedConsoleSession } from '../../../db/repos/console/listed-sessions.ts'
import { minuteMs } from '../../../shared/clock.ts'
import type { Caller } from '../../access/subjects.ts'
import type { ConsoleSessionView } from './schemas.ts'

/** Colleagues see when a session was used only in these steps. */
const lastUseStepMs = 10 * minuteMs

export function presentConsoleSession(
  session: ListedConsoleSession,
  caller: Pick<Caller, 'consoleSessionId'>,
): z.output<typeof ConsoleSessionView> {
  const { id, kind, clientId, managementUserId, lastUsedAt, createdAt, expiresAt } = session
  return {
    ...{ id, kind },
    ...(clientId !== null && { clientId }),
    ...(managementUserId !== null && { managementUserId }),
    name: session.clientName ?? session.managementUserName ?? managementUserId ?? '',
    roles: session.clientRoles ?? session.roles ?? [],
    isCurrent: id === caller.consoleSessionId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: roundedDown(lastUsedAt).toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

function roundedDown(at: Date): Date {
  return new Date(Math.floor(at.getTime() / lastUseStepMs) * lastUseStepMs)
}

import type { Area } from '../kit/area.ts'
import { accessArea } from '../screens/access/area.ts'
import { bulkArea } from '../screens/bulk/area.ts'
import { certificatesArea } from '../screens/certificates/area.ts'
import { configurationsArea } from '../screens/configurations/area.ts'
import { credentialsArea } from '../screens/credentials/area.ts'
import { ecosystemsArea } from '../screens/ecosystems/area.ts'
import { eventsArea } from '../screens/events/area.ts'
import { messagesArea } from '../screens/messages/area.ts'
import { offersArea } from '../screens/offers/area.ts'
import { overviewArea } from '../screens/overview/area.ts'
import { serviceArea } from '../screens/service/area.ts'
import { platformSessionsArea, sessionsArea } from '../screens/sessions/area.ts'
import { settingsArea } from '../screens/settings/area.ts'
import { statusListsArea } from '../screens/status-lists/area.ts'
import { tenantsArea } from '../screens/tenants/area.ts'
import { usersArea } from '../screens/users/area.ts'
import { verificationArea } from '../screens/verification/area.ts'
import { walletArea } from '../screens/wallet/area.ts'
import { webhooksArea } from '../screens/webhooks/area.ts'

/** The areas in the order of the menu. Add a new area here. */
export const areas: readonly Area[] = [
  overviewArea,
  offersArea,
  bulkArea,
  usersArea,
  credentialsArea,
  configurationsArea,
  statusListsArea,
  walletArea,
  verificationArea,
  certificatesArea,
  ecosystemsArea,
  webhooksArea,
  messagesArea,
  eventsArea,
  accessArea,
  settingsArea,
  sessionsArea,
  tenantsArea,
  serviceArea,
  platformSessionsArea,
]

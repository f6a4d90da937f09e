import type { Command } from './command.ts'
import { api } from './commands/api.ts'
import { approveRequest, findApprovals, rejectRequest } from './commands/approvals.ts'
import { verifyAudit } from './commands/audit.ts'
import { authorizationServerCommands } from './commands/authorization-servers.ts'
import { bulkCommands } from './commands/bulk.ts'
import { ceremonyCommands } from './commands/ceremony.ts'
import { listCertificateEnds } from './commands/certificates.ts'
import { completionOf } from './commands/completion.ts'
import {
  applyConfig,
  configSchema,
  driftConfig,
  exportConfig,
  initConfig,
  planConfig,
  validateConfig,
} from './commands/config.ts'
import { printConfigurations } from './commands/configurations.ts'
import { createRoot } from './commands/create-root.ts'
import { findCredentials, revokeCredentials } from './commands/credentials.ts'
import { doctor } from './commands/doctor.ts'
import { tailEvents } from './commands/events.ts'
import { exportUser } from './commands/export-user.ts'
import { findOffers, showOffer, showTimeline } from './commands/find-offers.ts'
import { keyCommands } from './commands/keys.ts'
import { listLinks, renewLinks } from './commands/links.ts'
import { listenToWebhooks } from './commands/listen.ts'
import { load } from './commands/load.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { offerCredentials } from './commands/offers.ts'
import { listProfiles } from './commands/profiles.ts'
import { listPublished } from './commands/published.ts'
import { listReaders } from './commands/readers.ts'
import { deleteRole, listRoles, setRole, showRole } from './commands/roles.ts'
import { endSessions, findSessions } from './commands/sessions.ts'
import { importUsers } from './commands/users.ts'
import { viewCommands } from './commands/views.ts'
import { replayWebhook, triggerWebhook } from './commands/webhooks.ts'
import { whoami } from './commands/whoami.ts'

const withoutCompletion = [
  ...[login, logout, whoami, listProfiles, doctor],
  ...[initConfig, exportConfig, validateConfig, planConfig, applyConfig, driftConfig, configSchema],
  ...[printConfigurations, offerCredentials, findOffers, showOffer, showTimeline],
  ...[...bulkCommands, listLinks, renewLinks, findCredentials, revokeCredentials, importUsers, exportUser],
  ...[listenToWebhooks, triggerWebhook, replayWebhook],
  ...[findApprovals, approveRequest, rejectRequest, findSessions, endSessions],
  ...[listRoles, showRole, setRole, deleteRole],
  ...[
    tailEvents,
    verifyAudit,
    createRoot,
    listCertificateEnds,
    listPublished,
    listReaders,
    ...viewCommands,
    ...authorizationServerCommands,
    ...keyCommands,
    ...ceremonyCommands,
    load,
    api,
  ],
]

export const commands: readonly Command[] = [...withoutCompletion, completionOf(withoutCompletion)]

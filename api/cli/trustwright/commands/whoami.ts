import { dataOf } from '../../../../shared/client/client.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import type { Command } from '../command.ts'
import { clientOfVariables, findProfile, profileNameOf } from '../profiles.ts'

export const whoami: Command = {
  name: 'whoami',
  usage: '',
  summary: 'Show the client or the person, the tenant, the roles, the address and the end of the session',
  options: {},
  examples: ['trustwright whoami', 'trustwright whoami --profile production --json'],
  async run(call) {
    const { env } = call.terminal
    const { baseUrl } = findProfile(env, call.profile)
    const isOfVariables = call.profile === undefined && clientOfVariables(env) !== undefined
    const profile = isOfVariables ? undefined : profileNameOf(env, call.profile)
    const subject = await dataOf((await call.client()).GET('/console/session'))
    const { name, clientId, managementUserId, tenantName, tenantId, roles, until, idleUntil } = subject
    const id = clientId === undefined ? `person ${managementUserId}` : `client ${clientId}`
    const lines = [
      `Name:    ${terminalText(`${name} (${id})`)}`,
      `Tenant:  ${terminalText(tenantName)} (${tenantId})`,
      `Roles:   ${roles.join(', ')}`,
      `Address: ${baseUrl}`,
      `Profile: ${profile ?? 'none, the client is that of the variables TRUSTWRIGHT_*'}`,
      ...(until === undefined ? [] : [`Session: until ${until}, or until ${idleUntil} if it is not used`]),
    ]
    call.print({ ...subject, baseUrl, ...(profile !== undefined && { profile }) }, lines.join('\n'))
  },
}

import { writeFileSync } from 'node:fs'
import { grantablePermissions } from '../../shared/access/own-roles.ts'
import { type Role, tenantRoles } from '../../shared/access/roles.ts'
import type { Route } from '../http/route.ts'
import { tags } from '../operations/reference/tags.ts'
import { routes } from '../routes.ts'

/** `npm run docs:roles`: writes docs/roles.md from the roles of the operations. */
const page = new URL('../../docs/roles.md', import.meta.url)

const roles: readonly Role[] = [...tenantRoles, 'platform']

/** Returns the text of the page. */
export function printRoles(): string {
  const byTag = Map.groupBy(routes.filter(isOfOperators), ({ tag }) => tag.toLowerCase())
  const rows = tags.flatMap(({ name }) => {
    const ofTag = byTag.get(name.toLowerCase())
    return ofTag ? [`| ${[name, ...roles.map((role) => rightsOf(role, ofTag))].join(' | ')} |`] : []
  })
  const head = [`| Group | ${roles.map((role) => `\`${role}\``).join(' | ')} |`, `|---|${'---|'.repeat(roles.length)}`]
  return `${introduction}\n\n${[...head, ...rows].join('\n')}\n`
}

function isOfOperators({ access, undocumented }: Route): boolean {
  return access.kind === 'operators' && !undocumented
}

/** Returns what a role can do with the operations of a group. `some`: not with all of them. */
function rightsOf(role: Role, ofTag: readonly Route[]): string {
  const isAllowed = ({ access }: Route) => access.kind === 'operators' && access.roles.includes(role)
  const [reads, writes] = [
    ofTag.filter(({ method }) => method === 'GET'),
    ofTag.filter(({ method }) => method !== 'GET'),
  ]
  const rights = [rightOf('read', reads.filter(isAllowed).length, reads.length)]
  rights.push(rightOf('write', writes.filter(isAllowed).length, writes.length))
  return rights.filter((right) => right !== '').join(', ') || '-'
}

function rightOf(right: 'read' | 'write', allowed: number, all: number): string {
  if (allowed === 0) return ''
  return allowed === all ? right : `${right} some`
}

/** The permissions of own roles, as Markdown. */
const grantable = grantablePermissions.map((each) => `\`${each}\``).join(', ')

const introduction = `# Roles

A management client has one or more roles. A person who signs in to the console gets roles from a claim of the sign-in provider. An operation accepts
each caller that has one of its roles. Other callers get 403.

This page is printed from the operations. Do not edit it: run \`npm run docs:roles\`.

| Role | For |
|---|---|
| \`admin\` | The administrators of a tenant: all operations of the tenant. |
| \`issuer\`, \`managed-issuer\` | Programs and people who issue credentials and revoke them. Both have the same rights. |
| \`verifier\` | Programs that verify credentials and presentations. |
| \`dts-provider\` | The operators of an ecosystem: participants, policies, trusted lists and their certificates. |
| \`dts-consumer\` | Programs that read an ecosystem. |
| \`viewer\` | People who look and change nothing: what an \`admin\` reads, without personal data and secrets. Users, credentials, offers, rows of bulk issuances, webhooks, claim sources, the interaction hook, sign-in providers of holders, messages, contacts and evidence are not shown. Of the URLs of external lists, only the origins are shown. |
| \`helpdesk\` | People who answer questions: they find people, offers and claim links by label, external id and id, see states, failures and timelines, and renew and revoke claim links. They see no claims, no secret addresses of offers, no results of bulk issuances and no messages about wrong rows, and cannot search by claims. A renewal shows the new address of the claim link and its transaction code: the person on the phone needs both. The audit names who renewed it. |
| \`auditor\` | People who read events, the audit and the overview. |
| \`approver\` | People who [approve requests](approvals.md) of others, and nothing else. |
| \`holder\` | Programs that manage wallet applications. |
| \`platform\` | The operator of the service: tenants and their clients. Only clients of the platform host have this role. |

- \`POST /v1/tenants/{tenantId}/clients\` with \`roles\` creates a client. Clients with \`admin\` or \`platform\` can do this.
- A change of the roles of a client applies to its next request, also with a token that it has already.
- Give each program its own client, with the role that it needs. Then its requests have its name in events and the audit.
- \`GET /v1/tenants/{tenantId}/clients\` shows the \`permissions\` of each client. They follow from its roles.
- The reference at \`/docs\` names the roles and the permission of each operation.

## Own roles

A tenant can define up to 50 roles of its own, as lists of permissions. They are a member of its settings, so that configuration files contain them too:

\`\`\`sh
curl -X PUT "https://university.example/v1/settings?partial=true" -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"roles": [{"name": "front-desk", "description": "The front desk", "permissions": ["users:find", "offers:*"]}]}'
\`\`\`

The [command line](command-line.md#commands) does the same with one role, and keeps the others:

\`\`\`sh
trustwright roles set front-desk --permissions 'users:find,offers:*' --description 'The front desk'
\`\`\`

- A permission is \`resource:action\`. \`find\` shows objects without claims and without secret addresses, \`read\` shows all of them, \`write\` changes them, and \`*\` is all of it. \`write\` does not include \`read\`. A PUT with \`partial=true\` needs both.
- Clients have own roles as they have those of the service. The sign-in provider of the console gives them to people.
- A change of an own role applies to the next request in all processes, also with tokens and console sessions that exist already.
- A role that a client or the sign-in provider has cannot be removed: 409 names who has it. A PUT of the settings without \`roles\` keeps them.
- Operations that give rights stay with \`admin\`: changes of clients, of their secrets, of the settings and of the sign-in provider, and configuration files. So a client or a person can only grant permissions that it has.
- The console shows people with own roles the screens and the buttons whose requests the service accepts from them. A form also needs what it shows: a new offer needs \`offers:write\`, \`offers:find\` and \`configurations:read\`. A screen that is opened by its address without the permission names the permission.
- The permissions are ${grantable}.

## What each role can do

*read* means the operations with GET, and *write* all others. *some* means that the role can use only a part of them.`

if (import.meta.main) writeFileSync(page, printRoles())

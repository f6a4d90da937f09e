import { permissionsOf, tenantRoles } from '../../../../shared/access/roles.ts'
import { type ApiClient, type components, dataOf, TrustwrightError } from '../../../../shared/client/client.ts'
import { nearestWord } from '../../../../shared/nearest-word.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, type CommandCall, textOf, UsageError } from '../command.ts'

type OwnRole = components['schemas']['OwnRole']
type ListedRole = OwnRole & { isBuiltIn: boolean }

export const listRoles: Command = {
  name: 'roles list',
  usage: '',
  summary: 'List the roles that clients and people can have: own ones of the tenant, and those of the service',
  options: {},
  examples: ['trustwright roles list', 'trustwright roles list --json'],
  async run(call) {
    const { roles } = await readRoles(await call.client())
    const all = withBuiltIn(roles)
    const width = Math.max(...all.map(({ name }) => name.length))
    for (const role of all) {
      const of = role.isBuiltIn ? 'of the service' : 'own           '
      call.print(role, [role.name.padEnd(width), of, role.permissions.join(',')].join('  '))
    }
  },
}

export const showRole: Command = {
  name: 'roles show',
  usage: 'NAME',
  summary: 'Show the description and the permissions of a role',
  options: {},
  examples: ['trustwright roles show front-desk', 'trustwright roles show issuer'],
  async run(call) {
    const name = nameOf(call)
    const { roles } = await readRoles(await call.client())
    const all = withBuiltIn(roles)
    const role = all.find((each) => each.name === name)
    if (!role) throw unknownRole(name, all)
    call.print(role, textOfRole(role))
  },
}

export const setRole: Command = {
  name: 'roles set',
  usage: 'NAME',
  summary: 'Create an own role of the tenant, or replace its permissions or its description',
  options: {
    permissions: {
      type: 'string',
      value: 'LIST',
      help: 'All permissions of the role, separated by commas. A role that exists keeps its own without this option',
    },
    description: {
      type: 'string',
      value: 'TEXT',
      help: 'Who has the role. A role that exists keeps its own without this option. An empty text removes it',
    },
  },
  details: [
    'A permission is resource:action, such as users:find. A wrong one is refused with those that are possible.',
    'The change applies to the next request of each client and person with the role.',
  ],
  examples: [
    "trustwright roles set front-desk --permissions 'users:find,offers:*' --description 'The front desk'",
    'trustwright roles set front-desk --permissions users:find',
  ],
  async run(call) {
    const name = nameOf(call)
    const [permissions, description] = [permissionsIn(call), textOf(call, 'description')]
    if (permissions === undefined && description === undefined)
      throw new UsageError('Give --permissions, or --description for a role that exists')
    const client = await call.client()
    const { roles, etag } = await readRoles(client)
    const before = roles.find((each) => each.name === name)
    if (!before && permissions === undefined) throw unknownRole(name, roles, 'Give --permissions to create it.')
    const text = description ?? before?.description
    const role: OwnRole = {
      name,
      ...(text && { description: text }),
      permissions: permissions ?? before?.permissions ?? [],
    }
    await writeRoles(client, before ? roles.map((each) => (each === before ? role : each)) : [...roles, role], etag)
    call.print(role, `${before ? 'Changed' : 'Created'} the role ${role.name}\n${textOfRole(role)}`)
  },
}

export const deleteRole: Command = {
  name: 'roles delete',
  usage: 'NAME',
  summary: 'Delete an own role of the tenant. A role that a client or the sign-in provider has is refused',
  options: {},
  examples: ['trustwright roles delete front-desk'],
  async run(call) {
    const name = nameOf(call)
    const client = await call.client()
    const { roles, etag } = await readRoles(client)
    const role = roles.find((each) => each.name === name)
    if (!role) throw unknownRole(name, roles)
    const others = roles.filter((each) => each !== role)
    await writeRoles(client, others, etag)
    call.print(role, `Deleted the role ${name}`)
  },
}

/** Returns the own roles, and the version of the settings of which they are a part. */
async function readRoles(client: ApiClient): Promise<{ roles: OwnRole[]; etag: string | undefined }> {
  const request = client.GET('/v1/settings')
  const { roles } = await dataOf(request)
  return { roles, etag: (await request).response.headers.get('ETag') ?? undefined }
}

/** Replaces the own roles and keeps the other settings. Refuses a change of settings that were changed after they were read. */
async function writeRoles(client: ApiClient, roles: OwnRole[], etag: string | undefined): Promise<void> {
  const params = { query: { partial: 'true' as const }, header: etag === undefined ? {} : { 'If-Match': etag } }
  await dataOf(client.PUT('/v1/settings', { params, body: { roles } })).catch((error) => {
    if (!(error instanceof TrustwrightError) || error.status !== 412) throw error
    throw new UsageError('The settings of the tenant were changed at the same time. Run the command again.')
  })
}

function withBuiltIn(roles: readonly OwnRole[]): ListedRole[] {
  return [
    ...roles.map((role) => ({ ...role, isBuiltIn: false })),
    ...tenantRoles.map((name) => ({ name, permissions: permissionsOf([name]), isBuiltIn: true })),
  ]
}

function nameOf({ positionals: [name] }: CommandCall): string {
  if (name === undefined) throw new UsageError('Give the name of a role. trustwright roles list shows the names')
  return name
}

function permissionsIn(call: CommandCall): string[] | undefined {
  return textOf(call, 'permissions')
    ?.split(',')
    .map((permission) => permission.trim())
    .filter((permission) => permission !== '')
}

function unknownRole(name: string, roles: readonly OwnRole[], advice?: string): UsageError {
  const nearest = nearestWord(
    name,
    roles.map((each) => each.name),
  )
  const sentences = [
    `There is no role "${terminalText(name)}".`,
    ...(nearest === undefined ? [] : [`Did you mean "${nearest}"?`]),
    advice ?? '"trustwright roles list" shows the roles.',
  ]
  return new UsageError(sentences.join(' '))
}

function textOfRole({ name, description, permissions }: OwnRole): string {
  const lines = [
    `Name:        ${name}`,
    ...(description === undefined ? [] : [`Description: ${terminalText(description)}`]),
    `Permissions: ${permissions.join(', ')}`,
  ]
  return lines.join('\n')
}

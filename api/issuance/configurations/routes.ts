import { z } from 'zod'
import {
  type ConfigurationRow,
  findConfiguration,
  listConfigurations,
} from '../../../db/repos/issuance/configurations.ts'
import { type CredentialProfile, credentialProfiles, profiles } from '../../../shared/domain/issuance/profiles.ts'
import type { Versioned } from '../../http/collection.ts'
import { create, listOf, remove, replace, retrieve } from '../../http/crud.ts'
import { PageQuery } from '../../http/page.ts'
import { operators, type Route } from '../../http/route.ts'
import { removeConfiguration } from './delete.ts'
import { presentConfiguration } from './present.ts'
import { type ConfigurationProfile, configurationProfiles } from './profiles.ts'
import { createConfiguration, replaceConfiguration } from './save.ts'

const ListQuery = PageQuery.extend({
  type: z.string().max(500).optional().describe('Returns only configurations of this type'),
})

/** The same five operations for every profile. */
export const configurationRoutes: Route[] = credentialProfiles.flatMap((profile) => routesOf(profile))

function routesOf<Profile extends CredentialProfile>(profile: Profile): Route[] {
  const { word, tag, eventPrefix, body, view }: ConfigurationProfile<Profile> = configurationProfiles[profile]
  const configurations: Versioned<ConfigurationRow> = {
    tag,
    access: operators('admin', 'issuer', 'managed-issuer'),
    path: `/v2/credentials/${profile}/configurations`,
    id: 'id',
    events: eventPrefix,
    view,
    hasVersions: true,
    present: presentConfiguration,
  }
  return [
    create(configurations, {
      operation: `create${word}Configuration`,
      summary: `Create a ${profile} credential configuration`,
      body,
      ...(profiles[profile].hasUniqueTypes && { unique: ['type'] }),
      problems: ['conflict'],
      handle: ({ tenant, body, deps, write }) => createConfiguration(deps, write, tenant, profile, body),
    }),
    listOf(configurations, {
      operation: `retrieve${word}Configurations`,
      summary: `List the ${profile} credential configurations`,
      query: ListQuery,
      rows: ({ tenantId, query, deps }) => listConfigurations(deps.db.read, tenantId, profile, query),
    }),
    retrieve(configurations, {
      operation: `retrieve${word}Configuration`,
      summary: `Retrieve a ${profile} credential configuration`,
      async find({ tenantId, id, deps }) {
        const row = await findConfiguration(deps.db.read, tenantId, id)
        return row?.profile === profile ? row : undefined
      },
    }),
    replace(configurations, {
      operation: `update${word}Configuration`,
      summary: `Replace a ${profile} credential configuration`,
      body,
      problems: ['conflict'],
      handle: ({ tenant, id, body, deps, requireMatch }) =>
        replaceConfiguration(deps, tenant, profile, id, body, requireMatch),
    }),
    remove(configurations, {
      operation: `delete${word}Configuration`,
      summary: `Delete a ${profile} credential configuration that no usable offer names`,
      problems: ['conflict'],
      handle: ({ tenantId, id, deps }) => removeConfiguration(deps, tenantId, profile, id),
    }),
  ]
}

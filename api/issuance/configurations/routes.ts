import { z } from 'zod'
import { findConfiguration, listConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { notFound } from '../../../shared/errors.ts'
import { Uuid } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators, type Route } from '../../http/route.ts'
import { removeConfiguration } from './delete.ts'
import { presentConfiguration } from './present.ts'
import { type ConfigurationProfile, configurationProfiles } from './profiles.ts'
import { createConfiguration, replaceConfiguration } from './save.ts'

const Params = z.object({ id: Uuid })
const ListQuery = PageQuery.extend({
  type: z.string().max(200).optional().describe('Only configurations of this type'),
})
const access = operators('admin', 'issuer', 'managed-issuer')

/** The same five operations for every profile. */
export const configurationRoutes: Route[] = configurationProfiles.flatMap((each) => [
  createRoute(each),
  listRoute(each),
  retrieveRoute(each),
  updateRoute(each),
  deleteRoute(each),
])

function pathOf(profile: string): string {
  return `/v2/credentials/${profile}/configurations`
}

function createRoute({ profile, word, tag, eventPrefix, body: Body, view }: ConfigurationProfile): Route {
  return defineRoute({
    operation: `create${word}Configuration`,
    summary: `Create a ${profile} credential configuration`,
    tag,
    method: 'POST',
    path: pathOf(profile),
    access,
    event: `${eventPrefix}_CREATE`,
    body: Body,
    status: 201,
    response: view,
    problems: ['bad_request', 'conflict'],
    async handle({ tenantId, body, deps }) {
      return presentConfiguration(await createConfiguration(deps, tenantId, profile, body))
    },
  })
}

function listRoute({ profile, word, tag, eventPrefix, view }: ConfigurationProfile): Route {
  return defineRoute({
    operation: `retrieve${word}Configurations`,
    summary: `List the ${profile} credential configurations`,
    tag,
    method: 'GET',
    path: pathOf(profile),
    access,
    event: `${eventPrefix}_RETRIEVE_LIST`,
    query: ListQuery,
    status: 200,
    response: pageOf(view),
    problems: ['bad_request'],
    async handle({ tenantId, query, deps }) {
      const rows = await listConfigurations(deps.db.read, tenantId, profile, query)
      return toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }), presentConfiguration)
    },
  })
}

function retrieveRoute({ profile, word, tag, eventPrefix, view }: ConfigurationProfile): Route {
  return defineRoute({
    operation: `retrieve${word}Configuration`,
    summary: `Retrieve a ${profile} credential configuration`,
    tag,
    method: 'GET',
    path: `${pathOf(profile)}/:id`,
    access,
    event: `${eventPrefix}_RETRIEVE`,
    params: Params,
    status: 200,
    response: view,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, deps }) {
      const row = await findConfiguration(deps.db.read, tenantId, params.id)
      if (row?.profile !== profile) throw notFound('id', params.id)
      return presentConfiguration(row)
    },
  })
}

function updateRoute({ profile, word, tag, eventPrefix, body: Body, view }: ConfigurationProfile): Route {
  return defineRoute({
    operation: `update${word}Configuration`,
    summary: `Replace a ${profile} credential configuration`,
    tag,
    method: 'PUT',
    path: `${pathOf(profile)}/:id`,
    access,
    event: `${eventPrefix}_UPDATE`,
    params: Params,
    body: Body,
    status: 200,
    response: view,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params, body, deps }) {
      return presentConfiguration(await replaceConfiguration(deps, tenantId, profile, params.id, body))
    },
  })
}

function deleteRoute({ profile, word, tag, eventPrefix }: ConfigurationProfile): Route {
  return defineRoute({
    operation: `delete${word}Configuration`,
    summary: `Delete a ${profile} credential configuration that no usable offer names`,
    tag,
    method: 'DELETE',
    path: `${pathOf(profile)}/:id`,
    access,
    event: `${eventPrefix}_DELETE`,
    params: Params,
    status: 204,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params, deps }) {
      await removeConfiguration(deps, tenantId, profile, params.id)
    },
  })
}

import type { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import {
  deleteTrustedListConfiguration,
  findTrustedListConfiguration,
  type TrustedListConfiguration,
  upsertTrustedListConfiguration,
} from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { isLote, loteTypeIn } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { requireMatch, withTag, withVersion } from '../../http/if-match.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { providerAccess, readerAccess } from '../ecosystems/access.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'
import { type ListNames, listKindOf } from './list-names.ts'
import { requireListable } from './lote-schemas.ts'
import { configurationSchemas, type TrustedListConfigurationBody } from './schemas.ts'

/** How an ecosystem publishes its lists of a kind. */
export function trustedListConfigurationRoutes(words: ListNames): Route[] {
  const { name, noun, events } = words
  const { body, view } = configurationSchemas(words)
  const common = commonOf(words)
  return [
    defineAuditedRoute({
      ...common,
      operation: `configure${noun}`,
      summary: `Set the ${name} configuration of an ecosystem`,
      method: 'PUT',
      access: providerAccess,
      event: `${events}_CONFIGURATION_UPSERT`,
      body,
      // A list of trusted entities has the certificates of its entities in the body.
      ...(!words.kind && { bodyLimitBytes: 1_000_000 }),
      status: 200,
      response: view,
      problems: ['bad_request', 'not_found', 'precondition_failed'],
      async handle({ tenantId, params, body: said, headers, deps, change }) {
        const { ecosystemId } = params
        const kind = listKindOf(words, params)
        // Boundary: the provider's name on the wire is the kind's, and the schema has parsed it.
        const { [words.provider]: provider, autoPublish, retention, ...lote } = said as Record<string, unknown>
        const content = {
          provider,
          autoPublish,
          retention,
          lote: isLote(kind) ? lote : null,
        } as TrustedListConfigurationBody
        if (content.lote) requireListable(content.lote)
        const at = deps.clock.now()
        const row = await change(async (tx, record) => {
          if (!(await hold(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
          const before = await findTrustedListConfiguration(tx, tenantId, ecosystemId, kind)
          requireMatch(headers, before && present(words, before))
          record(tenantId, { ecosystemId, ...loteTypeIn(kind) })
          return configure(tx, { tenantId, ecosystemId, kind }, { before, content, at })
        })
        return withTag(present(words, row))
      },
    }),
    retrievalRoute(words, view),
    removalRoute(words),
  ]
}

function retrievalRoute(words: ListNames, view: z.ZodType): Route {
  const { name, noun, events } = words
  return defineRoute({
    ...commonOf(words),
    operation: `retrieve${noun}Configuration`,
    summary: `Retrieve the ${name} configuration of an ecosystem`,
    method: 'GET',
    access: readerAccess,
    event: `${events}_CONFIGURATION_RETRIEVE`,
    status: 200,
    response: view,
    representations: { etag: 'version' },
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, deps }) {
      const { ecosystemId } = params
      await getEcosystem(deps.db.read, tenantId, ecosystemId)
      const row = await findTrustedListConfiguration(deps.db.read, tenantId, ecosystemId, listKindOf(words, params))
      if (!row) throw noConfiguration(name)
      return withVersion(present(words, row))
    },
  })
}

function removalRoute(words: ListNames): Route {
  const { name, noun, events } = words
  return defineAuditedRoute({
    ...commonOf(words),
    operation: `delete${noun}Configuration`,
    summary: `Delete the ${name} configuration of an ecosystem. Published lists stay. Later lists continue the numbering.`,
    method: 'DELETE',
    access: providerAccess,
    event: `${events}_CONFIGURATION_DELETE`,
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, change }) {
      const { ecosystemId } = params
      const kind = listKindOf(words, params)
      await change(async (tx, record) => {
        if (!(await hold(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
        if (!(await deleteTrustedListConfiguration(tx, tenantId, ecosystemId, kind))) throw noConfiguration(name)
        record(tenantId, { ecosystemId, ...loteTypeIn(kind) })
      })
    },
  })
}

function commonOf({ path, params }: ListNames) {
  return { tag: 'Ecosystems', path: `${path}/configuration`, params }
}

function noConfiguration(name: string): Problem {
  return new Problem('not_found', { message: `The ecosystem has no ${name} configuration` })
}

async function configure(
  tx: Writer,
  of: Pick<TrustedListConfiguration, 'tenantId' | 'ecosystemId' | 'kind'>,
  {
    before,
    content,
    at,
  }: { before: TrustedListConfiguration | undefined; content: TrustedListConfigurationBody; at: Date },
): Promise<Content> {
  const after = contentOf(content, before, at)
  await upsertTrustedListConfiguration(tx, { id: newOrderedId(at), ...of, createdAt: at, ...after })
  return after
}

type Content = Pick<
  TrustedListConfiguration,
  'provider' | 'lote' | 'autoPublishes' | 'frequency' | 'autoPublishConfiguredAt' | 'keepLast' | 'keepMonthly'
>

/** Keeps the time at which automatic publication was configured, if its settings do not change. */
function contentOf(
  { provider, lote, autoPublish, retention }: TrustedListConfigurationBody,
  before: TrustedListConfiguration | undefined,
  at: Date,
): Content {
  const { enabled = false, frequency = null } = autoPublish ?? {}
  const isUnchanged = before?.autoPublishes === enabled && before.frequency === frequency
  const configuredAt = isUnchanged ? before.autoPublishConfiguredAt : at
  return {
    ...{
      provider,
      lote,
      autoPublishes: enabled,
      frequency,
      autoPublishConfiguredAt: autoPublish ? configuredAt : null,
    },
    ...{ keepLast: retention?.keepLast ?? null, keepMonthly: retention?.keepMonthly ?? false },
  }
}

type Failure = Pick<TrustedListConfiguration, 'lastFailureAt' | 'lastFailureReason'>

/** Presents a configuration. `row` has no failure if it was configured in this request. */
function present(words: ListNames, row: Content & Partial<Failure>) {
  const { provider, autoPublishes: enabled, frequency, autoPublishConfiguredAt, lastFailureAt, lastFailureReason } = row
  const { keepLast, keepMonthly, lote } = row
  const common = {
    [words.provider]: provider,
    ...lote,
    ...(keepLast !== null && { retention: { keepLast, keepMonthly } }),
  }
  if (!autoPublishConfiguredAt) return common
  const configuredAt = autoPublishConfiguredAt.toISOString()
  const lastFailure = lastFailureAt && { at: lastFailureAt.toISOString(), reason: lastFailureReason }
  return { ...common, autoPublish: { enabled, frequency, configuredAt, ...(lastFailure && { lastFailure }) } }
}

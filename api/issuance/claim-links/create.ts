import type { z } from 'zod'
import { holdTenant } from '../../../db/hold.ts'
import { holdUsersShared } from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import { newClaimLinkRow, presentClaimLink } from '../../../db/repos/issuance/claim-links/new-claim-links.ts'
import {
  insertSingleClaimLink,
  type SingleLinkSettings,
} from '../../../db/repos/issuance/claim-links/single-claim-links.ts'
import { findUser } from '../../../db/repos/issuance/users/users.ts'
import { plusMs } from '../../../shared/clock.ts'
import { bulkKeptUntil } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { defaultClaimLinkMs } from '../../../shared/domain/issuance/claim-links.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { bulkKeptContext } from '../../../shared/secrets/stored-contexts.ts'
import { rowReaders } from '../../access/shown-to.ts'
import type { Caller, Tenant } from '../../access/subjects.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Deps } from '../../deps.ts'
import { operators } from '../../http/route.ts'
import { requireProvider } from '../bulk/settings.ts'
import { starterOf } from '../bulk/starter.ts'
import { getOffered } from '../offers/configurations.ts'
import { holdDefaultView, requirePublished } from '../offers/view-of-offer.ts'
import { checkClaimsOfLink } from './check-claims.ts'
import { SingleClaimLink, SingleClaimLinkView } from './schemas.ts'

type Request = z.infer<typeof SingleClaimLink>

export const createClaimLinkRoute = defineAuditedRoute({
  operation: 'createClaimLink',
  summary: 'Make a claim link for one person, without a file',
  tag: 'Bulk issuance',
  access: operators(...rowReaders),
  method: 'POST',
  path: '/v1/claim-links',
  event: 'CLAIM_LINK_CREATE',
  body: SingleClaimLink,
  bodyLimitBytes: 500_000,
  status: 201,
  creates: true,
  response: SingleClaimLinkView,
  problems: ['bad_request', 'conflict', 'payload_too_large'],
  async handle({ deps, tenant, caller, body, change, commitAnswer, attribute: about }) {
    const at = deps.clock.now()
    const configurationIds = [...new Set(body.configurationIds)]
    const bulkId = newOrderedId(at)
    const link = newLink(deps, tenant, { ...body, configurationIds }, { bulkId, at })
    const sealedKept = body.keep
      ? deps.secrets.seal(JSON.stringify(body.keep), bulkKeptContext(bulkId, link.row))
      : null
    about(bulkId)
    return change(async (tx, record) => {
      if ((await holdTenant(tx, tenant.id))?.state !== 'active') throw new Problem('conflict')
      if (body.signIn) await requireProvider(tx, tenant.id)
      const configurations = await getOffered(tx, tenant.id, configurationIds, 'configurationIds')
      await requirePublished(tx, tenant.id, body.view, configurations, 'configurationIds')
      const viewId = body.view ?? (await holdDefaultView(tx, tenant, configurations))?.id ?? null
      if (body.userId !== undefined && (await holdUsersShared(tx, tenant.id, [body.userId])).size === 0) {
        throw unknownReference('userId', body.userId, 'GET /v1/users')
      }
      const user = body.userId === undefined ? undefined : await findUser(tx, tenant.id, body.userId)
      const content = { configurations, claims: body.claims, user, signIn: body.signIn }
      const warnings = await checkClaimsOfLink(tx, content, at)
      await insertSingleClaimLink(tx, link, { ...settingsOf(body, caller, at), viewId }, sealedKept)
      record(tenant.id, { id: bulkId, configurationIds, ...(viewId !== null && { view: viewId }) })
      const { address, transactionCode } = presentClaimLink(tenant, link, { secrets: deps.secrets, at })
      const view = {
        ...{ bulkIssuanceId: bulkId, row: link.row },
        ...(body.externalId !== undefined && { externalId: body.externalId }),
        ...(body.label !== undefined && { label: body.label }),
        link: address,
        ...(transactionCode !== undefined && { transactionCode }),
        expiresAt: link.expiresAt.toISOString(),
        ...(warnings.length > 0 && { warnings }),
      }
      await commitAnswer(tx, view)
      return view
    })
  },
})

function newLink(
  { secrets }: Pick<Deps, 'secrets'>,
  tenant: Tenant,
  { configurationIds, claims, userId, externalId, label, expiresIn, transactionCode, signIn }: Request,
  { bulkId, at }: { bulkId: string; at: Date },
) {
  const link = {
    ...{ bulkId, row: 1, configurationIds, claims, expiresAt: plusMs(at, expiresIn ?? defaultClaimLinkMs) },
    ...{ userId: userId ?? null, externalId: externalId ?? null, label: label ?? null },
    ...(transactionCode && { transactionCode }),
    ...(signIn && { signIn }),
  }
  return newClaimLinkRow(tenant, link, { secrets, at })
}

function settingsOf(
  { userId, keep, expiresIn, transactionCode, signIn }: Request,
  caller: Caller,
  at: Date,
): Omit<SingleLinkSettings, 'viewId'> {
  const linkSeconds = (expiresIn ?? defaultClaimLinkMs) / 1_000
  const userColumn = userId === undefined ? null : 'userId'
  return {
    columns: { claims: null, externalId: 'externalId', userId: userColumn, ...(keep && { kept: Object.keys(keep) }) },
    ...{ linkSeconds, transactionCode: transactionCode ?? null, signIn: signIn ?? null },
    ...starterOf(caller),
    expiresAt: bulkKeptUntil({ linkSeconds, linksUntil: null }, at),
  }
}

import { z } from 'zod'
import { findUser } from '../../../../db/repos/issuance/users/users.ts'
import { notFound } from '../../../../shared/errors/errors.ts'
import { defineAuditedRoute } from '../../../audit/define-audited-route.ts'
import { idOf } from '../../../http/fields.ts'
import { Answer } from '../../../http/representations/answer.ts'
import { handlerMedia, type Streamed } from '../../../http/representations/media.ts'
import { operators } from '../../../http/route.ts'
import { beginDownload } from '../../bulk/downloads.ts'
import { UserExportView } from '../schemas.ts'
import { type ExportWriter, type UserExport, writeExport } from './write-export.ts'
import { htmlWriter, renderExportPage } from './write-html.ts'
import { jsonWriter } from './write-json.ts'

/** Everything that the service stores about a person (GDPR, article 15). */
export const exportUserRoute = defineAuditedRoute({
  operation: 'exportUser',
  summary:
    'Download all data that is stored about a user, as JSON or, with `Accept: text/html`, as a page for people: claims, offers, claim links, ' +
    'sign-ins, credentials, rows of bulk issuances, deliveries and events. It has no secrets and no names of operators',
  tag: 'Users',
  method: 'GET',
  path: '/v1/users/:id/export',
  access: operators('admin', 'issuer', 'managed-issuer'),
  event: 'USER_EXPORT',
  params: z.object({ id: idOf('user') }),
  isLongLived: true,
  status: 200,
  response: UserExportView,
  representations: {
    media: [
      handlerMedia('application/json', { payload: (answer) => streamOf(answer, () => jsonWriter) }),
      handlerMedia('text/html', { payload: (answer) => streamOf(answer, (of) => htmlWriter(renderExportPage(of))) }),
    ],
    gzip: true,
    attachment: true,
  },
  problems: ['bad_request', 'not_found', 'service_unavailable'],
  async handle({ deps, tenant, params: { id }, change }) {
    if (!(await findUser(deps.db.read, tenant.id, id))) throw notFound('id', id)
    await change(async (_tx, record) => record(tenant.id, { id }))
    const exported: UserExport = {
      ...{ deps, tenantId: tenant.id, userId: id },
      ...{ issuer: tenant.baseUrl, tenantName: tenant.name, exportedAt: deps.clock.now() },
    }
    const fileName = (mediaType: string) => `person-${id}.${mediaType === 'text/html' ? 'html' : 'json'}`
    return new Answer(exported, { headers: renderExportPage(exported).headers, fileName })
  },
})

function streamOf(answer: unknown, writerOf: (of: UserExport) => ExportWriter): Streamed {
  // Boundary: the handler returned it.
  const of = answer as UserExport
  return { stream: beginDownload(of.deps.downloads, of.tenantId, writeExport(of, writerOf(of))) }
}

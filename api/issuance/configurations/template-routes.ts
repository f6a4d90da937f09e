import { z } from 'zod'
import { findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { credentialProfiles } from '../../../shared/domain/issuance/profiles.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { byteOrderMark, csvLine, tableMedia } from '../../../shared/formats/table-file/write-table.ts'
import { idOf } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { configurationProfiles } from './profiles.ts'
import { templateColumns } from './template-columns.ts'

/** The column with the caller's id of each row. A bulk issuance names it `externalId`. */
const externalId = { name: 'externalId', example: '1' }

/** The template of a file with people, for each profile. */
export const fileTemplateRoutes = credentialProfiles.map((profile) => {
  const { word, tag, eventPrefix } = configurationProfiles[profile]
  return defineRoute({
    operation: `download${word}Template`,
    summary: `Download a CSV file with the columns of a ${profile} credential configuration and an example row`,
    tag,
    method: 'GET',
    path: `/v2/credentials/${profile}/configurations/:id/template.csv`,
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: `${eventPrefix}_TEMPLATE_DOWNLOAD`,
    params: z.object({ id: idOf(`${profile} configuration`) }),
    status: 200,
    representations: { media: [handlerMedia(tableMedia.csv.type)], attachment: true },
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, deps }) {
      const row = await findConfiguration(deps.db.read, tenantId, id)
      if (row?.profile !== profile) throw notFound('id', id)
      const columns = [externalId, ...templateColumns(row, deps.clock.now())]
      const lines = [columns.map(({ name }) => name), columns.map(({ example }) => example)].map(csvLine)
      return new Answer(byteOrderMark + lines.join(''), { fileName: 'template.csv' })
    },
  })
})

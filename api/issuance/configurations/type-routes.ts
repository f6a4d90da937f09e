import { z } from 'zod'
import { findSdJwtType } from '../../../db/repos/issuance/sd-jwt-types.ts'
import { sdJwtTypePath } from '../../../shared/domain/issuance/sd-jwt-types.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { described, exampleBaseUrl, exampleId, idOf } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute } from '../../http/route.ts'

/** The number of a version. A longer text is no number that the databases can store. */
const Version = z.string().regex(/^[1-9][0-9]{0,8}$/, 'Must be the number of a version')

const TypeDocument = described(z.record(z.string(), z.unknown()), 'The type metadata', {
  vct: exampleBaseUrl + sdJwtTypePath(exampleId('sd-jwt configuration'), 1),
  ...{ name: 'Student card', display: [{ locale: 'en', name: 'Student card' }] },
  claims: [{ path: ['given_name'], mandatory: true, sd: 'always' }],
})

/** The type metadata of SD-JWT VCs. Anyone can read them, and a version never changes. */
export const sdJwtTypeRoutes = [
  defineRoute({
    operation: 'retrieveSdJwtType',
    summary: 'Retrieve a version of the type metadata of an SD-JWT VC configuration',
    tag: 'SD-JWT VC',
    method: 'GET',
    path: sdJwtTypePath(':id', ':version'),
    access: anyone,
    params: z.object({
      id: idOf('sd-jwt configuration'),
      version: described(Version, 'The number of the version, from 1', '1'),
    }),
    status: 200,
    response: TypeDocument,
    representations: { media: [handlerMedia('application/json')], maxAgeSeconds: 'forever', etag: 'bytes', cors: true },
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id, version }, deps }) {
      const row = await findSdJwtType(deps.db.read, tenantId, id, Number(version))
      if (!row) throw notFound('version', version)
      return new Answer(row.content, {})
    },
  }),
]

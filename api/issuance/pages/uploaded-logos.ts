import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { holdTenant } from '../../../db/hold.ts'
import { findAllConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { findUploadedLogo, storeLogo } from '../../../db/repos/tenancy/logos.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Deps } from '../../deps.ts'
import { described, named } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'
import { type Picture, pictureTypeOf } from './picture-type.ts'

const maxBytes = 65_536
const maxBase64Length = Math.ceil(maxBytes / 3) * 4
/** The number of logos that a tenant keeps. */
const mostLogos = 100

/** An SVG can contain scripts, and wallets show no moving pictures. */
const uploadable: ReadonlySet<string | undefined> = new Set(['image/png', 'image/jpeg', 'image/webp'])

const pathOf = (id: string) => `/o/logos/${id}`
const pathPattern = /^\/o\/logos\/[\w-]{43}$/

/** Whether the address is that of an uploaded logo on the host of this tenant. */
export function isUploadedLogo({ baseUrl }: Pick<Tenant, 'baseUrl'>, url: string): boolean {
  return url.startsWith(baseUrl) && pathPattern.test(url.slice(baseUrl.length))
}

/** Returns an uploaded logo of a tenant for the last part of its path. */
export async function readUploadedLogo({ db }: Deps, tenantId: string, key: string): Promise<Picture | undefined> {
  if (!pathPattern.test(pathOf(key))) return undefined
  const row = await findUploadedLogo(db.read, tenantId, key)
  return row && { type: row.type, bytes: row.content }
}

const allInUse = `The branding and the configurations show all ${mostLogos} logos of the tenant. Remove a logo from the branding or from a configuration first.`

/** Returns the ids of the uploaded logos whose address is in the branding or in a configuration. */
async function findUsedLogos(tx: Writer, tenantId: string, branding: object): Promise<ReadonlySet<string>> {
  const texts = [branding, ...(await findAllConfigurations(tx, tenantId))].map((each) => JSON.stringify(each))
  return new Set(texts.flatMap((text) => Array.from(text.matchAll(/\/o\/logos\/([\w-]{43})/g), ([, id = '']) => id)))
}

const LogoUpload = named(
  'LogoUpload',
  'A logo to upload',
  z.object({
    content: described(
      z.base64().max(maxBase64Length),
      `A PNG, JPEG or WebP picture in base64, of at most ${maxBytes / 1024} KB`,
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ),
  }),
)

const UploadedLogo = named(
  'UploadedLogo',
  'An uploaded logo',
  z.object({
    url: described(
      z.string(),
      'Its public address, for `branding.logoUrl` and for the display of configurations',
      'https://university.example/o/logos/5hPXvpFQVmLRlhWnQ3XoKkR1pB1t0nG7s0y7cPq0wUk',
    ),
  }),
)

export const uploadLogo = defineAuditedRoute({
  operation: 'uploadLogo',
  summary: `Upload a logo and get its public address. The tenant keeps ${mostLogos} logos. A further upload removes the oldest that neither its branding nor a configuration shows`,
  tag: 'Tenants',
  method: 'POST',
  path: '/v1/settings/logos',
  access: operators('admin'),
  host: 'tenant',
  event: 'SETTINGS_LOGO_CREATE',
  body: LogoUpload,
  status: 201,
  response: UploadedLogo,
  problems: ['bad_request', 'conflict'],
  async handle({ tenant, tenantId, body, deps, change, commitAnswer }) {
    const content = Buffer.from(body.content, 'base64')
    const type = pictureTypeOf(content)
    if (content.length > maxBytes) throw wrongField('content', `Must be a picture of at most ${maxBytes / 1024} KB`)
    if (type === undefined || !uploadable.has(type)) throw wrongField('content', 'Must be a PNG, JPEG or WebP picture')
    const id = hash('sha256', content, 'base64url')
    return change(async (tx, record) => {
      const held = await holdTenant(tx, tenantId)
      if (!held) throw notFound('tenantId', tenantId)
      const findUsed = () => findUsedLogos(tx, tenantId, held.settings.branding)
      if (!(await storeLogo(tx, { tenantId, id, type, content, createdAt: deps.clock.now() }, mostLogos, findUsed)))
        throw new Problem('conflict', { message: allInUse })
      record(tenantId, { id })
      const view = { url: `${tenant.baseUrl}${pathOf(id)}` }
      await commitAnswer(tx, view)
      return view
    })
  },
})

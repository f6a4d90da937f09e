import { z } from 'zod'
import {
  type ApprovalKind,
  highestStatusChanges,
  maxListedDeletions,
} from '../../../shared/domain/tenancy/approvals.ts'
import { named, withoutExample } from '../../http/fields.ts'
import { kept } from '../../http/kept.ts'
import { TenantUpdate, TenantView } from '../tenants/schemas.ts'

const members = {
  name: true,
  branding: true,
  deferredIssuance: true,
  roles: true,
  walletFamilies: true,
  defaultView: true,
} as const

const above = (max: number) => z.number().int().min(0).max(max)

const Approvals = named(
  'ApprovalSettings',
  'The requests that another person or program must approve. A kind without a number needs no approval',
  z.object({
    statusChanges: above(highestStatusChanges)
      .optional()
      .describe('The number of credentials above which a bulk status change needs an approval'),
    bulkIssuances: above(1_000_000)
      .optional()
      .describe('The number of valid rows above which the start of a bulk issuance needs an approval'),
    authorityDeletions: z
      .int()
      .min(0)
      .max(0)
      .optional()
      .describe('`0`: each deletion of an IACA or an ecosystem CA needs an approval'),
    configurationDeletions: above(maxListedDeletions)
      .optional()
      .describe(
        'The number of objects above which an apply of configuration files that deletes them needs an approval',
      ),
    expiresAfterHours: z
      .number()
      .int()
      .min(1)
      .max(720)
      .optional()
      .describe('The hours for which a request waits, and for which an approved apply can be made, by default 24'),
  } satisfies Record<ApprovalKind | 'expiresAfterHours', z.ZodType>),
)

/** The settings that an admin of the tenant may change. Security, hosts and limits stay with the platform. */
export const OwnSettings = named(
  'OwnSettings',
  'The settings that an admin of the tenant may change',
  TenantView.pick(members).extend({ approvals: Approvals }),
)

export const OwnSettingsUpdate = TenantUpdate.pick(members).extend({ approvals: withoutExample(kept(Approvals)) })

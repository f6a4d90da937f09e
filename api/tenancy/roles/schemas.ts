import { z } from 'zod'
import { findPermissionFault, grantablePermissions } from '../../../shared/access/own-roles.ts'
import { isBuiltIn, tenantRoles } from '../../../shared/access/roles.ts'
import { described, named } from '../../http/fields.ts'

const Permission = z
  .string()
  .max(100)
  .superRefine((permission, ctx) => {
    const message = findPermissionFault(permission)
    if (message !== undefined) ctx.addIssue({ code: 'custom', message })
  })

const RoleOfTenant = named(
  'OwnRole',
  'A role that the tenant defines',
  z.object({
    name: described(
      z
        .string()
        .regex(/^[a-z][a-z0-9-]{1,49}$/, 'Must have 2 to 50 small letters, digits and hyphens, and begin with a letter')
        .refine((name) => !isBuiltIn(name), 'Must not be the name of a role of the service'),
      'The name by which clients and the sign-in provider have the role',
      'enrolment-office',
    ),
    description: described(z.string().max(300), 'Who has the role', 'The office for new students').optional(),
    permissions: described(
      z
        .array(Permission)
        .min(1)
        .max(grantablePermissions.length)
        .refine((all) => new Set(all).size === all.length, 'Must not contain a permission twice'),
      `The permissions of the role: ${grantablePermissions.map((each) => `\`${each}\``).join(', ')}. \`find\` shows no claims and no secret addresses`,
      ['users:find', 'offers:*'],
    ),
  }),
)

export const OwnRoles = described(
  z
    .array(RoleOfTenant)
    .max(50)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'Must not contain a name twice'),
  'The roles that the tenant defines beside those of the service. At most 50',
  [],
)

/** The name of a role in a request. `requireKnownRoles` checks that it exists. */
export const RoleName = named(
  'RoleName',
  `A role of the service, or one that the tenant defines in \`roles\` of its settings. The roles of the service: ${[...tenantRoles, 'platform'].map((role) => `\`${role}\``).join(', ')}`,
  z.string().min(1).max(50),
)

import { z } from 'zod'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'

/** The roles that manage ecosystems, and the roles that read them. */
export const providerAccess = operators('admin', 'dts-provider')
export const readerAccess = operators('admin', 'dts-provider', 'dts-consumer')

/** The path parameters of a resource in an ecosystem. */
export const EcosystemParams = z.object({ ecosystemId: idOf('ecosystem') })

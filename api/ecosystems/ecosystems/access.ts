import { z } from 'zod'
import { fullReaders } from '../../access/shown-to.ts'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'

/** The roles that manage ecosystems, and the roles that read them. */
export const providerAccess = operators('admin', 'dts-provider')
export const readerAccess = operators(...fullReaders)

/** The path parameters of a resource in an ecosystem. */
export const EcosystemParams = z.object({ ecosystemId: idOf('ecosystem') })

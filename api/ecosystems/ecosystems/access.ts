import { z } from 'zod'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'

/** Who makes ecosystems, and who also reads what is in them. */
export const providers = operators('admin', 'dts-provider')
export const readers = operators('admin', 'dts-provider', 'dts-consumer')

/** What is in an ecosystem is at addresses that name it. */
export const InEcosystem = z.object({ ecosystemId: idOf('ecosystem') })

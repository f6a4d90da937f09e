import { dayMs } from '../../shared/clock.ts'
import type { TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'
import { requireChain, requireOpenssl } from './check-authorities.ts'
import { must } from './outside.ts'
import { type Check, type CheckContext, renewedBy, requireTimes } from './published.ts'
import { read, readSign1 } from './read-mobile.ts'

/** A list announces the next one within 90 days. It is published daily. */
const renewedBeforeMs = 89 * dayMs

const numberNames: Record<TrustedListKind, string> = { vical: 'vicalIssueID', rical: 'id' }

function trustedListOf(kind: TrustedListKind): Check {
  return async (context) => {
    const { tenant, at } = context
    if (!tenant.trustedLists.includes(kind)) return []
    const url = `${tenant.ecosystem}/${kind}s/public/latest`
    const { status, bytes } = await tenant.outside.get(url)
    must(status === 200, `${url} is answered with ${status}`)
    const { signer, payload } = readSign1(read(bytes))
    const content = read<Map<string, unknown>>(payload)
    const [from, until] = [content.get('date') as Date, content.get('nextUpdate') as Date]
    requireTimes(url, { from, until, at })
    const root = requireChain(context, signer, { kind: 'ecosystem-ca', from, until: from })
    if (context.isThorough) await requireOpenssl(context, signer, root)
    requireNextNumber(context, `${tenant.name} ${kind}`, Number(content.get(numberNames[kind])))
    context.memory.set(`${tenant.name} ${kind} date`, from.getTime())
    return [{ url, until, renewedBy: renewedBy(until, renewedBeforeMs) }]
  }
}

/** Numbers of trusted lists rise by one. */
function requireNextNumber({ memory }: CheckContext, name: string, number: number): void {
  const last = memory.get(name)
  must(
    last === undefined || number === last || number === last + 1,
    `the number of a ${name} is ${number} after ${last}`,
  )
  memory.set(name, number)
}

export const trustedListChecks = { vical: trustedListOf('vical'), rical: trustedListOf('rical') }

/** A day or a week in UTC has its list within this time. The first attempts can fail. */
const publishedWithinMs = 2 * 3_600_000

/** Requires the list of the current day or week. The first day of the epoch was a Thursday. */
export function requireCurrentList({ tenant, at, memory }: CheckContext, kind: TrustedListKind): void {
  const day = Math.floor(at.getTime() / dayMs)
  const begin = (tenant.frequency === 'Daily' ? day : day - ((day + 3) % 7)) * dayMs
  if (at.getTime() - begin < publishedWithinMs) return
  const date = memory.get(`${tenant.name} ${kind} date`) ?? 0
  must(date >= begin, `the last ${kind} of ${tenant.name} is of ${new Date(date).toISOString()}`)
}

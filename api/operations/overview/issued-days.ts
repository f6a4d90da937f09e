import { findConfigurationNames } from '../../../db/repos/issuance/configuration-names.ts'
import { findEndedOffers, findIssuedByConfiguration } from '../../../db/repos/operations/issuance-outcomes.ts'
import { dayOf, findIssuedDays } from '../../../db/repos/operations/issued-days.ts'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import type { Deps } from '../../deps.ts'

/** The number of configurations whose issuances are counted separately. */
const maxConfigurations = 5

/** Counts the issuances, failed offers and expired offers of each of the last days, and the issuances of the most used configurations. */
export async function countIssuedDays({ db, clock }: Pick<Deps, 'db' | 'clock'>, tenantId: string, days: number) {
  const today = dayOf(clock.now())
  const from = plusMs(today, (1 - days) * dayMs)
  const [issued, ended, byConfiguration] = await Promise.all([
    findIssuedDays(db.read, tenantId, from),
    findEndedOffers(db.read, tenantId, from, today),
    findIssuedByConfiguration(db.read, tenantId, from, today, maxConfigurations),
  ])
  const placeOf = (day: Date) => Math.round((day.getTime() - from.getTime()) / dayMs)
  const data = Array.from({ length: days }, (_, place) => ({
    day: plusMs(from, place * dayMs)
      .toISOString()
      .slice(0, 10),
    ...{ issued: 0, failed: 0, expired: 0 },
  }))
  const add = (day: Date, outcome: 'issued' | 'failed' | 'expired', count: number) => {
    const entry = data[placeOf(day)]
    if (entry) entry[outcome] += count
  }
  for (const { day, issued: count } of issued) add(day, 'issued', count)
  for (const { day, outcome, count } of ended) add(day, outcome, count)

  const groups = [...Map.groupBy(byConfiguration, ({ configurationId }) => configurationId)]
  const ids = groups.map(([id]) => id)
  const names = await findConfigurationNames(db.read, tenantId, ids)
  const configurations = groups.map(([configurationId, rows]) => {
    const counts = Array.from({ length: days }, () => 0)
    for (const { day, count } of rows) counts[placeOf(day)] = count
    const name = names.get(configurationId)
    return { configurationId, ...(name !== undefined && { name }), issued: counts }
  })
  return { data, total: data.reduce((sum, each) => sum + each.issued, 0), configurations }
}

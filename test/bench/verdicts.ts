import { bulkVerdicts } from './bulk-report.ts'
import { flowVerdicts, verdict as row, slower } from './flow-verdicts.ts'
import {
  besideKoa,
  costBesideOthers,
  delayOf,
  deliveriesPerCpuSecond,
  publicationCost,
  type Results,
  ratios,
  readsName,
  regenerationCost,
  regenerationsOf,
} from './results.ts'
import type { Row } from './rows.ts'

export function verdicts(results: Results): Row[] {
  const { webhooks } = results
  const revocableCost = costBesideOthers(results.revocable)
  const mdocRate = 1 / costBesideOthers(results.mobile.besideCompact)
  const sdJwtCost = costBesideOthers(results.sdJwt)
  const batchCost = costBesideOthers(results.batches)
  const { trustedLists } = results
  const delay = {
    publishing: delayOf(trustedLists, trustedLists.publishing),
    pressed: delayOf(trustedLists, trustedLists.pressed),
  }
  const atLeast = (what: string, value: number, target: number) =>
    row(what, `${value.toFixed(0)} of ${target.toFixed(0)}`, value >= target)
  return [
    ...flowVerdicts(results.database, results.flows),
    row('a revocable flow’s cost', `${revocableCost.toFixed(2)} of 1.10`, revocableCost <= 1.1),
    row('mdocs per CPU second beside compact', `${mdocRate.toFixed(2)} of 0.60`, mdocRate >= 0.6),
    row('an SD-JWT VC’s cost beside compact', `${sdJwtCost.toFixed(2)} of 1.15`, sdJwtCost <= 1.15),
    row('a batch of 30’s cost beside one credential', `${batchCost.toFixed(2)} of 6.00`, batchCost <= 6),
    row(
      'p99 from a revocation to its list',
      `${(results.status.untilPublished.p99 / 1000).toFixed(1)} of 2 s`,
      results.status.untilPublished.p99 <= 2_000,
    ),
    ...regenerationsOf(results.status.regenerations).map(([what, each]) =>
      row(
        `regeneration of ${what} beside zlib`,
        `${regenerationCost(each).toFixed(2)} of 3.00`,
        regenerationCost(each) <= 3,
      ),
    ),
    ...results.status.reads.map((reads) =>
      row(`${readsName(reads)} beside bare Koa`, `${besideKoa(reads)} of 0.60`, Math.min(...ratios(reads)) >= 0.6),
    ),
    ...results.trustedLists.publications.map((each) =>
      row(
        `publishing ${each.count} certificates beside assembling them`,
        `${publicationCost(each).toFixed(2)} of 2.00`,
        publicationCost(each) <= 2,
      ),
    ),
    ...results.trustedLists.reads.map((reads) =>
      row(
        `VICAL ${readsName(reads)} beside bare Koa`,
        `${besideKoa(reads)} of 0.60`,
        Math.min(...ratios(reads)) >= 0.6,
      ),
    ),
    row(
      `p99 of calls, a list published in ten seconds (one after the other: ${delay.pressed.toFixed(2)})`,
      `${delay.publishing.toFixed(2)} of 1.20`,
      delay.publishing <= 1.2,
    ),
    ...bulkVerdicts(results.database, results.bulk, results.limits),
    atLeast('webhooks per CPU second', deliveriesPerCpuSecond(results), 2500 / slower(webhooks.koa)),
  ]
}

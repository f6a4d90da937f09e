import { relative } from 'node:path'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** The longest files, in this order. If such a file began last, one of two workers would wait for it at the end. */
const longest = [
  'test/flows/kill.test.ts',
  'test/console/tables.test.ts',
  'test/flows/roles-kill.test.ts',
  'test/console/own-roles.test.ts',
  'test/once/time-machine.test.ts',
  'test/flows/bulk-command.test.ts',
  'test/once/documented-commands.test.ts',
  'test/once/image.test.ts',
  'test/flows/redis-sentinel.test.ts',
  'test/once/documented-ceremony.test.ts',
  'test/once/reference-page.test.ts',
  'test/flows/rolling-restart.test.ts',
  'test/flows/copy.test.ts',
  'test/workers/failing-receiver.test.ts',
  'test/once/release.test.ts',
  'test/db/copy.test.ts',
  'test/flows/move-tenant.test.ts',
  'test/console/credentials.test.ts',
  'test/flows/start.test.ts',
  'test/flows/publication-kill.test.ts',
  'test/flows/lost-connections.test.ts',
  'test/flows/certificates-kill.test.ts',
  'test/flows/fairness.test.ts',
  'test/console/ecosystems.test.ts',
  'test/once/ci-verdict.test.ts',
  'test/api/issuance/bulk-time-slices.test.ts',
  'test/flows/traces.test.ts',
  'test/flows/bulk-kill.test.ts',
  'test/flows/redis-cluster.test.ts',
  'test/once/configuration-commands.test.ts',
  'test/once/command-line-work.test.ts',
  'test/flows/backup.test.ts',
  'test/flows/publication.test.ts',
  'test/flows/tenant-files.test.ts',
  'test/flows/erasure-proof.test.ts',
  'test/console/bulk.test.ts',
  'test/flows/delivery-flood.test.ts',
  'test/flows/redis-failover.test.ts',
  'test/console/canaries.test.ts',
  'test/console/offers.test.ts',
  'test/flows/analytics-kill.test.ts',
  'test/flows/events-storm.test.ts',
  'test/once/start-settings.test.ts',
  'test/api/status/bulk.test.ts',
  'test/workers/serve.test.ts',
  'test/flows/redis-outage.test.ts',
  'test/flows/webhook-listeners.test.ts',
  'test/console/configurations.test.ts',
  'test/db/tenants-apart.test.ts',
  'test/flows/erasure.test.ts',
  'test/flows/claim-source.test.ts',
  'test/console/shell.test.ts',
  'test/api/issuance/bulk-run.test.ts',
  'test/workers/delivery.test.ts',
  'test/console/bulk-links.test.ts',
  'test/console/access.test.ts',
  'test/api/operations/service.test.ts',
  'test/workers/messages.test.ts',
  'test/console/viewer.test.ts',
  'test/flows/creation-kill.test.ts',
  'test/api/operations/events.test.ts',
  'test/db/postgres.test.ts',
  'test/db/pgbouncer.test.ts',
  'test/db/standby.test.ts',
  'test/flows/failover.test.ts',
  'test/db/migrate-in-use.test.ts',
  'test/flows/roles-stop.test.ts',
  'test/flows/database-outage.test.ts',
  'test/console/names.test.ts',
  'test/flows/slow-database.test.ts',
  'test/console/users.test.ts',
  'test/workers/emptied-redis.test.ts',
  'test/console/undo.test.ts',
  'test/console/wallet.test.ts',
  'test/console/signing.test.ts',
  'test/console/search.test.ts',
]

/** Vitest knows the duration of a file only if it ran before. Otherwise it uses the size of the file. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(relative(this.ctx.config.root, moduleId))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other))
  }
}
